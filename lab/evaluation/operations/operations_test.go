package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/lab/evaluation/operations/orders"
)

const made = `{"id":"1","file":"f/f.pdf","country":"f","act":{"type":"loi","number":"7-2001","date":"2001-05-03"},"instruction":"L'article 5 du code des registres est remplacé comme suit :","target":{"title":"Code des registres"},"target_article":"5","kind":"replace_article","new_first":"Le maire tient le registre","new_last":"le registre de la commune."}
{"id":"2","file":"f/f.pdf","country":"f","act":{"type":"loi","number":"7-2001","date":"2001-05-03"},"instruction":"L'article 6 du code des registres est abrogé.","target":{"title":"Code des registres"},"target_article":"6","kind":"repeal_article"}
{"id":"3","file":"f/f.pdf","country":"f","act":{"type":"loi","number":"7-2001","date":"2001-05-03"},"instruction":"La loi n° 2-1990 est abrogée.","target":{"title":"loi n° 2-1990","number":"2-1990"},"target_article":null,"kind":"repeal_text"}
{"id":"4","file":"f/f.pdf","country":"f","act":{"type":"loi","number":"7-2001","date":"2001-05-03"},"instruction":"Le tribunal lui est substitué.","target":{"title":"Code des registres"},"target_article":"8","kind":"replace_words"}
`

// hold returns what comes of the orders above where an act has these articles.
func hold(t *testing.T, articles ...string) (score, *holding) {
	t.Helper()
	dir := t.TempDir()
	for _, path := range []string{"operations/operations.dev.jsonl", "pdfs/f/f.pdf"} {
		path = filepath.Join(dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(made), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := orders.Load(dir)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text := &gazette.Text{Document: law.Document{OfficialNumber: "7-2001", Promulgated: time.Date(2001, 5, 3, 0, 0, 0, 0, time.UTC)}}
	for i, a := range articles {
		text.Articles = append(text.Articles, law.Article{Number: string(rune('1' + i)), Text: a})
	}
	h := &holding{File: files[0], read: []orders.Text{orders.NewText(text, nil)}}
	open, sealed := h.hold()
	open.add(sealed)
	return open, h
}

func TestOrdersAreHeld(t *testing.T) {
	t.Parallel()
	got, h := hold(t, "L'article 5 du code des registres est remplacé comme suit :\n« Art. 5. - Le maire tient le registre de la commune. »", "L'article 6 du même code est abrogé.", "La loi n° 2-1990 est abrogée.")
	if want := (score{Orders: 4, Right: 3, Missed: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var out strings.Builder
	h.tell(&out)
	if !h.Known[3].Sealed() && !strings.Contains(out.String(), "== 4  f/f.pdf: not noticed") {
		t.Errorf("told:\n%s", out.String())
	}
	got, _ = hold(t, "L'article 5 du code des registres est remplacé comme suit :\n« Art. 5. - Le juge lit. »", "L'article 6 du même code est supprimé et le 7 aussi.", "L'article 9 de la loi n° 3-1999 est abrogé.")
	if want := (score{Orders: 4, Partly: 1, Noticed: 1, Missed: 2, Wrong: 1, Invented: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
