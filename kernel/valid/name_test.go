package valid_test

import (
	"strings"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

// table runs a grammar over what it must take and what it must refuse.
func table(t *testing.T, rule func(string) error, good, bad []string) {
	t.Helper()
	for _, s := range good {
		if err := rule(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range bad {
		err := rule(s)
		if fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: got %v, want INVALID_REQUEST", s, err)
			continue
		}
		if msg := fault.Sentence(err); strings.ContainsAny(msg, "\x00\n\u202e\u200b") {
			t.Errorf("%q: the sentence repeats hidden characters: %q", s, msg)
		}
	}
}

func TestAppID(t *testing.T) {
	table(t, valid.AppID,
		[]string{"notes", "day_book", "1234", "a1_b2_c3", strings.Repeat("a", limit.AppID)},
		[]string{"", "abc", strings.Repeat("a", limit.AppID+1), "Notes", "_notes", "notes_", "no__tes", "no-tes", "no.tes", "no tes",
			"kernel", "neutron", "nöte", "note\x00", "note\n", "../etc", "ｎｏｔｅｓ"})
}

func TestToolName(t *testing.T) {
	table(t, valid.ToolName,
		[]string{"a", "notes.search", "A-1_b", strings.Repeat("x", limit.ToolName)},
		[]string{"", strings.Repeat("x", limit.ToolName+1), "a b", "a/b", "a:b", "é", "*", "a\x00"})
}

func TestTileIDAndInstance(t *testing.T) {
	table(t, valid.TileID, []string{"main", "a_1", strings.Repeat("x", limit.TileID)},
		[]string{"", "Main", "a-b", strings.Repeat("x", limit.TileID+1), "a:b"})
	table(t, valid.Instance, []string{"1", "Ab_-9", strings.Repeat("x", limit.Instance)},
		[]string{"", "a:b", "a.b", strings.Repeat("x", limit.Instance+1), "\x00"})
}

func TestEndpointID(t *testing.T) {
	table(t, valid.EndpointID,
		[]string{"kernel", "cli", "app:notes:background", "app:notes:tile:main:instance:1", "app:notes:tray:instance:Z-9",
			"mcp:files", "agent:01J", "remote:laptop"},
		[]string{"", "Kernel", "app", "app:notes", "app:notes:", "app:notes:tile:main", "app:notes:tile:main:instance:", "app:x:background",
			"app:notes:background:1", "app:notes:tile:MAIN:instance:1", "app:notes:tray:main:instance:1", "mcp:", "mcp:a:b", "agent", "other:x",
			"app:notes:tile:main:instance:1:2", "app:kernel:background", "app:notes:background\x00"})
}

func TestVersion(t *testing.T) {
	rule := func(s string) error { _, _, _, err := valid.Version(s); return err }
	table(t, rule, []string{"0.0.0", "1.4.0", "999999.0.10"},
		[]string{"", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.03", "1.2.x", "-1.2.3", "1.2.1000000", "1.2.3 ", "1..3", "v1.2.3", "1.2.3-rc1", "１.2.3"})
	major, minor, patch, _ := valid.Version("10.20.30")
	if major != 10 || minor != 20 || patch != 30 {
		t.Errorf("read %d.%d.%d", major, minor, patch)
	}
	order := []string{"nonsense", "0.0.9", "0.0.10", "0.1.0", "0.9.9", "1.0.0", "10.0.0"}
	for i, a := range order {
		for j, b := range order {
			if got := valid.CompareVersions(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s against %s: %d", a, b, got)
			}
		}
	}
}

func TestSafeText(t *testing.T) {
	rule := func(s string) error { return valid.SafeText(s, 12) }
	table(t, rule,
		[]string{"a", "Tägliches", "日本語", "naïve – ok", strings.Repeat("é", 12), "👍🏽", "שלום"},
		[]string{"", strings.Repeat("é", 13), "a\nb", "a\tb", "a\x00", "a\u202eb", "a\u200bb", "a\u2066b", "\ufeffa", "a\u00adb",
			"e\u0301", "a\u2028b", "a\u0085", "\xff", "a\ufe0f", "\u3164", "\u2800", "a\ue000", "\u115f", "a\U000e0041", "a\ufffe"})
}

// Attack case 47 at this boundary.
func TestDisplayName(t *testing.T) {
	table(t, valid.DisplayName,
		[]string{"Notes", "Day Book", "Kernels of Truth", "Neutrons", "日記", strings.Repeat("a", limit.DisplayName)},
		[]string{"", " Notes", "Notes ", "No  tes", "Neutron", "neutron help", "KERNEL", "The Kernel", "Кernel", "Nеutrоn", "Ｎｅｕｔｒｏｎ",
			"Neutrön", "Neutr0n", "Owner", "ΚernΕl", "a\u00a0b", "a\u3000b", "a\u202eb", strings.Repeat("a", limit.DisplayName+1)})
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"notes", "Day Book", "app:notes:background", "1.2.3", "\u202e", "Кernel"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if valid.AppID(s) == nil && valid.EndpointID("app:"+s+":background") != nil {
			t.Error("an app id that no endpoint can carry")
		}
		if valid.DisplayName(s) == nil && valid.SafeText(s, limit.DisplayName) != nil {
			t.Error("a display name that is no safe text")
		}
		if a, b, c, err := valid.Version(s); err == nil && (a < 0 || b < 0 || c < 0) {
			t.Error("negative version")
		}
	})
}
