package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

const opReceipt fault.Op = "store.receipt"

// In the receipts' bucket a row is "k" client NUL submission: sequence, then
// time, kind, hash and answer; beside it "o" sequence: that key, oldest first.
const (
	rowPrefix   = 'k'
	orderPrefix = 'o'
)

// Receipt looks up what a command was answered before. A command is known by
// (client, submission, kind, SHA-256 of its payload): replay is true when all of
// it was seen, and stored is the answer then. A submission id that was used for
// another kind or payload is INVALID_REQUEST. Receipts live for
// limit.ReceiptAge and at most limit.Receipts of them; a forgotten one reads as new.
func Receipt(tx *Tx, client, submission, kind string, payload []byte) (stored []byte, replay bool, err error) {
	key, err := receiptKey(client, submission)
	if err != nil {
		return nil, false, err
	}
	raw := tx.Bucket(Receipts).Get(key)
	if raw == nil {
		return nil, false, nil
	}
	r, ok := readReceipt(raw)
	if !ok {
		return nil, false, damagedFault(tx.store.dir, damaged("a receipt is not readable"))
	}
	if r.kind != kind || r.hash != sha256.Sum256(payload) {
		return nil, false, fault.New(opReceipt, fault.InvalidRequest, submission, "This submission id was used before for another command.")
	}
	return r.answer, true, nil
}

// PutReceipt keeps a command's answer in the transaction that did the command.
func PutReceipt(tx *Tx, client, submission, kind string, payload, answer []byte) error {
	key, err := receiptKey(client, submission)
	if err != nil {
		return err
	}
	b := tx.Bucket(Receipts)
	if b.Get(key) != nil {
		return fault.New(opReceipt, fault.Internal, submission, "a receipt is written once")
	}
	seq, err := b.Next()
	if err != nil {
		return err
	}
	now := time.Now()
	r := receipt{seq: seq, at: now.UnixMilli(), kind: kind, hash: sha256.Sum256(payload), answer: answer}
	if err := b.Put(key, r.bytes()); err != nil {
		return err
	}
	if err := b.Put(orderKey(seq), key); err != nil {
		return err
	}
	return forget(b, seq, now.Add(-limit.ReceiptAge).UnixMilli())
}

// forget drops receipts beyond the count and the age, oldest first.
func forget(b *Bucket, newest uint64, before int64) error {
	for order, key := range b.Prefix([]byte{orderPrefix}) {
		seq := binary.BigEndian.Uint64(order[1:])
		r, ok := readReceipt(b.Get(key))
		if ok && seq+limit.Receipts > newest && r.at >= before {
			return nil
		}
		order, key = bytes.Clone(order), bytes.Clone(key) // deleting one moves the other
		if err := b.Delete(key); err != nil {
			return err
		}
		if err := b.Delete(order); err != nil {
			return err
		}
	}
	return nil
}

type receipt struct {
	seq    uint64
	at     int64 // Unix milliseconds
	kind   string
	hash   [sha256.Size]byte
	answer []byte
}

func (r receipt) bytes() []byte {
	b := binary.BigEndian.AppendUint64(nil, r.seq)
	b = binary.BigEndian.AppendUint64(b, uint64(r.at))
	b = append(b, r.hash[:]...)
	b = binary.AppendUvarint(b, uint64(len(r.kind)))
	return append(append(b, r.kind...), r.answer...)
}

func readReceipt(b []byte) (r receipt, ok bool) {
	if len(b) < 16+sha256.Size {
		return r, false
	}
	r.seq, r.at = binary.BigEndian.Uint64(b), int64(binary.BigEndian.Uint64(b[8:]))
	b = b[16+copy(r.hash[:], b[16:]):]
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used) {
		return r, false
	}
	b = b[used:]
	r.kind, r.answer = string(b[:n]), b[n:]
	return r, true
}

func receiptKey(client, submission string) ([]byte, error) {
	for _, s := range []string{client, submission} {
		if len(s) == 0 || len(s) > limit.Instance || bytes.IndexByte([]byte(s), 0) >= 0 {
			return nil, fault.New(opReceipt, fault.InvalidRequest, "", "A client and a submission id have 1 to 64 characters.")
		}
	}
	return append(append([]byte{rowPrefix}, client...), append([]byte{0}, submission...)...), nil
}

func orderKey(seq uint64) []byte { return binary.BigEndian.AppendUint64([]byte{orderPrefix}, seq) }
