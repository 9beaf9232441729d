package store_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"neutron/kernel/store"
)

// childVariable makes the test binary run as a child with one job: "write DIR
// FIRST" or "open DIR".
const childVariable = "NEUTRON_STORE_CHILD"

func child(job string) int {
	f := strings.Fields(job)
	s, err := store.Open(f[1], store.Options{})
	if err != nil {
		return report(err)
	}
	if f[0] == "write" {
		first, _ := strconv.Atoi(f[2])
		return report(writeForever(s, first))
	}
	if f[0] == "fill" {
		return report(fill(s))
	}
	return report(s.Close())
}

// writeForever says on standard output before and after each commit which one it is.
func writeForever(s *store.Store, first int) error {
	for n := first; ; n++ {
		fmt.Printf("begin %d\n", n)
		err := s.Update(func(tx *store.Tx) error {
			hash, err := tx.PutBytes(content(n))
			if err != nil {
				return err
			}
			b := tx.Bucket(store.Docs)
			if err := b.Put(rowKey(n), []byte(hash)); err != nil {
				return err
			}
			if old := b.Get(rowKey(n - 20)); old != nil {
				if err := tx.UnrefBlob(string(old)); err != nil {
					return err
				}
				if err := b.Delete(rowKey(n - 20)); err != nil {
					return err
				}
			}
			return store.PutReceipt(tx, "child", strconv.Itoa(n), "write", nil, []byte(hash))
		})
		if err != nil {
			return err
		}
		fmt.Printf("done %d\n", n)
	}
}

func rowKey(n int) []byte { return fmt.Appendf(nil, "%08d", n) }

func content(n int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d,", n), 3000) }

// TestKilledInsideWrites kills a writing process at random moments and checks,
// each time, that what it acknowledged to this process is there and the store sound.
// NEUTRON_TEST_KILLS sets how often.
func TestKilledInsideWrites(t *testing.T) {
	kills := killsByDefault
	if v, err := strconv.Atoi(os.Getenv("NEUTRON_TEST_KILLS")); err == nil {
		kills = v
	}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	dir := private(t)
	next, inside, applied := 1, 0, 0
	write := 2 * time.Millisecond // what one commit takes, learnt on the way
	for range kills {
		begun, done, took := runAndKill(t, dir, next, 1+random.IntN(8), random, write)
		write = (7*write + took) / 8
		s := open(t, dir)
		last := lastRow(t, s)
		if last < done || last > begun {
			t.Fatalf("seed %d: acknowledged %d, begun %d, but the store ends at %d", seed, done, begun, last)
		}
		if begun > done {
			inside++
			if last == begun {
				applied++
			}
		}
		verify(t, s, last)
		sound(t, s.Check())
		if t.Failed() {
			t.Fatalf("seed %d, after the kill at %d", seed, last)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		next = last + 1
	}
	t.Logf("%d kills: %d between writes, %d inside an open write (%d not applied, %d applied but not acknowledged); %d writes in all",
		kills, kills-inside, inside, inside-applied, applied, next-1)
	if inside*10 < kills*3 {
		t.Errorf("only %d of %d kills fell inside an open write", inside, kills)
	}
}

// runAndKill lets a child write, and kills it a random part of a write after the given begin.
func runAndKill(t *testing.T, dir string, first, begins int, random *rand.Rand, write time.Duration) (begun, done int, took time.Duration) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=write %s %d", childVariable, dir, first))
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	begun, done = first-1, first-1
	began := time.Now()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		verb, number, _ := strings.Cut(lines.Text(), " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("the child said %q", lines.Text())
		}
		switch verb {
		case "begin":
			begun, began = n, time.Now()
			if begins--; begins == 0 {
				delay := time.Duration(random.Int64N(int64(write) * 5 / 4))
				time.AfterFunc(delay, func() { _ = c.Process.Kill() })
			}
		case "done":
			done, took = n, time.Since(began)
		}
	}
	_ = c.Wait() // it was killed
	if begins > 0 {
		t.Fatalf("the child ended by itself: %s", stderr.String())
	}
	if took == 0 {
		took = write
	}
	return begun, done, took
}

func lastRow(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	view(t, s, func(tx *store.Tx) {
		for k := range tx.Bucket(store.Docs).Down(nil) {
			n, _ = strconv.Atoi(string(k))
			return
		}
	})
	return n
}

// verify checks that the store holds exactly what the writes up to last make.
func verify(t *testing.T, s *store.Store, last int) {
	t.Helper()
	view(t, s, func(tx *store.Tx) {
		rows := 0
		for k, v := range tx.Bucket(store.Docs).All() {
			n, _ := strconv.Atoi(string(k))
			sum := sha256.Sum256(content(n))
			if string(v) != hex.EncodeToString(sum[:]) || n <= last-20 {
				t.Errorf("row %d is wrong", n)
			}
			rows++
		}
		if rows != min(last, 20) {
			t.Errorf("%d rows after write %d", rows, last)
		}
		for n := 1; n <= last; n++ {
			if _, replay, err := store.Receipt(tx, "child", strconv.Itoa(n), "write", nil); !replay || err != nil {
				t.Errorf("the receipt of write %d is missing: %v", n, err)
			}
		}
	})
	if files := blobFiles(t, s.Dir()); len(files) != min(last, 20) {
		t.Errorf("%d blob files after write %d", len(files), last)
	}
}
