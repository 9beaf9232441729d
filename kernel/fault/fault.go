// Package fault holds coded errors: the only path from an error to the wire.
//
// A fault names the operation that failed, its subject, a code from a closed,
// append-only list, and a sentence. It is logged, matched in tests and sent to
// other processes as one value; a stack never crosses a boundary.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"neutron/kernel/proto/linkv1"
)

// Op is the operation that failed, written "package.verb".
type Op string

// Error is a coded failure. The zero RetryAfter means that no time is known.
type Error struct {
	Op         Op
	Subject    string // what it was about: an endpoint, an app, a file's entry
	Code       Code
	RetryAfter time.Duration
	Message    string // one sentence for the reader; empty: the code's own text
	Err        error  // cause, for the log only
}

// New makes a fault without a cause.
func New(op Op, code Code, subject, message string) *Error {
	return &Error{Op: op, Code: code, Subject: subject, Message: message}
}

// Newf makes a fault whose sentence is formatted.
func Newf(op Op, code Code, subject, format string, args ...any) *Error {
	return New(op, code, subject, fmt.Sprintf(format, args...))
}

// Wrap gives a cause a code. A cause that has a code keeps its own; nil stays nil.
func Wrap(op Op, code Code, subject string, err error) error {
	if err == nil {
		return nil
	}
	var f *Error
	if errors.As(err, &f) {
		return err
	}
	return &Error{Op: op, Code: code, Subject: subject, Err: err}
}

// After returns a copy that tells when a retry may succeed.
func (e *Error) After(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// Error is for logs: operation, subject, code, sentence, cause.
func (e *Error) Error() string {
	parts := make([]string, 0, 5)
	for _, s := range []string{string(e.Op), e.Subject, string(e.Code), e.Message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is matches another fault by code, so that errors.Is(err, fault.Denied) works.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && e.Code == c
}

// CodeOf is the code of any error: Internal for one that has none, "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var f *Error
	if errors.As(err, &f) {
		return f.Code
	}
	var c Code
	if errors.As(err, &c) {
		return c
	}
	return Internal
}

// Sentence is what a person or an app may read: never a cause of the kernel's own.
func Sentence(err error) string {
	var f *Error
	if errors.As(err, &f) && f.Message != "" {
		return f.Message
	}
	return CodeOf(err).Text()
}

// ToWire turns any error into what crosses a boundary; nil stays nil.
func ToWire(err error) *linkv1.Fault {
	if err == nil {
		return nil
	}
	w := &linkv1.Fault{Code: string(CodeOf(err)), Message: Sentence(err)}
	var f *Error
	if errors.As(err, &f) && f.RetryAfter > 0 {
		w.RetryAfterMs = uint64(f.RetryAfter.Milliseconds())
	}
	return w
}

// FromWire reads a fault that another process sent. A code outside the list becomes Internal.
func FromWire(op Op, subject string, w *linkv1.Fault) *Error {
	code := Code(w.GetCode())
	if !code.Known() {
		code = Internal
	}
	return &Error{Op: op, Subject: subject, Code: code, Message: w.GetMessage(),
		RetryAfter: time.Duration(min(w.GetRetryAfterMs(), 1<<40)) * time.Millisecond}
}
