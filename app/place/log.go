package place

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/natefinch/lumberjack.v2"
)

// The log is five files of 5 MiB; a field of it is short, since what an app or
// its caller wrote does not belong there.
const (
	logMiB     = 5
	logBackups = 4
	logField   = 256
	crashFiles = 5
)

// Log is an open log. Its Logger may be used until Close.
type Log struct {
	*slog.Logger
	out *lumberjack.Logger
}

// Logger opens the log of this place: JSON lines, rotated. Byte slices appear as
// their length and long texts are cut, so that no payload reaches the disk.
func (p Place) Logger() (*Log, error) {
	if err := os.MkdirAll(p.Logs, 0o700); err != nil {
		return nil, coded(p.Data, err)
	}
	out := &lumberjack.Logger{Filename: filepath.Join(p.Logs, "neutron.log"), MaxSize: logMiB, MaxBackups: logBackups}
	h := slog.NewJSONHandler(out, &slog.HandlerOptions{ReplaceAttr: bounded})
	return &Log{slog.New(h), out}, nil
}

// Close ends the log.
func (l *Log) Close() error { return l.out.Close() }

func bounded(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case []byte:
		a.Value = slog.StringValue(fmt.Sprintf("%d bytes", len(v)))
	case string:
		a.Value = slog.StringValue(cut(v))
	case error:
		a.Value = slog.StringValue(cut(v.Error()))
	}
	return a
}

func cut(s string) string {
	if len(s) <= logField {
		return s
	}
	n := logField
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:n], len(s))
}

// CrashFile makes the runtime write a panic of any goroutine, or its own fatal
// error, to a file of the logs before the process ends. A file that an earlier
// crash left is kept under the time of that crash; the newest five stay. The
// returned function ends it and removes an empty file.
func (p Place) CrashFile() (end func() error, err error) {
	if err := os.MkdirAll(p.Logs, 0o700); err != nil {
		return nil, coded(p.Data, err)
	}
	path := filepath.Join(p.Logs, "crash.txt")
	if err := p.keepCrash(path); err != nil {
		return nil, coded(p.Data, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, coded(p.Data, err)
	}
	err = debug.SetCrashOutput(f, debug.CrashOptions{})
	_ = f.Close() // the runtime has a copy
	if err != nil {
		return nil, coded(p.Data, err)
	}
	return func() error {
		if err := debug.SetCrashOutput(nil, debug.CrashOptions{}); err != nil {
			return err
		}
		return os.Remove(path)
	}, nil
}

func (p Place) keepCrash(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 {
		return nil //nolint:nilerr // there is none
	}
	if err := os.Rename(path, filepath.Join(p.Logs, info.ModTime().UTC().Format("crash-20060102-150405.txt"))); err != nil {
		return err
	}
	old, err := p.Crashes()
	if err != nil {
		return err
	}
	for _, name := range old[:max(0, len(old)-crashFiles)] {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// Crashes lists the crash files that were kept, oldest first.
func (p Place) Crashes() ([]string, error) {
	all, err := filepath.Glob(filepath.Join(escape(p.Logs), "crash-*.txt"))
	slices.Sort(all)
	return all, err
}

// escape keeps a directory's own brackets and stars out of a pattern.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}
