package app

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"neutron/app/window"
	"neutron/kernel/fault"
)

func TestListenIsLoopbackOnly(t *testing.T) {
	for address, good := range map[string]bool{
		"127.0.0.1:0": true,
		"0.0.0.0:0":   false, ":0": false, "[::]:0": false, "[::1]:0": false, "127.0.0.2:0": false, "192.0.2.1:80": false,
		"localhost:0": false, "127.0.0.1": false, "127.0.0.1:99999": false, "[::ffff:127.0.0.1]:0": false, "": false,
	} {
		l, err := listen(address, open)
		if (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
		if err == nil {
			l.Close()
		} else if fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestOverridesAreJudged(t *testing.T) {
	for _, o := range []Options{
		{ShellURL: "127.0.0.1:1"}, {ShellURL: "http://127.0.0.1:1/"}, {ShellURL: "http://127.0.0.1:1/x"},
		{SandboxURL: "http://localhost:1"}, {SandboxURL: "ftp://*.localhost:1"}, {SandboxURL: "http://*.localhost:1/x"},
	} {
		o.Data = t.TempDir()
		if i, err := Start(o); err == nil {
			t.Errorf("%+v started", o)
			i.Close()
		}
		// What failed to start holds nothing: the same directory can be used.
		i, err := Start(Options{Data: o.Data})
		if err != nil {
			t.Fatalf("after %+v: %v", o, err)
		}
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSecondInstanceIsRefused(t *testing.T) {
	data := t.TempDir()
	i, err := Start(Options{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(Options{Data: data}); fault.CodeOf(err) != fault.StoreLocked {
		t.Errorf("a second instance: %v", err)
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	if err := i.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// Without a display, or a window in the build, the same workspace is served and its
// address printed; a second start beside it prints a fresh one and ends.
func TestNoDisplay(t *testing.T) {
	if window.Available {
		t.Setenv("DISPLAY", "")
		t.Setenv("WAYLAND_DISPLAY", "")
	}
	data := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Window(ctx, Options{Data: data}, in) }()
	lines := bufio.NewScanner(out)
	said, address := "", ""
	for address == "" && lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); strings.HasPrefix(line, "http://127.0.0.1:") {
			address = line
		} else {
			said += line
		}
	}
	go io.Copy(io.Discard, out)
	if said == "" || !strings.Contains(address, "/#boot=") {
		t.Errorf("it said %q and printed %q", said, address)
	}
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if h := res.Header.Get("Content-Security-Policy"); !strings.Contains(h, "trusted-types") {
		t.Errorf("served with %q", h)
	}

	var second strings.Builder
	if err := Window(ctx, Options{Data: data}, &second); err != nil {
		t.Errorf("beside the first: %v", err)
	}
	if fresh := second.String(); !strings.Contains(fresh, "/#boot=") || strings.Contains(fresh, address) {
		t.Errorf("beside the first it printed %q", fresh)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still listens")
	}
}
