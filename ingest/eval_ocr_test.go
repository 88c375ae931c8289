package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/layout"
)

// measured is a folder with a gazette of the sample, the truth about its first
// words, and a manifest.
func measured(t *testing.T, truth, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	raw, err := os.ReadFile("../scripts/sample/gazettes/jo-2025-05.pdf")
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

func TestEvalOCR(t *testing.T) {
	t.Parallel()
	dir := measured(t, "République JOURNAL xyzzy OFFICIEL", "file,pages,text_pages,has_text_layer\njo.pdf,99,99,yes\n")
	var out, said strings.Builder
	a := &app{out: &out, err: &said, json: true}
	if code := a.run(t.Context(), []string{"eval", "ocr", "--json", dir}); code != exitDone {
		t.Fatalf("exit %d: %s", code, said.String())
	}
	var got ocrScores
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
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
	out.Reset()
	a.json = false
	if code := a.run(t.Context(), []string{"eval", "ocr", dir}); code != exitDone || !strings.Contains(out.String(), "ENSEMBLE") || !strings.Contains(out.String(), "BIEN JUGÉES") {
		t.Errorf("exit %d: %s", code, out.String())
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

func TestEvalOCRWithoutTruth(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ dir, says string }{
		"nothing known":  {t.TempDir(), "Il n’y a ni"},
		"no folder":      {filepath.Join(t.TempDir(), "absent"), "ne peut pas être lu"},
		"missing column": {measured(t, "", "file,pages,text_pages\njo.pdf,3,3\n"), "« has_text_layer »"},
		"no number":      {measured(t, "", "file,pages,text_pages,has_text_layer\njo.pdf,trois,3,yes\n"), "La ligne 2"},
		"unknown worth":  {measured(t, "", "file,pages,text_pages,has_text_layer\njo.pdf,3,3,so-so\n"), "so-so"},
		"no table":       {measured(t, "", "file,pages\n\"jo.pdf\n"), "CSV"},
		"no such file":   {measured(t, "", "file,pages,text_pages,has_text_layer\nautre.pdf,3,3,yes\n"), "Le manifeste nomme « autre.pdf »"},
		// Before the work: the truth beside it is of a file that is none.
		"absent last": {spoiled(t), "Le manifeste nomme « autre.pdf »"},
	} {
		var out, said strings.Builder
		code := (&app{out: &out, err: &said}).run(t.Context(), []string{"eval", "ocr", tt.dir})
		if code != exitUsage || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: exit %d, « %s »", name, code, said.String())
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
