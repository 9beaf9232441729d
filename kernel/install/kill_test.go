package install

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"neutron/kernel/store"
)

const (
	killDir   = "NEUTRON_TEST_KILL_DIR"
	killFirst = "NEUTRON_TEST_KILL_FIRST"
	killTimes = "NEUTRON_TEST_KILLS"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		victimProcess(dir)
		return
	}
	os.Exit(m.Run())
}

// operation n of the script: an install, an upgrade or a removal. Parent and child derive the same from n.
func operation(n int) (id, version string, remove bool) {
	return fmt.Sprintf("kill%d", n%3), fmt.Sprintf("1.0.%d", n), n%7 == 6
}

// victimProcess runs the script from some operation on and tells each point it reaches, until it is killed.
func victimProcess(dir string) {
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		fmt.Println("fail", err)
		return
	}
	a, err := Open(st, Options{})
	if err != nil {
		fmt.Println("fail", err)
		return
	}
	var n int
	_, _ = fmt.Sscan(os.Getenv(killFirst), &n)
	for ; ; n++ {
		fmt.Println("begin", n)
		uid, err := perform(a, n)
		if err != nil {
			fmt.Println("fail", err)
			return
		}
		fmt.Println("ack", n, uid)
	}
}

func perform(a *Apps, n int) (uid uint64, err error) {
	inside := func(*store.Tx, Installed) error { fmt.Println("tx", n); return nil }
	id, version, remove := operation(n)
	if remove {
		if i, ok := a.Get(id); ok {
			return i.UID, a.Remove(id, i.UID, inside)
		}
		return 0, nil
	}
	filler := make([]byte, 64<<10)
	for i := range filler {
		filler[i] = byte(i * n)
	}
	var signed bytes.Buffer
	plain := app(id, version, stored("filler.bin", string(filler)))
	if err := Sign(bytes.NewReader(plain), int64(len(plain)), keyOf(id), &signed); err != nil {
		return 0, err
	}
	b := signed.Bytes()
	r, err := a.Review(Bytes(b), int64(len(b)), "x")
	if err != nil {
		return 0, err
	}
	i, err := a.Approve(r.ReviewId, r.App.Hash, inside)
	return i.UID, err
}

// A killed process leaves whole installations only: what it acknowledged is
// there, what it began is there or is not, every package verifies, no uid comes
// back, and a sweep leaves no byte of the rest.
func TestKill(t *testing.T) {
	kills := 15
	if s := os.Getenv(killTimes); s != "" {
		_, _ = fmt.Sscan(s, &kills)
	}
	dir := t.TempDir()
	state := make(map[string]string) // id > version
	var highest uint64
	next, where := 0, make(map[string]int)
	for k := range kills {
		// Two of three kills aim at an open transaction, the rest fall anywhere.
		aim := ""
		if k%3 != 0 {
			aim = "tx"
		}
		acked, pending, point, uid := runVictim(t, dir, next, rand.IntN(12)+1, aim)
		where[point]++
		highest = max(highest, uid)
		for n := next; n <= acked; n++ {
			apply(state, n)
		}
		got := inspect(t, dir, highest)
		switch {
		case same(got, state):
			next = acked + 1
		default:
			apply(state, pending)
			if !same(got, state) {
				t.Fatalf("kill %d at %s %d: the store has %v, acknowledged and begun give %v", k, point, pending, got, state)
			}
			next = pending + 1
		}
	}
	t.Logf("killed at %v", where)
	if open := where["tx"]; open*10 < kills*3 {
		t.Errorf("only %d of %d kills fell inside an open write", open, kills)
	}
}

func apply(state map[string]string, n int) {
	id, version, remove := operation(n)
	if remove {
		delete(state, id)
		return
	}
	state[id] = version
}

func same(a, b map[string]string) bool { return equal(a, b) }

// runVictim starts a child, lets it reach some points, and kills it at the next
// that is aimed at. acked is the last operation it acknowledged, point the last
// that it told.
func runVictim(t *testing.T, dir string, first, points int, aim string) (acked, pending int, point string, uid uint64) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), killDir+"="+dir, fmt.Sprint(killFirst, "=", first))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	acked, pending = first-1, first
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		var at int
		var u uint64
		word, rest, _ := strings.Cut(lines.Text(), " ")
		_, _ = fmt.Sscan(rest, &at, &u)
		switch word {
		case "begin", "tx":
			pending = at
		case "ack":
			acked, pending = at, at+1
			uid = max(uid, u)
		default:
			t.Fatalf("the child says %q", lines.Text())
		}
		if point = word; n >= points && (aim == "" || aim == word) {
			_ = c.Process.Kill() // and read on: what it wrote before its end counts as acknowledged
		}
	}
	_ = c.Wait()
	return acked, pending, point, uid
}

// inspect opens what the killed process left, and gives id > version.
func inspect(t *testing.T, dir string, highest uint64) map[string]string {
	t.Helper()
	s := open(t, dir, Options{})
	defer s.close()
	got, kept := make(map[string]string), 0
	for _, i := range s.List() {
		got[i.ID] = i.Version
		kept++
		if err := s.Verify(i.ID); err != nil {
			t.Errorf("%s %s: %v", i.ID, i.Version, err)
		}
		// The pin came with the installation, or with an earlier one.
		if g, err := s.signer(i.ID, i.Signer); err != nil || g.State != sameKey {
			t.Errorf("%s %s: signer %v, %v", i.ID, i.Version, g, err)
		}
	}
	if _, err := s.st.Sweep(); err != nil {
		t.Error(err)
	}
	if n := len(s.blobs()); n != kept {
		t.Errorf("%d packages on the disk for %d apps", n, kept)
	}
	probe := s.install(app("probe_uid", "1.0.0"))
	if probe.UID <= highest {
		t.Errorf("uid %d was given after %d", probe.UID, highest)
	}
	if err := s.Remove("probe_uid", 0, nil); err != nil {
		t.Error(err)
	}
	return got
}
