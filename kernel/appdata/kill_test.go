package appdata_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"neutron/kernel/appdata"
	"neutron/kernel/fault"
	"neutron/kernel/store"
)

// childVariable makes the test binary run as a child that writes until it is
// killed: "DIR FIRST".
const childVariable = "NEUTRON_APPDATA_CHILD"

const childWriters = 4

// child writes with several writers. Each says on standard output before and
// after each of its changes which one it is.
func child(job string) int {
	dir, text, _ := strings.Cut(job, " ")
	first, _ := strconv.Atoi(text)
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	d, err := appdata.Open(s)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	failed := make(chan error)
	for w := range childWriters {
		go func() {
			for n := first; ; n++ {
				fmt.Printf("begin %d %d\n", w, n)
				// The pair and the counter are one batch: both or neither.
				_, err := do(d, 1, "store.batch", fmt.Sprintf(`{"changes":[{"key":"w%d","value":%d},{"key":"w%d/copy","value":%d}]}`, w, n, w, n))
				if err != nil {
					failed <- err
					return
				}
				fmt.Printf("done %d %d\n", w, n)
			}
		}()
	}
	fmt.Fprintln(os.Stderr, <-failed)
	return 1
}

// TestKilledInsideWrites kills writers at random moments. After each restart
// every change that was acknowledged to this process is there, no batch is half
// there, and nothing is there that was not asked for. NEUTRON_TEST_KILLS sets how often.
func TestKilledInsideWrites(t *testing.T) {
	kills := 12
	if v, err := strconv.Atoi(os.Getenv("NEUTRON_TEST_KILLS")); err == nil {
		kills = v
	}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	dir := private(t)
	first, inside, revision := 1, 0, 0
	for kill := range kills {
		begun, done := runAndKill(t, dir, first, 1+random.IntN(60))
		s := openStore(t, dir)
		d, err := appdata.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		for w := range childWriters {
			got := number(t, d, fmt.Sprintf("w%d", w))
			if twin := number(t, d, fmt.Sprintf("w%d/copy", w)); twin != got {
				t.Fatalf("seed %d, kill %d: half a batch: %d and %d", seed, kill, got, twin)
			}
			if got < done[w] || got > max(begun[w], first-1) {
				t.Fatalf("seed %d, kill %d: writer %d was acknowledged %d and had begun %d, but %d is there", seed, kill, w, done[w], begun[w], got)
			}
			if begun[w] > done[w] {
				inside++
			}
			first = max(first, begun[w]+1)
		}
		u, err := d.Usage(1)
		if err != nil || int(u.Revision) < revision {
			t.Fatalf("seed %d, kill %d: revision %d after %d: %v", seed, kill, u.Revision, revision, err)
		}
		revision = int(u.Revision)
		for _, f := range s.Check() {
			if !f.OK {
				t.Fatalf("seed %d, kill %d: %s: %s", seed, kill, f.Check, f.Detail)
			}
		}
		d.Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d writers were inside a write of %d, %d changes in all", kills, inside, kills*childWriters, revision)
	if inside*10 < kills*childWriters*3 {
		t.Errorf("only %d of %d writers were inside a write", inside, kills*childWriters)
	}
}

// number is the value of a key, 0 for none.
func number(t *testing.T, d *appdata.Data, key string) int {
	t.Helper()
	e, _ := must(t, d, 1, "store.get", fmt.Sprintf(`{"key":%q}`, key))["entry"].(map[string]any)
	if e == nil {
		return 0
	}
	return int(e["value"].(float64))
}

// runAndKill lets a child write and kills it after so many acknowledgements.
func runAndKill(t *testing.T, dir string, first, acknowledged int) (begun, done [childWriters]int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", childVariable, dir, first))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var w, n int
		switch line := lines.Text(); {
		case scan(line, "begin", &w, &n):
			begun[w] = n
		case scan(line, "done", &w, &n):
			done[w] = n
			if acknowledged--; acknowledged == 0 {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		default:
			t.Fatalf("the child said %q", line)
		}
	}
	if err := cmd.Wait(); err == nil || acknowledged > 0 {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return begun, done
}

func scan(line, verb string, w, n *int) bool {
	_, err := fmt.Sscanf(line, verb+" %d %d", w, n)
	return err == nil
}

// TestRemovalIsForGood closes the door to what was on its way, across a restart too.
func TestRemovalIsForGood(t *testing.T) {
	dir := private(t)
	s := openStore(t, dir)
	d, err := appdata.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	must(t, d, 1, "store.put", `{"key":"a","value":1}`)
	if err := s.Update(func(tx *store.Tx) error {
		if err := d.Remove(tx, 1); err != nil {
			return err
		}
		return fault.New("test", fault.Internal, "", "the removal fails")
	}); err == nil {
		t.Fatal("no failure")
	}
	if n := number(t, d, "a"); n != 1 {
		t.Error("a removal that failed took something")
	}
	must(t, d, 1, "store.put", `{"key":"a","value":2}`)
	if err := s.Update(func(tx *store.Tx) error { return d.Remove(tx, 1) }); err != nil {
		t.Fatal(err)
	}
	refused(t, d, fault.Superseded, "store.put", `{"key":"a","value":3}`)
	d.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	defer s.Close() //nolint:errcheck // only read
	if _, err := appdata.Open(s); err != nil {
		t.Fatal(err)
	}
	if err := s.View(func(tx *store.Tx) error {
		for k := range tx.Bucket(store.Data).All() {
			t.Errorf("%q is left", k)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
