package ingestion

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func TestBatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		total int
		done  []int
		want  [][2]int
	}{
		{"none", 0, nil, nil},
		{"one", 1, nil, [][2]int{{1, 1}}},
		{"a full batch and more", 45, nil, [][2]int{{1, 20}, {21, 40}, {41, 45}}},
		{"the first are done", 30, []int{1, 2, 3}, [][2]int{{4, 23}, {24, 30}}},
		{"holes", 6, []int{2, 5}, [][2]int{{1, 1}, {3, 4}, {6, 6}}},
		{"all done", 3, []int{1, 2, 3}, nil},
	} {
		if got := batches(c.total, c.done, Checkpoint); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	fault := func(n int, why string) layout.Page { return layout.Page{Number: n, Fault: why} }
	for _, c := range []struct {
		pages []layout.Page
		total int
		want  string
	}{
		{[]layout.Page{fault(1, "")}, 1, ""},
		{[]layout.Page{fault(1, ""), fault(2, "Abîmée.")}, 2, "Page illisible : 2. Abîmée."},
		{[]layout.Page{fault(1, "Abîmée."), fault(2, ""), fault(3, "Abîmée."), fault(4, "Abîmée."), fault(5, "Trop lente.")}, 5,
			"Pages illisibles : 1, 3–4. Abîmée. Page illisible : 5. Trop lente."},
		{[]layout.Page{fault(2, "")}, 4, "Pages non lues : 1, 3–4. Sans OCR."},
	} {
		if got := unreadable(c.pages, c.total, "Sans OCR."); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	many := strings.Fields("1 3 5 7 9 11 13 15 17 19")
	for _, c := range []struct {
		runs []string
		want string
	}{
		{nil, ""},
		{[]string{"16", "12–33"}, "Numéros d’articles absents (loi 2000-83) : 16, 12–33."},
		{many, "Numéros d’articles absents (loi 2000-83) : 1, 3, 5, 7, 9, 11, 13, 15, …"},
	} {
		text := gazette.Text{Document: law.Document{Type: law.Loi, OfficialNumber: "2000-83"}, Absent: c.runs}
		if got := leftOut(text); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
	if len(many) != 10 || many[8] != "17" {
		t.Errorf("the runs were changed: %v", many)
	}
}

func TestRemains(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]*gazette.Remains{
		"": nil,
		"Le fichier commence par la fin d’un texte dont le début manque (p. 1) : sans titre, elle n’est pas au catalogue.":                       {FirstPage: 1, LastPage: 1},
		"Le fichier commence par la fin d’un texte dont le début manque (p. 1, article 5) : sans titre, elle n’est pas au catalogue.":            {FirstPage: 1, LastPage: 1, Articles: []string{"5"}},
		"Le fichier commence par la fin d’un texte dont le début manque (p. 3–4, articles 5 à 5 ter) : sans titre, elle n’est pas au catalogue.": {FirstPage: 3, LastPage: 4, Articles: []string{"5", "5 bis", "5 ter"}},
	} {
		if got := remains(r); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	p := lawPages(1)[0]
	p.Fault, p.Cover, p.DPI, p.Drawn = "x", 0.5, 200, true
	content, err := encode(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(content)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("decode gives %+v, error %v", got, err)
	}
	if z, err := gzip.NewReader(bytes.NewReader(content)); err != nil {
		t.Errorf("the standard library reads no header: %v", err)
	} else if _, err := io.Copy(io.Discard, z); err != nil {
		t.Errorf("the standard library reads no page: %v", err)
	}
	if _, err := decode(content[:len(content)/2]); err == nil {
		t.Error("half a page is decoded without an error")
	}
	nul := layout.Page{Words: []layout.Word{{Text: "a\x00b"}, {Text: "\x00"}, {Text: "\xff"}}}
	content, err = encode(nul)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = decode(content); err != nil || got.Words[0].Text != "ab" || got.Words[1].Text != "\ufffd" {
		t.Errorf("words %+v, error %v", got.Words, err)
	}
}

func FuzzDecode(f *testing.F) {
	content, err := encode(lawPages(1)[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Fuzz(func(t *testing.T, plain []byte) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(plain) // writing to memory does not fail
		_ = z.Close()
		p, err := decode(b.Bytes())
		if err != nil {
			return
		}
		if _, err := encode(p); err != nil {
			t.Errorf("a page that was decoded is not encoded: %v", err)
		}
	})
}

func TestHints(t *testing.T) {
	t.Parallel()
	j := &job{Ingestion: postgres.Ingestion{Filename: "loi.pdf", Metadata: json.RawMessage(
		`{"title":"T","doc_type":"loi","numero_officiel":"2023-04","domaine":"travail","date_promulgation":"2023-03-12","autre":1}`)}}
	h, err := j.hints()
	if err != nil || h.Filename != "loi.pdf" || h.Title != "T" || h.Type != law.Loi || h.OfficialNumber != "2023-04" || h.Domain != "travail" {
		t.Errorf("hints %+v, error %v", h, err)
	}
	if h.Promulgated == nil || h.Promulgated.Format(time.DateOnly) != "2023-03-12" || h.EntersInForce != nil {
		t.Errorf("dates %v, %v", h.Promulgated, h.EntersInForce)
	}
	for _, bad := range []string{`{"date_promulgation":"12/03/2023"}`, `{"date_entree_vigueur":"2023-02-30"}`, `[]`} {
		j.Metadata = json.RawMessage(bad)
		if _, err := j.hints(); !errs.Is(err, errs.Unprocessable) {
			t.Errorf("%s: %v, want Unprocessable", bad, err)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	in, issued := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), time.Date(2023, 4, 1, 0, 0, 0, 0, time.UTC)
	j := &job{Ingestion: postgres.Ingestion{Filename: "décret.pdf", CreatedAt: in}}
	var bare law.Document
	doubts := j.complete(&bare, nil, nil)
	if bare.Title != "décret" || bare.Type == "" || bare.Domain != "autre" || !bare.EntersInForce.Equal(bare.Promulgated) || bare.Promulgated.Format(time.DateTime) != "2024-05-06 00:00:00" {
		t.Errorf("completed to %+v", bare)
	}
	if len(doubts) != 4 || len(law.Lacking(doubts)) != 2 || !law.Unread(doubts, "date_entree_vigueur") {
		t.Errorf("doubts %+v, want title, type and both dates", doubts)
	}
	dated := law.Document{Title: "Loi", Type: law.Loi, Domain: "civil"}
	doubts = j.complete(&dated, []law.Doubt{{Field: "date_promulgation", Reason: "illisible"}}, &issued)
	if !dated.Promulgated.Equal(issued) || len(doubts) != 1 || doubts[0].Reason != "illisible" {
		t.Errorf("promulgated %v, doubts %+v", dated.Promulgated, doubts)
	}
	whole := law.Document{Title: "Loi", Type: law.Loi, Domain: "civil", Promulgated: issued, EntersInForce: in}
	before := whole
	if doubts := j.complete(&whole, nil, nil); len(doubts) != 0 || !reflect.DeepEqual(whole, before) {
		t.Errorf("changed to %+v with doubts %+v", whole, doubts)
	}
}

func TestPassagesLoseNothing(t *testing.T) {
	t.Parallel()
	j := &job{Ingestion: postgres.Ingestion{SHA256: strings.Repeat("ab", 32)}}
	a := law.Article{Number: "1er", Text: strings.Repeat("Le présent article dispose de beaucoup de choses. ", 200)}
	passages, err := j.passages("0", 5, a)
	if err != nil {
		t.Fatal(err)
	}
	again, err := j.passages("0", 5, a)
	if err != nil || !reflect.DeepEqual(passages, again) {
		t.Errorf("a second cut differs, error %v", err)
	}
	for i, p := range passages {
		if p.Position != 5+i || (i > 0 && p.ID == passages[0].ID) {
			t.Errorf("passage %d: position %d, id %v", i, p.Position, p.ID)
		}
	}
}

func TestHiddenTextIsTold(t *testing.T) {
	t.Parallel()
	j := &job{Ingestion: postgres.Ingestion{PagesTotal: 3}}
	read := func(n, unseen int) layout.Page {
		return layout.Page{Number: n, Unseen: unseen, Words: []layout.Word{{Text: "loi"}}}
	}
	if err := j.checkPages([]layout.Page{read(1, 31), read(2, 0), read(3, 1)}); err != nil {
		t.Fatal(err)
	}
	if want := "Texte caché, p. 1, 3 : ce que personne ne voit sur la page est laissé de côté."; j.missing != want {
		t.Errorf("got %q, want %q", j.missing, want)
	}
}

// Pages that are mostly in no text are told, with their share of the file.
func TestOutside(t *testing.T) {
	t.Parallel()
	line := func(page, text int, words string) gazette.LabeledLine {
		label := gazette.LabelLoose
		if text >= 0 {
			label = gazette.LabelArticle
		}
		return gazette.LabeledLine{Page: page, TextIndex: text, Text: words, Label: label}
	}
	got := outside([]gazette.LabeledLine{line(1, -1, "Sommaire …"), line(2, 0, "Article 1er"), line(2, -1, "p. 2"), line(3, -1, "Article 2."), line(4, -1, "Article 3.")})
	if want := "Hors de tout texte : 76 % du fichier (p. 1, 3–4)."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	summary := line(2, -1, "Loi n° 3 sur le sel, page 2")
	summary.Label = gazette.LabelAside
	if got := outside([]gazette.LabeledLine{line(1, 0, "Article 1er"), line(1, -1, "p. 1"), summary}); got != "" {
		t.Errorf("every page is in a text: %q", got)
	}
}
