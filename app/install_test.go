package app

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/kerneltest"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// sourceDir is a directory that packs as an app with these members of its manifest.
func sourceDir(t *testing.T, id, version string, more map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	m := map[string]any{"format": 1, "id": id, "name": "App", "version": version, "tiles": []any{map[string]any{"id": "main", "title": "Main", "path": "index.html"}}}
	for k, v := range more {
		m[k] = v
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"neutron.json": string(raw), "index.html": "<!doctype html>" + version} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func reviewDir(p *kerneltest.Page, dir string) (*linkv1.Review, error) {
	r, err := p.Request("", func(q *linkv1.Request) {
		q.What = &linkv1.Request_ReviewInstall{ReviewInstall: &linkv1.ReviewInstall{Source: &linkv1.ReviewInstall_Directory{Directory: dir}}}
	})
	return r.GetReview(), err
}

func wayOut(m *controlv1.AttachWindowResponse) bool { return m.GetEgress() != nil }

// The window hears of its way out before it boots, at each change, and that it leads nowhere at last; its proxy never moves.
func TestWindowHearsOfItsWayOut(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.openWindow(n)
		first, _ := n.last(wayOut)
		if len(first.GetEgress().GetOrigins()) != 0 || n.told[0].GetEgress() == nil {
			t.Errorf("a start without apps opens %v", first)
		}
		for i, c := range []struct {
			id, version string
			connect     []string
			want        string
		}{
			{"notes", "1.0.0", []string{"https://b.example.com", "https://a.example.com"}, "https://a.example.com https://b.example.com"},
			{"daybook", "1.0.0", []string{"https://c.example.com", "https://a.example.com"}, "https://a.example.com https://b.example.com https://c.example.com"},
			{"notes", "1.1.0", nil, "https://a.example.com https://c.example.com"},
		} {
			r, err := reviewDir(p, sourceDir(t, c.id, c.version, map[string]any{"connect": append([]string{}, c.connect...)}))
			if err != nil {
				t.Fatal(err)
			}
			if err := approve(p, ulid(i+1), r); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			m, _ := n.last(wayOut)
			if got := strings.Join(m.GetEgress().GetOrigins(), " "); got != c.want {
				t.Errorf("%s %s: %q", c.id, c.version, got)
			}
			if !strings.HasPrefix(m.GetEgress().GetProxy(), "http://window:") || !strings.Contains(m.GetEgress().GetProxy(), "@127.0.0.1:") {
				t.Errorf("the proxy is %q", m.GetEgress().GetProxy())
			}
		}
		if err := b.kernel.Remove("daybook", 0); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if m, _ := n.last(wayOut); m.GetEgress().GetProxy() != first.GetEgress().GetProxy() || len(m.GetEgress().GetOrigins()) != 0 {
			t.Errorf("after the last app that declares anything: %v", m)
		}
	})
}

// An upgrade's review says what it ends.
func TestReviewSaysWhatAnUpdateEnds(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		b.installBoth(p)
		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		call := ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_SESSION); err != nil {
			t.Fatal(err)
		}
		<-call
		ends := func(id string) (tags []string) {
			r, err := reviewDir(p, sourceDir(t, id, "1.1.0", nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.GetChanges() {
				if c.GetKind() == linkv1.ChangeKind_CHANGE_KIND_ENDS {
					tags = append(tags, c.GetTag()+c.GetFact())
				}
			}
			return tags
		}
		for id, want := range map[string][]string{"notes": {"frames1", "grants1"}, "daybook": {"frames1", "grants1"}, "fresh": nil} {
			if got := ends(id); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", id, got, want)
			}
		}
	})
}

// Another signer is refused over the link, and taken when the owner says so.
func TestSignersOverTheLink(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		signed := func(version, seed string) *linkv1.Review {
			var plain, out bytes.Buffer
			if err := install.Pack(sourceDir(t, "notes", version, nil), &plain); err != nil {
				t.Fatal(err)
			}
			key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte(seed), ed25519.SeedSize))
			if err := install.Sign(bytes.NewReader(plain.Bytes()), int64(plain.Len()), key, &out); err != nil {
				t.Fatal(err)
			}
			r, err := p.Upload(ulid(len(version)+int(seed[0])+int(version[2])), out.Bytes(), 1_000)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if err := approve(p, ulid(1), signed("1.0.0", "a")); err != nil {
			t.Fatal(err)
		}
		r := signed("1.1.0", "b")
		if r.GetSigner().GetState() != linkv1.SignerState_SIGNER_STATE_CHANGED || r.GetRisks()[0].GetTag() != "publisher" {
			t.Errorf("%v, first %v", r.GetSigner(), r.GetRisks()[0])
		}
		if err := approve(p, ulid(2), r); fault.CodeOf(err) != fault.SignerChanged {
			t.Errorf("got %v", err)
		}
		// The review is still open: the owner may decide again, with other words.
		_, err := p.Request(ulid(3), func(q *linkv1.Request) {
			q.What = &linkv1.Request_ApproveInstall{ApproveInstall: &linkv1.ApproveInstall{ReviewId: r.GetReviewId(), Digest: r.GetApp().GetHash(), ReplaceSigner: true}}
		})
		if err != nil {
			t.Error(err)
		}
		if apps := b.kernel.Apps(); len(apps) != 1 || apps[0].Version != "1.1.0" || apps[0].Signer != r.GetSigner().GetKey() {
			t.Errorf("%v", apps)
		}
	})
}

// Sources that are refused before a byte is fetched or read.
func TestReviewSourcesAreJudged(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		for address, code := range map[string]fault.Code{
			"http://127.0.0.1:1/a": fault.InvalidRequest, "https://me@example.com/a": fault.InvalidRequest, "file:///etc/passwd": fault.InvalidRequest, "": fault.InvalidRequest,
		} {
			_, err := p.Request("", func(q *linkv1.Request) {
				q.What = &linkv1.Request_ReviewInstall{ReviewInstall: &linkv1.ReviewInstall{Source: &linkv1.ReviewInstall_Url{Url: address}}}
			})
			if fault.CodeOf(err) != code {
				t.Errorf("%q: %v", address, err)
			}
		}
		for dir, code := range map[string]fault.Code{"": fault.InvalidRequest, ".": fault.InvalidRequest, "/nothing/there": fault.PackageInvalid, t.TempDir(): fault.PackageInvalid} {
			if _, err := reviewDir(p, dir); fault.CodeOf(err) != code {
				t.Errorf("%q: %v", dir, err)
			}
		}
	})
}
