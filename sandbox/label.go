package sandbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"time"
)

// tokensLive bounds the entry tokens that wait for their use: far more than
// frames can exist, so that only a fault of the kernel's reaches it.
const tokensLive = 1_024

type tokenHash [sha256.Size]byte

// shelf is what one label serves, and how many answers of it are under way.
type shelf struct {
	site    Site
	serving chan struct{}
}

// token is one permission to load one page of one label into one frame.
type token struct {
	label, page, frame string
	expires            time.Time
}

// Address mints the address of one load: the installation's label, the page and
// a fresh entry token, good once within Options.TokenAge. A frame has at most one
// token; minting the next takes the former back.
func (s *Server) Address(site Site, frame, page string) (string, error) {
	if site.App == "" || site.Hash == "" {
		return "", errors.New("sandbox address: no installation")
	}
	return s.mint(site, frame, page)
}

// ProbeAddress mints the address of the hidden bridge probe, which has a label of its own.
func (s *Server) ProbeAddress(frame string) (string, error) {
	return s.mint(probeSite, frame, probePath)
}

func (s *Server) mint(site Site, frame, page string) (string, error) {
	base := s.base.Load()
	if base == nil {
		return "", errors.New("sandbox address: not listening yet")
	}
	if frame == "" || page == "" {
		return "", errors.New("sandbox address: no frame or page")
	}
	t, now := random128(), time.Now()
	h := tokenHash(sha256.Sum256([]byte(t)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.frames[frame]; ok {
		delete(s.tokens, old)
	}
	if len(s.tokens) >= tokensLive {
		s.sweep(now)
	}
	if len(s.tokens) >= tokensLive {
		return "", errors.New("sandbox address: too many tokens wait")
	}
	label, ok := s.labels[site]
	if !ok {
		label = random128()
		s.labels[site], s.sites[label] = label, &shelf{site, make(chan struct{}, answersPerLabel)}
	}
	s.tokens[h] = token{label: label, page: page, frame: frame, expires: now.Add(s.tokenAge)}
	s.frames[frame] = h
	return base.origin(label) + escapePath(page) + "?" + tokenParam + t, nil
}

// sweep drops tokens that nobody used in time. The caller holds the lock.
func (s *Server) sweep(now time.Time) {
	for h, t := range s.tokens {
		if !now.Before(t.expires) {
			delete(s.tokens, h)
			if s.frames[t.frame] == h {
				delete(s.frames, t.frame)
			}
		}
	}
}

// redeem uses a token up. One that is presented at another label or page stays
// good for its own: whoever guessed wrong must not be able to spoil a load.
func (s *Server) redeem(presented, label, page string) bool {
	// The map is keyed by hash, so that the time of a look-up tells nothing about a live token.
	h := tokenHash(sha256.Sum256([]byte(presented)))
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tokens[h]
	if !ok || t.label != label || t.page != page {
		return false
	}
	delete(s.tokens, h)
	if s.frames[t.frame] == h {
		delete(s.frames, t.frame)
	}
	return time.Now().Before(t.expires)
}

func (s *Server) shelfOf(label string) (*shelf, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.sites[label]
	return f, ok
}

// Revoke takes back the token of a frame that was closed before it loaded.
func (s *Server) Revoke(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.frames[frame]; ok {
		delete(s.tokens, h)
		delete(s.frames, frame)
	}
}

// Retire ends every label of an app except the one of the content hash that is
// installed now: a frame of the old version gets nothing more.
func (s *Server) Retire(app string, uid uint64, hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for site, label := range s.labels {
		if site.App != app || (site.UID == uid && site.Hash == hash) {
			continue
		}
		delete(s.labels, site)
		delete(s.sites, label)
		for h, t := range s.tokens {
			if t.label == label {
				delete(s.tokens, h)
				delete(s.frames, t.frame)
			}
		}
	}
}

// Forget ends every label and token, as a lock does. New addresses get new labels.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sites, s.labels = make(map[string]*shelf), make(map[Site]string)
	s.tokens, s.frames = make(map[tokenHash]token), make(map[string]tokenHash)
}

func random128() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

// escapePath writes a package's file name as the path of an address.
func escapePath(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "/") {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(part))
	}
	return b.String()
}
