//go:build desktop && linux

package window

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// How long the end of the web view's processes may take, and how often to look.
const (
	endWait = 5 * time.Second
	endLook = 2 * time.Millisecond
)

// adoptOrphans makes this process the parent of what its children leave behind. The sandbox helpers
// around a page may end before the page; it would then be nobody's child here, and endPages would
// not find it.
func adoptOrphans() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// endPages kills what is left of the web view and waits until it is gone. The network process would
// stay until this process ends, and a looping page for seconds after that.
func endPages(log *slog.Logger) {
	deadline := time.Now().Add(endWait)
	tick := time.NewTicker(endLook)
	defer tick.Stop()
	for left := pageProcesses(os.Getpid()); len(left) > 0; left = pageProcesses(os.Getpid()) {
		if time.Now().After(deadline) {
			log.Error("window.left", "pids", left)
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have left meanwhile
		}
		<-tick.C
	}
}

// pageProcesses lists the web view's processes below a process: those named for it, and the sandbox
// helpers around them. Other children, of the kernel, are not its business.
func pageProcesses(root int) []int {
	type process struct {
		parent int
		name   string
	}
	all := map[int]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // it left
		}
		// pid (name) state ppid …; the name may hold spaces and brackets
		open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
		rest := bytes.Fields(raw[end+1:])
		if open < 0 || end < open || len(rest) < 2 || rest[0][0] == 'Z' {
			continue
		}
		pid, _ := strconv.Atoi(string(bytes.TrimSpace(raw[:open])))
		parent, _ := strconv.Atoi(string(rest[1]))
		all[pid] = process{parent, string(raw[open+1 : end])}
	}
	found := map[int]bool{}
	for pid, p := range all {
		if !pageName(p.name) {
			continue
		}
		chain := []int{pid}
		up := p.parent
		for up != root && up > 1 {
			if q, ok := all[up]; ok && q.name == "bwrap" {
				chain = append(chain, up)
				up = q.parent
				continue
			}
			break
		}
		if up == root {
			for _, c := range chain {
				found[c] = true
			}
		}
	}
	pids := make([]int, 0, len(found))
	for pid := range found {
		pids = append(pids, pid)
	}
	return pids
}

// pageName knows the web view's processes by the 15 characters that the system keeps of a name.
func pageName(name string) bool {
	switch name {
	case "WebKitWebProces", "WebKitNetworkPr", "WebKitGPUProces", "xdg-dbus-proxy":
		return true
	}
	return false
}
