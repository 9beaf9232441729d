package kernel

import (
	"crypto/rand"
	_ "embed"
	"math/big"
	"strings"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

//go:embed words.txt
var wordList string

// words are short, concrete and calm: an owner recognises two of them at a glance.
var words = strings.Fields(wordList)

const markKey = "mark"

// newMark draws two different words and the seed of a picture.
func newMark() *linkv1.OwnerMark {
	pick := func() string {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(words))))
		if err != nil {
			panic(err) // rand.Reader does not fail
		}
		return words[n.Int64()]
	}
	a, b := pick(), pick()
	for b == a {
		b = pick()
	}
	seed := make([]byte, 16)
	rand.Read(seed) // never fails
	return &linkv1.OwnerMark{Words: a + " " + b, Seed: seed}
}

// ownerMark is the owner's trust mark: made once, on the first start of a data
// directory, and the same ever after. A sheet without it was not drawn by Neutron.
func ownerMark(s *store.Store) (*linkv1.OwnerMark, error) {
	const op = "kernel.mark"
	mark := new(linkv1.OwnerMark)
	var found bool
	err := s.View(func(tx *store.Tx) error {
		b := tx.Bucket(store.Owner).Get([]byte(markKey))
		found = b != nil
		return proto.Unmarshal(b, mark)
	})
	if err != nil {
		return nil, fault.Wrap(op, fault.StoreDamaged, markKey, err)
	}
	if found {
		return mark, nil
	}
	mark = newMark()
	b, err := proto.Marshal(mark)
	if err != nil {
		return nil, fault.Wrap(op, fault.Internal, markKey, err)
	}
	return mark, s.Update(func(tx *store.Tx) error { return tx.Bucket(store.Owner).Put([]byte(markKey), b) })
}
