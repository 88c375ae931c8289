package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// measured is a folder with a gazette of the sample, the truth about its first
// words, and a manifest.
func measured(t *testing.T, truth, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	raw, err := os.ReadFile("../../../scripts/sample/gazettes/jo-2025-05.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"jo.pdf": string(raw), "jo" + truthSuffix: truth, "manifest.csv": manifest} {
		if content == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	dir := measured(t, "République JOURNAL xyzzy OFFICIEL", "file,pages,text_pages,has_text_layer\njo.pdf,99,99,yes\n")
	got, err := evaluate(t.Context(), reader(t, ""), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Texts) != 1 || got.Texts[0].File != "jo.pdf" || got.Text.True != 4 || got.Text.Found < 1 || got.Text.Found > 3 || got.Text.Extra < 500 {
		t.Errorf("%+v", got.Texts)
	}
	// The pages that the manifest has more than the file are not well judged.
	l := got.Layer
	if len(got.Layers) != 1 || l.Pages != 99 || l.Recognized != 0 || l.Right <= 0 || l.Right >= 30 {
		t.Errorf("%+v", got.Layers)
	}
	var people, machine strings.Builder
	if err := errors.Join(tell(&people, got, false), tell(&machine, got, true)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(people.String(), "RIGHTLY JUDGED") || strings.Count(people.String(), "ALL") != 2 {
		t.Errorf("printed %q", people.String())
	}
	var again ocrScores
	if err := json.Unmarshal([]byte(machine.String()), &again); err != nil || again.Text.Found != got.Text.Found || again.Layer != got.Layer {
		t.Errorf("%v: %+v", err, again)
	}
}

// spoiled is a folder whose first file is no PDF and whose manifest names one that
// is not there.
func spoiled(t *testing.T) string {
	dir := measured(t, "République", "file,pages,text_pages,has_text_layer\njo.pdf,3,3,yes\nautre.pdf,3,3,yes\n")
	if err := os.WriteFile(filepath.Join(dir, "jo.pdf"), []byte("no PDF"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestEvaluateWithoutTruth(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ dir, says string }{
		"nothing known":  {t.TempDir(), "neither"},
		"no folder":      {filepath.Join(t.TempDir(), "absent"), "the folder"},
		"missing column": {measured(t, "", "file,pages,text_pages\njo.pdf,3,3\n"), `"has_text_layer"`},
		"no number":      {measured(t, "", "file,pages,text_pages,has_text_layer\njo.pdf,trois,3,yes\n"), "line 2"},
		"unknown worth":  {measured(t, "", "file,pages,text_pages,has_text_layer\njo.pdf,3,3,so-so\n"), "so-so"},
		"no table":       {measured(t, "", "file,pages\n\"jo.pdf\n"), "manifest.csv"},
		"no such file":   {measured(t, "", "file,pages,text_pages,has_text_layer\nautre.pdf,3,3,yes\n"), "the manifest names autre.pdf"},
		// Before the work: the truth beside it is of a file that is none.
		"absent last": {spoiled(t), "the manifest names autre.pdf"},
	} {
		if _, err := evaluate(t.Context(), reader(t, ""), tt.dir); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLayerScore(t *testing.T) {
	t.Parallel()
	layer := layout.Page{Source: layout.Layer, Words: []layout.Word{{Text: "Loi"}}}
	seen := layout.Page{Source: layout.OCR, Words: []layout.Word{{Text: "Loi"}}, Drawn: true}
	blank := layout.Page{Source: layout.None}
	unread := layout.Page{Source: layout.None, Drawn: true}
	for _, tt := range []struct {
		name  string
		m     layerTruth
		pages []layout.Page
		right int
	}{
		{"layers kept", layerTruth{layer: "yes", pages: 3, textPages: 2}, []layout.Page{layer, blank, layer}, 3},
		{"a good layer recognized", layerTruth{layer: "yes", pages: 2, textPages: 2}, []layout.Page{layer, seen}, 1},
		{"scan", layerTruth{layer: "none", pages: 3}, []layout.Page{seen, blank, seen}, 3},
		{"scan with a page unread", layerTruth{layer: "none", pages: 2}, []layout.Page{seen, unread}, 1},
		{"garbage kept", layerTruth{layer: "garbage", pages: 2, textPages: 2}, []layout.Page{seen, layer}, 1},
		{"where it is missing", layerTruth{layer: "partial", pages: 3, textPages: 1}, []layout.Page{seen, layer, seen}, 3},
		{"all of a partial one", layerTruth{layer: "partial", pages: 3, textPages: 1}, []layout.Page{seen, seen, seen}, 3},
		{"one missed", layerTruth{layer: "partial", pages: 3, textPages: 1}, []layout.Page{unread, layer, seen}, 2},
		{"fewer pages than there are", layerTruth{layer: "yes", pages: 4, textPages: 4}, []layout.Page{layer, layer}, 2},
	} {
		if got := tt.m.score(tt.pages); got.Right != tt.right {
			t.Errorf("%s: %+v, want %d right", tt.name, got, tt.right)
		}
	}
}
