package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// The commands that open a store when no kernel runs.
var opening = [][]string{{"app", "list"}, {"serve"}, {"app", "install", "FILE", "--yes"}, {"app", "remove", "my_notes", "--yes"}, {"audit"}}

// filled makes a data directory with one app.
func filled(t *testing.T, file string) string {
	t.Helper()
	data := dataDir(t)
	neutron(t, data, "", "app", "install", file, "--yes").want(t, 0)
	return data
}

// refused runs every opening command and wants the same exit code, one sentence
// that names the directory, and the store's files as they were.
func refused(t *testing.T, data, file string, exit int, code string, command func(args ...string) *exec.Cmd) {
	t.Helper()
	before := stored(t, data)
	for _, args := range opening {
		line := strings.Split(strings.ReplaceAll(strings.Join(args, "\n"), "FILE", file), "\n")
		r := finish(t, command(line...), data, "").want(t, exit, code, data)
		if strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("%v prints more than one sentence: %q %q", args, r.out, r.err)
		}
		if after := stored(t, data); after != before {
			t.Errorf("%v changed files\nbefore\n%s\nafter\n%s", args, before, after)
		}
	}
}

// stored is the part of a data directory that holds the owner's data.
func stored(t *testing.T, data string) (all string) {
	t.Helper()
	for line := range strings.Lines(tree(t, data)) {
		if !strings.Contains(line, "/logs/") && !strings.Contains(line, "/neutron.lock ") {
			all += line
		}
	}
	return all
}

func plainly(args ...string) *exec.Cmd { return exec.Command(binary, args...) }

// patch changes bytes of the database file.
func patch(t *testing.T, data string, change func([]byte) []byte) {
	t.Helper()
	path := filepath.Join(data, "neutron.db")
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(b), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestANewerStore(t *testing.T) {
	file := packed(t)
	data := filled(t, file)
	patch(t, data, func(b []byte) []byte {
		version := regexp.MustCompile(`(?s)schema\x00\x00\x00.`)
		if !version.Match(b) {
			t.Fatal("the version is not where it was")
		}
		return version.ReplaceAllLiteral(b, []byte("schema\x00\x00\x00\x63"))
	})
	refused(t, data, file, 13, "STORE_NEWER", plainly)
	neutron(t, data, "", "doctor").want(t, 6, "newer Neutron")
}

func TestADamagedStore(t *testing.T) {
	file := packed(t)
	for name, change := range map[string]func([]byte) []byte{
		"cut":       func(b []byte) []byte { return b[:len(b)/3] },
		"text":      func([]byte) []byte { return []byte("this is no database") },
		"overwrite": func(b []byte) []byte { copy(b[8192:], bytes.Repeat([]byte{0xa5}, 12000)); return b },
	} {
		t.Run(name, func(t *testing.T) {
			data := filled(t, file)
			patch(t, data, change)
			refused(t, data, file, 14, "STORE_DAMAGED", plainly)
			neutron(t, data, "", "doctor").want(t, 6, "damaged")
		})
	}
}

func TestALockedStore(t *testing.T) {
	file := packed(t)
	data := filled(t, file)
	f, err := os.Open(data) // as a program that opened the store and serves no control socket
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	refused(t, data, file, 12, "STORE_LOCKED", plainly)
	neutron(t, data, "", "doctor").want(t, 6, "Another Neutron")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	neutron(t, data, "", "app", "list").want(t, 0, "my_notes")
}

// TestAReadOnlyDirectory runs as another account when this one may write
// everywhere. The positive control is the same account on a directory of its own.
func TestAReadOnlyDirectory(t *testing.T) {
	file := packed(t)
	data := filled(t, file)
	as := plainly
	if os.Getuid() == 0 {
		const nobody = 65534
		as = func(args ...string) *exec.Cmd {
			c := plainly(args...)
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			return c
		}
		for _, root := range []string{data, filepath.Dir(file)} {
			enterable(t, filepath.Dir(root))
			err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
				return errors.Join(err, os.Chown(path, nobody, nobody))
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	finish(t, as("app", "list"), data, "").want(t, 0, "my_notes")
	if err := os.Chmod(data, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(data, 0o700) })
	refused(t, data, file, 11, "STORE_READ_ONLY", as)
	finish(t, as("doctor"), data, "").want(t, 6, "cannot be written")
	finish(t, as("app", "list"), filepath.Join(data, "below", "it"), "").want(t, 11, "STORE_READ_ONLY")
}

// enterable lets every account pass through a directory of the test's and those above it.
func enterable(t *testing.T, dir string) {
	t.Helper()
	for ; len(dir) > 1; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil && info.Mode().Perm()&0o011 != 0o011 {
			err = os.Chmod(dir, info.Mode()|0o011)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestAFullDisk limits the size of files, which every account may do, and where a
// file system can be mounted uses a small one.
func TestAFullDisk(t *testing.T) {
	file := packed(t)
	limited := func(args ...string) *exec.Cmd {
		return exec.Command("sh", append([]string{"-c", `ulimit -f 8; exec "$0" "$@"`, binary}, args...)...) // 8 blocks: 4 KiB
	}
	t.Run("a new store", func(t *testing.T) {
		data := dataDir(t)
		finish(t, limited("app", "list"), data, "").want(t, 10, "STORE_FULL", data)
		if left := stored(t, data); left != "" {
			t.Errorf("left behind:\n%s", left)
		}
		neutron(t, data, "", "app", "list").want(t, 0)
	})
	t.Run("an install", func(t *testing.T) {
		data := dataDir(t)
		neutron(t, data, "", "app", "list").want(t, 0)
		finish(t, limited("app", "install", file, "--yes"), data, "").want(t, 10, "STORE_FULL", data)
		neutron(t, data, "", "app", "list").want(t, 0, "No app is installed.")
		neutron(t, data, "", "doctor").want(t, 0)
		neutron(t, data, "", "app", "install", file, "--yes").want(t, 0)
	})
	for _, served := range []bool{false, true} {
		t.Run(fmt.Sprintf("a small file system, served %v", served), func(t *testing.T) { smallDisk(t, file, served) })
	}
}

// smallDisk installs on a file system that is full, by itself or over a running kernel.
func smallDisk(t *testing.T, file string, served bool) {
	data := dataDir(t)
	if err := syscall.Mount("neutron-test", data, "tmpfs", 0, "size=256k,mode=0700"); err != nil {
		t.Logf("no file system can be mounted here (%v): the limits above stand for it", err)
		return
	}
	t.Cleanup(func() { _ = syscall.Unmount(data, syscall.MNT_DETACH) })
	neutron(t, data, "", "app", "list").want(t, 0)
	if served {
		running(t, data)
	}
	ballast := filepath.Join(data, "ballast")
	for n := 200; n > 0; n-- { // all but a page or two
		f, err := os.OpenFile(ballast, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(make([]byte, 4096))
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
	}
	before := stored(t, data)
	neutron(t, data, "", "app", "install", file, "--yes").want(t, 10, "STORE_FULL", data)
	if after := stored(t, data); after != before {
		t.Errorf("files changed\nbefore\n%s\nafter\n%s", before, after)
	}
	neutron(t, data, "", "app", "list").want(t, 0, "No app is installed.")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	neutron(t, data, "", "app", "install", file, "--yes").want(t, 0)
	neutron(t, data, "", "doctor").want(t, 0, fmt.Sprintf("%d are there", 1))
}
