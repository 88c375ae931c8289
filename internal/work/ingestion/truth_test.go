package ingestion

import (
	"crypto/sha256"
	"encoding/hex"
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

// TestWhatIsSaidOfAFile checks that what a person says of a file decides, until it is taken back, and that settled files are
// exported.
func TestWhatIsSaidOfAFile(t *testing.T) {
	t.Parallel()
	b := setup(t, additional("12"))
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
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
	// The country of a file is said by a person.
	said := "cm"
	b.id = first
	must(b.DB.SayOfFile(ctx, first, nil, &said, false))
	b.pdf.pages = additional("12")
	must(b.Run(ctx, first))
	b.pdf.pages = additional("15")

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
