package ingestion

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// another adds a file of other pages and makes it the one that the bundle runs.
func (b *bundle) another(t *testing.T, name string, pages []layout.Page) {
	t.Helper()
	content := "%PDF-1.7 " + name
	sum := sha256.Sum256([]byte(content))
	b.pdf.pages, b.id, b.sha = pages, postgres.NewID(), hex.EncodeToString(sum[:])
	if err := b.folder.Put(t.Context(), b.sha, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	if err := pgtest.AddFile(t.Context(), b.DB, postgres.Ingestion{ID: b.id, SHA256: b.sha, Filename: name, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
}

// additional returns an act whose type a person has to confirm, in the bulletin of a house.
func additional(number string) []layout.Page {
	return []layout.Page{typeset(1, "BULLETIN OFFICIEL DES PORTS DE KEL", "", "", "ACTE ADDITIONNEL N° 2019-"+number+" DU 3 MARS 2019", "fixant le prix du sel.", "",
		"Le Conseil des ports,", "", "Vu le statut des ports ;", "", "ARRÊTE :", "",
		"Article 1er. Le prix du sel est de dix écus le kilogramme.", "", "Article 2. Il est affiché sur les marchés de sel.", "", "Fait à Kel, le 3 mars 2019.")}
}

// TestADecisionIsProposedForTheHouse checks that what a person settled in one file is proposed for the next file of the same
// house, and that nothing of it is applied without a person.
func TestADecisionIsProposedForTheHouse(t *testing.T) {
	t.Parallel()
	b := setup(t, additional("12"))
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	proposed := func(id uuid.UUID) (out []string) {
		t.Helper()
		list, err := Proposals(ctx, b.DB, id)
		must(err)
		for _, p := range list {
			out = append(out, p.Field+"="+p.Value+" from "+p.From.Filename)
		}
		return out
	}
	waits := func(id uuid.UUID) postgres.Review {
		t.Helper()
		reviews, err := b.DB.Reviews(ctx, id)
		if err != nil || len(reviews) != 1 {
			t.Fatalf("%d texts wait: %v, %+v", len(reviews), err, b.row(t))
		}
		return reviews[0]
	}
	must(b.Run(ctx, b.id))
	first, text := b.id, waits(b.id)
	order := law.Arrete
	_, err := b.DB.AcceptText(ctx, first, text.Document.ID, postgres.DocumentChange{Type: &order})
	must(err)

	b.another(t, "bulletin-2.pdf", additional("15"))
	second := b.id
	must(b.Run(ctx, second))
	if got := proposed(second); !slices.Equal(got, []string{"doc_type=arrete from jo-2023-04.pdf"}) {
		t.Errorf("proposed: %v", got)
	}
	if d := waits(second).Document; d.Type != text.Document.Type {
		t.Errorf("the type is %q without a person", d.Type)
	}
	b.another(t, "autre.pdf", []layout.Page{typeset(1, "GAZETTE DES MINES DE SEL", "", "", "ACTE ADDITIONNEL N° 7 DU 3 MARS 2019", "fixant le prix.", "", "ARRÊTE :", "", "Article 1er. Le prix est fixé.")})
	must(b.Run(ctx, b.id))
	if got := proposed(b.id); len(got) != 0 {
		t.Errorf("proposed for another house: %v", got)
	}

	// The country of a file is said by a person, and doubted in the next.
	said := "cm"
	b.id = first
	must(b.DB.SayOfFile(ctx, first, nil, &said, false))
	b.pdf.pages = additional("12")
	must(b.Run(ctx, first))
	if got := proposed(second); !slices.Contains(got, "pays=cm from jo-2023-04.pdf") {
		t.Errorf("proposed: %v", got)
	}
	b.another(t, "bulletin-3.pdf", additional("16"))
	must(b.Run(ctx, b.id))
	if r := waits(b.id); !slices.ContainsFunc(r.Doubts, func(d law.Doubt) bool { return d.Field == "pays" }) {
		t.Errorf("the country is not in doubt: %+v", r.Doubts)
	}

	// What a file is, is said by a person and taken back.
	b.id = second
	kind, none := string(gazette.FileOfNoLaw), ""
	must(b.DB.SayOfFile(ctx, second, &kind, nil, true))
	_ = b.Run(ctx, second)
	b.check(t, "failed", "Écarté par une personne")
	must(b.DB.SayOfFile(ctx, second, &none, nil, false))
	must(b.Run(ctx, second))
	waits(second)

	var names []string
	must(b.DB.ReviewedFiles(ctx, func(f postgres.ReviewedFile) error {
		name, truth := TruthOf(f)
		names = append(names, name)
		if len(truth.Texts) != 1 || truth.Texts[0].Type != law.Arrete || truth.Texts[0].Articles != 2 || truth.Texts[0].Date != "2019-03-03" {
			t.Errorf("truth of %s: %+v", name, truth)
		}
		return nil
	}))
	if len(names) != 1 || !strings.HasPrefix(names[0], "cm/") {
		t.Errorf("reviewed files: %v", names)
	}
}

func TestNumbersInTheFormOfOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ known, words, want string }{
		{"2010-113/PRES", "DECRET N° 2010 - 235 / PRES portant", "2010-235/PRES"},
		{"2010-113/PRES", "DECRET N° 235 / PRES", ""},
		{"2-18-577", "Décret n° 2.18.603 du 3 mai", "2-18-603"},
		{"80-22", "Loi du 14 juillet", ""},
		{"", "Loi n° 3", ""},
	} {
		if got := inFormOf(c.known, c.words); got != c.want {
			t.Errorf("%q as %q: %q, want %q", c.words, c.known, got, c.want)
		}
	}
}

// TestWhereTextsBegin checks that a line at which a person began a text is proposed where lines begin alike, unless such
// lines begin no text elsewhere in the first file.
func TestWhereTextsBegin(t *testing.T) {
	t.Parallel()
	page := func(texts ...any) fileLines {
		p := postgres.PageLines{Page: 1}
		for i := 0; i < len(texts); i += 2 {
			of, _ := texts[i+1].(int)
			words, _ := texts[i].(string)
			p.Lines = append(p.Lines, postgres.Line{Text: words, TextIndex: &of, Rect: law.Rect{0, float64(20 * i), 9, float64(20*i + 9)}})
		}
		return fileLines{p}
	}
	begun := page("Décret n° 3", 0, "Vu la loi", 0, "Note de service n° 4", 1, "Les bureaux", 1)
	edit := gazette.Edit{Kind: gazette.SplitHere, Lines: []gazette.Place{{Page: 1, Text: "Note de service n° 4"}}}
	next := page("Décret n° 5", 0, "Note de service n° 6", 0, "Les ports", 0, "Note de service du 3 mai", 1)
	p := proposer{lines: next, known: map[string]bool{}}
	p.ofEdit(edit, begun, postgres.SettledFile{})
	if len(p.out) != 1 || p.out[0].Words != "Note de service n° 6" || p.out[0].Field != "split" {
		t.Errorf("proposed: %+v", p.out)
	}
	p = proposer{lines: next, known: map[string]bool{}}
	p.ofEdit(edit, page("Décret n° 3", 0, "Note de service n° 2", 0, "Note de service n° 4", 1), postgres.SettledFile{})
	if len(p.out) != 0 {
		t.Errorf("proposed although such lines begin no text: %+v", p.out)
	}
}
