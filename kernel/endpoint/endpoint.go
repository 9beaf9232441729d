// Package endpoint knows who is live: the frames of every attached shell, the
// connections they have had, and the installed generation behind each.
//
// Guarantees:
//
//  1. An identity is derived from the frame the kernel itself minted; nothing a
//     page says changes it.
//  2. A frame has at most one live connection. A new handshake, a reload, a
//     navigation, a closed shell or a changed installation ends the former one,
//     and every OnEnd listener hears of it exactly once.
//  3. Listeners and shells are called in the order of the changes, never under
//     the registry's lock.
//  4. A background runs in the oldest attached shell, and in one shell only.
//
// A Shell must return at once from every method and must not call back into
// the kernel from inside one: it queues what it is told.
package endpoint

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"neutron/kernel/proto/linkv1"
)

// FrameID names one iframe: 32 hex digits, random, never reused.
type FrameID string

// ID names who can call and be called, e.g. app:notes:background.
type ID string

// Kernel is the kernel's own endpoint.
const Kernel ID = "kernel"

// Ref is one life of one frame's private port. Connections count from 1.
type Ref struct {
	Frame FrameID
	Conn  uint64
}

// Role is what kind of page a frame is. The numbers are those of the wire.
type Role uint8

// The roles.
const (
	Tile       Role = 1
	Background Role = 2
	Tray       Role = 3
	Probe      Role = 4
)

var roleText = map[Role]string{Tile: "tile", Background: "background", Tray: "tray", Probe: "probe"}

// String is the role's word in callers that a tool sees.
func (r Role) String() string { return roleText[r] }

// Identity is everything whose change ends an endpoint. It is comparable.
type Identity struct {
	App        string
	UID        uint64
	Version    string
	Hash       string // SHA-256 of the package, hex
	Generation uint64
	Role       Role
	Tile       string // tiles only
	Instance   string // tiles and trays only
	Page       string // path inside the package
}

// ID is the endpoint id of this identity; a probe has none.
func (i Identity) ID() ID {
	switch i.Role {
	case Background:
		return ID("app:" + i.App + ":background")
	case Tile:
		return ID("app:" + i.App + ":tile:" + i.Tile + ":instance:" + i.Instance)
	case Tray:
		return ID("app:" + i.App + ":tray:instance:" + i.Instance)
	}
	return ""
}

// SameInstallation reports whether both belong to one installation of one app.
func (i Identity) SameInstallation(o Identity) bool {
	return i.App != "" && i.App == o.App && i.UID == o.UID
}

// Endpoint is one connected endpoint.
type Endpoint struct {
	ID       ID
	Ref      Ref
	Identity Identity
	Name     string // the app's display name, unverified
	Shell    Shell
}

// Frame is one iframe that a shell must create or has created.
type Frame struct {
	ID       FrameID
	Endpoint ID
	Identity Identity
	URL      string // holds a one-time entry token
	Nonce    string // probes only
}

// Wire is the frame as it crosses /link.
func (f Frame) Wire() *linkv1.Frame {
	return &linkv1.Frame{
		FrameId: string(f.ID), EndpointId: string(f.Endpoint), Role: linkv1.Role(f.Identity.Role),
		AppId: f.Identity.App, TileId: f.Identity.Tile, Instance: f.Identity.Instance,
		Url: f.URL, Generation: f.Identity.Generation,
	}
}

// Shell is what an attached shell offers to the kernel's packages. Every
// method queues and returns; none calls back.
type Shell interface {
	ID() string
	Mount(f Frame)
	Unmount(id FrameID, err error)
	Deliver(ref Ref, call uint64, action string, payload, context []byte)
	CancelDelivery(ref Ref, call uint64)
	Respond(ref Ref, id uint64, ok []byte, err error)
	Progress(ref Ref, id uint64, value []byte)
}

// Addresser mints the address of one load of one page. It must not call back.
type Addresser interface {
	Address(f Frame, page string) (url string, err error)
}

// Stamp is the shell's judgement of what the person did just before an exec.
type Stamp struct {
	Focused   bool
	Activated bool
	Gesture   linkv1.GestureKind
}

// OwnerCaused reports whether a click or a confirming key of the owner in the
// focused frame caused the exec. Typing does not: it must not open a question.
func (s Stamp) OwnerCaused() bool {
	return s.Focused && s.Activated &&
		(s.Gesture == linkv1.GestureKind_GESTURE_KIND_POINTER || s.Gesture == linkv1.GestureKind_GESTURE_KIND_CONFIRM_KEY)
}

// App is what the registry needs of one installed row.
type App struct {
	ID         string
	UID        uint64
	Version    string
	Hash       string
	Generation uint64
	Name       string // written by the app: unverified, like the next
	About      string // the manifest's description
	Tiles      []TilePage
	Background string // path; empty: none
}

// TilePage is one tile that an app declares.
type TilePage struct {
	ID    string
	Title string
	About string
	Path  string
}

func (a App) tile(id string) (TilePage, bool) {
	for _, t := range a.Tiles {
		if t.ID == id {
			return t, true
		}
	}
	return TilePage{}, false
}

// Page is what can be suspected and quarantined: one page of one app. An empty
// tile means the background.
type Page struct {
	App  string
	Tile string
}

func pageOf(i Identity) Page { return Page{App: i.App, Tile: i.Tile} }

// StallReport says what the watchdog made of a stall.
type StallReport struct {
	At          time.Time
	Suspects    []string // app ids; empty when nobody could be named
	Quarantined string   // app id; empty when nobody was
}

func newFrameID() FrameID { return FrameID(randomHex(16)) }

func newInstance() string { return randomHex(6) }

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails: crypto/rand aborts the process instead
	return hex.EncodeToString(b)
}

// AppOf reads the app id out of an endpoint id; "" for any other endpoint.
// It serves routing only: authority comes from the registry's own record.
func AppOf(id ID) string {
	rest, ok := strings.CutPrefix(string(id), "app:")
	if !ok {
		return ""
	}
	app, _, _ := strings.Cut(rest, ":")
	return app
}
