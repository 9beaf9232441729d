package install

import (
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// pinKey is where the key of an app's signer lies. It belongs to the owner, not to
// an installation: a removal leaves it, so that nobody else can come in its place.
func pinKey(id string) []byte { return []byte("signer/" + id) }

// pin is the first key that was seen for an app, or the one that the owner took instead.
type pin struct {
	Key     string `json:"key"` // Ed25519 public key, hex
	SinceMS int64  `json:"sinceMs"`
}

// pinned gives the key of an app's signer; empty: none was ever seen.
func pinned(tx *store.Tx, id string) (string, error) {
	b := tx.Bucket(store.Owner).Get(pinKey(id))
	if b == nil {
		return "", nil
	}
	var p pin
	if err := json.Unmarshal(b, &p, json.RejectUnknownMembers(true)); err != nil {
		return "", damaged(id, err)
	}
	if k, err := hex.DecodeString(p.Key); err != nil || len(k) != 32 {
		return "", damaged(id, err)
	}
	return p.Key, nil
}

// setPin remembers a key; an empty one forgets it.
func setPin(tx *store.Tx, id, key string) error {
	if key == "" {
		return tx.Bucket(store.Owner).Delete(pinKey(id))
	}
	b, err := json.Marshal(pin{key, time.Now().UnixMilli()})
	if err != nil {
		return fault.Wrap(opApprove, fault.Internal, id, err)
	}
	return tx.Bucket(store.Owner).Put(pinKey(id), b)
}

// signerOf says how a package's signer stands to the pinned key.
func signerOf(key, pinned string) *linkv1.Signer {
	s := &linkv1.Signer{Key: key, Pinned: pinned}
	switch {
	case key == "" && pinned == "":
		s.State = linkv1.SignerState_SIGNER_STATE_UNSIGNED
	case key == "":
		s.State = linkv1.SignerState_SIGNER_STATE_MISSING
	case pinned == "":
		s.State = linkv1.SignerState_SIGNER_STATE_NEW
	case key == pinned:
		s.State = linkv1.SignerState_SIGNER_STATE_SAME
	default:
		s.State = linkv1.SignerState_SIGNER_STATE_CHANGED
	}
	return s
}

// Replaces reports whether installing needs the owner's word for another signer, or for none.
func Replaces(s *linkv1.Signer) bool {
	return s.GetState() == linkv1.SignerState_SIGNER_STATE_CHANGED || s.GetState() == linkv1.SignerState_SIGNER_STATE_MISSING
}

// admitSigner holds a package against the pinned key and pins what follows from
// it. SIGNER_CHANGED unless the key is the same, the first, or replace is set.
func admitSigner(tx *store.Tx, p *Package, replace bool) error {
	id := p.Manifest.ID
	before, err := pinned(tx, id)
	if err != nil {
		return err
	}
	s := signerOf(p.Signer, before)
	switch {
	case s.State == linkv1.SignerState_SIGNER_STATE_NEW:
		return setPin(tx, id, p.Signer)
	case !Replaces(s):
		return nil
	case replace:
		return setPin(tx, id, p.Signer)
	case s.State == linkv1.SignerState_SIGNER_STATE_MISSING:
		return fault.Newf(opApprove, fault.SignerChanged, id,
			"%s was signed by the key %s before, and this package is not signed. It may come from somebody else. Nothing was changed.", id, shortKey(before))
	}
	return fault.Newf(opApprove, fault.SignerChanged, id,
		"%s was signed by the key %s before, and this package is signed by %s. It may come from somebody else. Nothing was changed.", id, shortKey(before), shortKey(p.Signer))
}

// shortKey is enough of a key to tell two apart by eye; screens show the whole one.
func shortKey(key string) string { return key[:8] + "…" + key[len(key)-8:] }
