package install

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"
	"strings"

	"neutron/kernel/fault"
)

// SignatureName is the entry at the root of a package that holds its signature.
const SignatureName = "neutron.sig"

const (
	opSign fault.Op = "install.sign"

	// The entry has one form, byte for byte: this line, the public key in hex, the signature in hex.
	signatureHead = "neutron-signature-1\n"
	signatureSize = len(signatureHead) + 2*ed25519.PublicKeySize + 1 + 2*ed25519.SignatureSize + 1

	// digestHead keeps a signature of ours from meaning anything elsewhere.
	digestHead = "neutron-app-1\n"

	keyType  = "PRIVATE KEY" // PKCS #8 in PEM, as every other tool writes it
	keyBytes = 4 << 10
)

// signature is the content of the entry.
type signature struct {
	key   ed25519.PublicKey
	value []byte
}

func (s signature) bytes() []byte {
	return fmt.Appendf(nil, "%s%x\n%x\n", signatureHead, []byte(s.key), s.value)
}

// parseSignature reads the entry. Every other spelling of the same numbers is refused.
func parseSignature(b []byte) (signature, error) {
	flaw := refuse(SignatureName, "is no signature of the form that this Neutron knows")
	rest, ok := bytes.CutPrefix(b, []byte(signatureHead))
	if !ok || len(b) != signatureSize {
		return signature{}, flaw
	}
	key, errKey := hex.DecodeString(string(rest[:2*ed25519.PublicKeySize]))
	value, errValue := hex.DecodeString(string(rest[2*ed25519.PublicKeySize+1 : len(rest)-1]))
	s := signature{key, value}
	if errKey != nil || errValue != nil || !bytes.Equal(s.bytes(), b) {
		return signature{}, flaw
	}
	return s, nil
}

// digest is what a signature signs: each file but the signature itself, in the
// order of their names, by content, size and name. How they are packed is not part
// of it. No name holds a line break, so no two packages give the same text.
func (p *Package) digest() []byte {
	h := sha256.New()
	_, _ = io.WriteString(h, digestHead)
	for _, name := range p.Names() {
		if f := p.files[name]; name != SignatureName {
			_, _ = fmt.Fprintf(h, "%x %d %s\n", f.sum, f.size, name)
		}
	}
	return append([]byte(digestHead), h.Sum(nil)...)
}

// readSignature verifies the entry and takes it out of what is served. A package
// whose signature does not verify is broken, not unsigned.
func (p *Package) readSignature() error {
	f, ok := p.files[SignatureName]
	if !ok {
		return nil
	}
	if f.size != int64(signatureSize) {
		return refuse(SignatureName, "is %d bytes; a signature has %d", f.size, signatureSize)
	}
	b, err := p.Read(SignatureName)
	if err != nil {
		return err
	}
	s, err := parseSignature(b)
	if err != nil {
		return err
	}
	if !ed25519.Verify(s.key, p.digest(), s.value) {
		return refuse(SignatureName, "does not agree with the files: they were changed after they were signed")
	}
	p.Signer = hex.EncodeToString(s.key)
	delete(p.files, SignatureName)
	return nil
}

// Sign writes the package src again, signed with key. An earlier signature is
// replaced. The same files and key give the same bytes, however src was packed.
func Sign(src io.ReaderAt, size int64, key ed25519.PrivateKey, w io.Writer) error {
	p, err := Decode(src, size)
	if err != nil {
		return err
	}
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok || len(key) != ed25519.PrivateKeySize {
		return fault.New(opSign, fault.InvalidRequest, "", "This is no Ed25519 key.")
	}
	sig := signature{public, ed25519.Sign(key, p.digest())}
	p.files[SignatureName] = file{}
	b, err := archive(p.Names(), func(name string) ([]byte, error) {
		if name == SignatureName {
			return sig.bytes(), nil
		}
		return p.Read(name)
	})
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return fault.Wrap(opSign, fault.StoreReadOnly, "", err)
}

// NewKey makes a signing key: the file that holds it, and its public key in hex.
func NewKey() (file []byte, public string, err error) {
	pub, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, "", fault.Wrap(opSign, fault.Internal, "", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, "", fault.Wrap(opSign, fault.Internal, "", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: keyType, Bytes: der}), hex.EncodeToString(pub), nil
}

// ReadKey reads the file of a signing key: one PEM block, PKCS #8, Ed25519. INVALID_REQUEST for anything else.
func ReadKey(file []byte) (ed25519.PrivateKey, error) {
	no := fault.New(opSign, fault.InvalidRequest, "", "This file holds no Ed25519 key; neutron app keygen makes one.")
	if len(file) > keyBytes {
		return nil, no
	}
	block, rest := pem.Decode(file)
	if block == nil || block.Type != keyType || strings.TrimSpace(string(rest)) != "" {
		return nil, no
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, no
	}
	key, ok := any.(ed25519.PrivateKey)
	if !ok {
		return nil, no
	}
	return key, nil
}
