// Package link serves the shell page and holds the /link WebSocket of every shell.
//
// Guarantees:
//  1. Nobody reaches the kernel but a page of this listener's exact origin that
//     knows a live secret: Host, Origin, upgrade, first frame, protocol hash and
//     secret are judged in this order, and each refusal stands alone.
//  2. A boot secret works once and for 60 s. A resume secret is replaced at each
//     use; the one before stays good until the new one was used or acknowledged,
//     so that a page killed between the two can come back.
//  3. After the welcome, frames reach the shell in the order of Send. State parts
//     may overtake frames, and an older part is never sent after a newer one.
//  4. A shell that cannot keep up is closed (CloseSlow), never waited for.
//  5. Receive, Stalled and Recovered come one at a time, before Detach; Detach
//     comes exactly once, and nothing comes after it.
//
// Duties of the host: Receive must not wait for the shell, and messages given to
// Send and SendState must not be changed afterwards.
package link

import (
	"time"

	"neutron/kernel/proto/linkv1"
)

// Close codes of /link. A page retries after any other than the first three.
const (
	CloseProtocol = 4400 // another protocol hash, or a malformed frame
	CloseSecret   = 4401 // the secret is not good: stop, and forget it
	CloseLocked   = 4403 // the owner locked Neutron
	CloseSlow     = 4408 // the shell fell behind and must attach again
	CloseReplaced = 4409 // the same shell attached again; this page is the dead one
	CloseFull     = 4429 // as many shells as there may be
)

// Hello is what the gate learned about a shell.
type Hello struct {
	Client string // ULID, stable over reloads
	Window bool   // its secret was minted for the native window
	Fresh  bool   // it came with a boot secret, or as a second tab
}

// Host is the kernel's side of every link.
type Host interface {
	// Attach takes a new shell. The welcome's resume and client are filled in by
	// the link. An error of code LOCKED or LIMIT closes it with that meaning.
	Attach(s Sender, h Hello) (Receiver, *linkv1.Welcome, error)
}

// Sender is how the kernel speaks to one shell. All methods return at once and
// may be called from any goroutine, also after the link has closed.
type Sender interface {
	// Send queues a frame that must arrive; if it cannot, the link closes.
	Send(f *linkv1.ToShell)
	// SendState queues a part of the state, in place of a former one of its kind that still waits.
	SendState(s *linkv1.State)
	// Close sends what is queued and then closes with a code of this package.
	Close(code int, reason string)
}

// Receiver is the kernel's view of one shell, made by Attach.
type Receiver interface {
	// Receive takes a frame; hello and pong never come, the link answers them itself.
	Receive(m *linkv1.ToKernel)
	// Stalled says that the shell left a ping unanswered for limit.Stall; since is when
	// that ping went out.
	Stalled(since time.Time)
	// Recovered says that a stalled shell answered again by itself.
	Recovered()
	// Detach says that the link is gone.
	Detach()
}
