package link

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

type digest = [sha256.Size]byte

// secrets knows every live secret, by hash only. What was handed out cannot be read back.
type secrets struct {
	mu      sync.Mutex // guards all below; nothing is called under it
	boots   []boot     // oldest first
	clients []*client  // longest unused first
}

type boot struct {
	hash    digest
	expires time.Time
	window  bool
}

// client is one shell over its reloads. Of its two secrets, next was handed out
// last and used is the one it came with; both open the door until next is proven
// to have arrived.
type client struct {
	id         string
	window     bool
	used, next digest
}

// admission is what a good secret gives.
type admission struct {
	client string
	window bool
	fresh  bool
	resume string
}

func mint() (string, digest) {
	var b [32]byte
	rand.Read(b[:]) // never fails; the runtime aborts first
	s := hex.EncodeToString(b[:])
	return s, sha256.Sum256([]byte(s))
}

// boot makes a one-time secret, 64 hex digits, good for limit.BootSecret.
func (s *secrets) boot(window bool) string {
	secret, hash := mint()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	if len(s.boots) >= limit.BootsWaiting {
		s.boots = slices.Delete(s.boots, 0, 1)
	}
	s.boots = append(s.boots, boot{hash, time.Now().Add(limit.BootSecret), window})
	return secret
}

func (s *secrets) expire() {
	now := time.Now()
	s.boots = slices.DeleteFunc(s.boots, func(b boot) bool { return !now.Before(b.expires) })
}

// owner finds which client a resume secret belongs to without spending it; "" if none.
func (s *secrets) owner(secret string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, c := s.find(sha256.Sum256([]byte(secret))); c != nil {
		return c.id
	}
	return ""
}

// find compares with every live secret, in constant time and to the end, so that
// the time taken says nothing about which one came close.
func (s *secrets) find(h digest) (bootAt int, owner *client) {
	bootAt = -1
	for i := range s.boots {
		if subtle.ConstantTimeCompare(s.boots[i].hash[:], h[:]) == 1 {
			bootAt = i
		}
	}
	for _, c := range s.clients {
		if subtle.ConstantTimeCompare(c.used[:], h[:])|subtle.ConstantTimeCompare(c.next[:], h[:]) == 1 {
			owner = c
		}
	}
	return bootAt, owner
}

// admit spends a secret. A twin is a second tab with a copy of a living shell's
// storage: it becomes a shell of its own, and the living one keeps its secrets.
func (s *secrets) admit(secret string, twin bool) (admission, error) {
	h := sha256.Sum256([]byte(secret))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	at, c := s.find(h)
	if at < 0 && c == nil {
		return admission{}, fault.New("link.admit", fault.SecretRefused, "", "")
	}
	resume, next := mint()
	switch {
	case at >= 0:
		c = &client{id: ulid.Make().String(), window: s.boots[at].window, used: next, next: next}
		s.boots = slices.Delete(s.boots, at, at+1)
		s.add(c)
		return admission{c.id, c.window, true, resume}, nil
	case twin:
		c = &client{id: ulid.Make().String(), used: next, next: next}
		s.add(c)
		return admission{c.id, false, true, resume}, nil
	}
	c.used, c.next = h, next
	s.clients = append(slices.DeleteFunc(s.clients, func(o *client) bool { return o == c }), c)
	return admission{c.id, c.window, false, resume}, nil
}

// newest reports whether no later admission of the same shell took this one's place.
func (s *secrets) newest(g admission) bool {
	h := sha256.Sum256([]byte(g.resume))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.clients {
		if c.id == g.client {
			return subtle.ConstantTimeCompare(c.next[:], h[:]) == 1
		}
	}
	return true // evicted, or locked meanwhile: that is judged elsewhere
}

func (s *secrets) add(c *client) {
	if len(s.clients) >= limit.Clients {
		s.clients = slices.Delete(s.clients, 0, 1)
	}
	s.clients = append(s.clients, c)
}

// acknowledge ends the secret before: the page proved that the new one arrived.
func (s *secrets) acknowledge(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.clients {
		if c.id == id {
			c.used = c.next
		}
	}
}

// revoke ends every secret.
func (s *secrets) revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boots, s.clients = nil, nil
}
