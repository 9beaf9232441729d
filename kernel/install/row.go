package install

import (
	"encoding/binary"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// Installed is one installed app. An endpoint's identity is made of its ID, UID,
// Version, Hash and Generation: a change of any of them ends the endpoint.
type Installed struct {
	ID          string
	UID         uint64 // never reused: remove and reinstall inherits nothing
	Version     string
	Hash        string // SHA-256 of the package, hex
	Generation  uint64 // +1 whenever the row changes
	InstalledAt time.Time
	Size        int64 // bytes of the package
	Files       int
	Manifest    Manifest
	Icon        []byte // SVG, only ever shown as an image
	Bundled     bool   // the bytes came with the binary
	Signer      string // Ed25519 public key that signed the package, hex; empty: unsigned
}

// App is the row as it crosses a process.
func (i Installed) App() *linkv1.App {
	a := wireApp(&i.Manifest, i.Hash, i.Icon, i.Signer)
	a.Uid, a.Generation, a.InstalledAtMs = i.UID, i.Generation, i.InstalledAt.UnixMilli()
	return a
}

func wireApp(m *Manifest, hash string, icon []byte, signer string) *linkv1.App {
	a := &linkv1.App{Id: m.ID, Version: m.Version, Hash: hash, Name: m.Name, Description: m.Description,
		Background: m.Background != nil, Tray: m.Tray != nil, IconSvg: icon, Connect: m.Connect, Signer: signer}
	for _, t := range m.Tiles {
		a.Tiles = append(a.Tiles, &linkv1.Tile{Id: t.ID, Title: t.Title, Description: t.Description})
	}
	return a
}

// row is Installed as it lies in the store, under the app's id. The manifest is
// kept as the package has it, so that reading a row judges it again.
type row struct {
	UID         uint64         `json:"uid"`
	Hash        string         `json:"hash"`
	Generation  uint64         `json:"generation"`
	InstalledMS int64          `json:"installedMs"`
	Size        int64          `json:"size"`
	Files       int            `json:"files"`
	Bundled     bool           `json:"bundled"`
	Signer      string         `json:"signer,omitzero"`
	Manifest    jsontext.Value `json:"manifest"`
	Icon        []byte         `json:"icon,omitzero"`
}

func encodeRow(i Installed, raw []byte) ([]byte, error) {
	b, err := json.Marshal(row{UID: i.UID, Hash: i.Hash, Generation: i.Generation, InstalledMS: i.InstalledAt.UnixMilli(),
		Size: i.Size, Files: i.Files, Bundled: i.Bundled, Signer: i.Signer, Manifest: raw, Icon: i.Icon})
	return b, fault.Wrap(opApprove, fault.Internal, i.ID, err)
}

func decodeRow(id string, b []byte) (Installed, error) {
	var r row
	if err := json.Unmarshal(b, &r, json.RejectUnknownMembers(true)); err != nil {
		return Installed{}, damaged(id, err)
	}
	m, err := DecodeManifest(r.Manifest)
	if err != nil {
		return Installed{}, damaged(id, err)
	}
	if m.ID != id || r.UID == 0 || r.Generation == 0 || len(r.Hash) != 64 {
		return Installed{}, damaged(id, nil)
	}
	return Installed{ID: id, UID: r.UID, Version: m.Version, Hash: r.Hash, Generation: r.Generation, InstalledAt: time.UnixMilli(r.InstalledMS),
		Size: r.Size, Files: r.Files, Bundled: r.Bundled, Signer: r.Signer, Manifest: *m, Icon: r.Icon}, nil
}

func damaged(id string, err error) error {
	f := fault.Newf(opOpen, fault.StoreDamaged, id, "The row of the installed app %s is damaged. Nothing was changed.", quote(id))
	f.Err = err
	return f
}

// nextUID takes the next number of a counter that only ever grows.
func nextUID(tx *store.Tx) (uint64, error) {
	counters, key := tx.Bucket(store.Counters), []byte("install.uid")
	var last uint64
	if b := counters.Get(key); len(b) == 8 {
		last = binary.BigEndian.Uint64(b)
	} else if b != nil {
		return 0, damaged("install.uid", nil)
	}
	return last + 1, counters.Put(key, binary.BigEndian.AppendUint64(nil, last+1))
}
