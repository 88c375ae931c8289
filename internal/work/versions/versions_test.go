package versions_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/quote"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
	"vigueur/internal/work/versions"
)

func TestMain(m *testing.M) { leak.Main(m) }

// bundle is a runner with a private database.
type bundle struct {
	*versions.VersionAssembler
	files int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	return &bundle{VersionAssembler: &versions.VersionAssembler{DB: pgtest.New(t), Log: slog.New(slog.DiscardHandler)}}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func day(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

// text is a text whose articles are « number: words ».
func text(title, number, promulgated, inForce string, articles ...string) postgres.StoredText {
	d := law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail", OfficialNumber: number, Promulgated: day(promulgated),
		EntersInForce: day(inForce), FirstPage: 1, LastPage: 1}
	out := postgres.StoredText{Document: d}
	for i, a := range articles {
		n, words, _ := strings.Cut(a, ": ")
		out.Articles = append(out.Articles, law.Article{ID: postgres.NewID(), DocumentID: d.ID, Number: n, Page: 1 + i, Position: i, Text: words, Spans: []law.Span{}})
	}
	return out
}

// add adds texts to the catalogue, in a file of their own.
func (b *bundle) add(t *testing.T, texts ...postgres.StoredText) {
	t.Helper()
	b.files++
	i := b.start(t, postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", b.files), Filename: "jo.pdf", Size: 1})
	ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: texts}))
	ok(t, b.DB.MarkIngestion(t.Context(), i.ID, i.Attempt, "done", ""))
}

// start adds a file and begins to read it.
func (b *bundle) start(t *testing.T, file postgres.Ingestion) postgres.Ingestion {
	t.Helper()
	ok(t, pgtest.AddFile(t.Context(), b.DB, file))
	started, err := b.DB.StartIngestion(t.Context(), file.ID)
	ok(t, err)
	return started
}

// follow does the work that is due.
func (b *bundle) follow(t *testing.T) {
	t.Helper()
	ids, err := b.DB.VersionIndex().Due(t.Context(), 1)
	ok(t, err)
	for _, id := range ids {
		ok(t, work.Run(t.Context(), b.Worker(), id))
	}
}

// versions returns the versions of a printed article; nil if no act has changed it, or if its text is gone.
func (b *bundle) versions(t *testing.T, document uuid.UUID, number string) []postgres.ArticleVersion {
	t.Helper()
	printed, err := b.DB.Articles(t.Context(), document)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	ok(t, err)
	pos := slices.IndexFunc(printed, func(a law.Article) bool { return law.ArticleKey(a.Number) == law.ArticleKey(number) })
	list, _, err := b.DB.VersionsOf(t.Context(), document, printed[pos].ID)
	ok(t, err)
	if len(list) == 1 { // as printed
		return nil
	}
	return list
}

// shown writes the versions of an article: « from ..to words (by act's article) ».
func (b *bundle) shown(t *testing.T, document uuid.UUID, number string) (out []string) {
	t.Helper()
	for _, v := range b.versions(t, document, number) {
		line := "…"
		if v.From != nil {
			line = v.From.Format(time.DateOnly)
		}
		if line += " → "; v.To != nil {
			line += v.To.Format(time.DateOnly)
		}
		if line += " " + v.Body; v.Gone {
			line += "(gone)"
		}
		for _, e := range v.Evidence {
			line += " [" + e.Number + "]"
		}
		out = append(out, line)
	}
	return out
}

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func code() postgres.StoredText {
	return text("Loi n° 2023-07 du 14 mars 2023 portant Code du travail", "2023-07", "2023-03-14", "2023-07-01",
		"1er: Le présent code régit le travail.", "14: La période d’essai dure trente jours au plus.", "15: Le préavis est de dix jours.")
}

func words() postgres.StoredText {
	return text("Loi n° 2025-03 du 4 mars 2025 modifiant le Code du travail", "2025-03", "2025-03-04", "2025-07-01",
		"1er: À l’article 14 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, le mot : « trente » est remplacé par le mot : « quarante ».",
		"2: L’article 15 de la même loi est abrogé.")
}

func later() postgres.StoredText {
	return text("Loi n° 2026-01 du 2 janvier 2026 modifiant le Code du travail", "2026-01", "2026-01-02", "2026-02-01",
		"1er: À l’article 14 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, le mot : « quarante » est remplacé par le mot : « soixante ».")
}

var (
	printed = "… → 2025-07-01 La période d’essai dure trente jours au plus."
	second  = "2025-07-01 →  La période d’essai dure quarante jours au plus. [1er]"
)

func TestActsAreApplied(t *testing.T) {
	b := setup(t)
	c, w := code(), words()
	b.add(t, c, w)
	b.follow(t)
	want(t, "article 14", b.shown(t, c.Document.ID, "14"), printed, second)
	want(t, "article 15", b.shown(t, c.Document.ID, "15"), "… → 2025-07-01 Le préavis est de dix jours.", "2025-07-01 →  (gone) [2]")
	want(t, "article 1er", b.shown(t, c.Document.ID, "1er"))
	for target, words := range map[string]string{"2025-06-30": "trente", "2025-07-01": "quarante"} {
		day, err := time.Parse(time.DateOnly, target)
		ok(t, err)
		a, err := b.DB.ReadArticleOn(t.Context(), c.Document.ID, "14", day)
		ok(t, err)
		if !strings.Contains(a.Text, words) || (a.Assembled != nil) != (words == "quarante") {
			t.Errorf("article 14 on %s: %q, assembled by %+v", target, a.Text, a.Assembled)
		}
		for quoted, verdict := range map[string]quote.Verdict{"trente": quote.Different, "quarante": quote.Different, words: quote.Identical} {
			r, err := verify.Check(t.Context(), b.DB, verify.Writing{Day: day, Text: "L’article 14 de la loi n° 2023-07 dispose : « La période d’essai dure " + quoted + " jours au plus. »"})
			ok(t, err)
			if len(r.Quotations) != 1 || r.Quotations[0].Verdict != verify.Verdict(verdict) {
				t.Errorf("a quotation of « %s » on %s: %+v, want %v", quoted, target, r.Quotations, verdict)
			}
		}
		if a, err = b.DB.ReadArticleOn(t.Context(), c.Document.ID, "15", day); errs.Is(err, errs.NotFound) != (words == "quarante") {
			t.Errorf("article 15 on %s: %q, %v", target, a.Text, err)
		}
	}
	v := b.versions(t, c.Document.ID, "14")[1]
	if *v.Act != w.Document.ID || *v.Evidence[0].Article != w.Articles[0].ID || v.Evidence[0].Page != 1 || !strings.Contains(v.Evidence[0].Words, "le mot : « trente »") {
		t.Errorf("evidence %+v of act %v", v.Evidence, v.Act)
	}
	for owner, what := range map[uuid.UUID]func(postgres.Related) []postgres.RelatedText{
		c.Document.ID: func(r postgres.Related) []postgres.RelatedText { return r.AmendedBy }, w.Document.ID: func(r postgres.Related) []postgres.RelatedText { return r.Amends },
	} {
		related, err := b.DB.Relations(t.Context(), owner)
		ok(t, err)
		if list := what(related); len(list) != 1 || !list[0].Date.Equal(day("2025-07-01")) || list[0].ID == owner {
			t.Errorf("no relation between the texts tells it, and %s has %+v", owner, related)
		}
	}
	if len(v.Changes) != 1 || v.Body[v.Changes[0].Start:v.Changes[0].End] != "quarante" {
		t.Errorf("changed words %v", v.Changes)
	}
}

// TestConsolidatedEdition checks that an act that a printed text has in its words already is not applied to it again.
func TestConsolidatedEdition(t *testing.T) {
	b := setup(t)
	c, w := code(), words()
	time := day("2025-07-01")
	c.Document.AsOf = &time
	c.Articles[1].Text = "La période d’essai dure quarante jours au plus. Les trente jours qui suivent comptent double."
	b.add(t, c, w, later())
	b.follow(t)
	want(t, "article 14", b.shown(t, c.Document.ID, "14"), "… → 2026-02-01 "+c.Articles[1].Text,
		"2026-02-01 →  La période d’essai dure soixante jours au plus. Les trente jours qui suivent comptent double. [1er]")
	want(t, "article 15", b.shown(t, c.Document.ID, "15"))
	d, err := b.DB.Document(t.Context(), c.Document.ID)
	ok(t, err)
	if d.AsOf == nil || !d.AsOf.Equal(time) {
		t.Errorf("the text is printed as of %v", d.AsOf)
	}
}

// TestOrderOfArrival checks that versions do not depend on the order in which texts arrive.
func TestOrderOfArrival(t *testing.T) {
	for name, order := range map[string][]int{"code last": {2, 1, 0}, "code first": {0, 1, 2}, "an act late": {0, 2, 1}, "code between": {1, 0, 2}} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			texts := []postgres.StoredText{code(), words(), later()}
			for _, i := range order {
				b.add(t, texts[i])
				b.follow(t)
			}
			want(t, "article 14", b.shown(t, texts[0].Document.ID, "14"), printed,
				"2025-07-01 → 2026-02-01 La période d’essai dure quarante jours au plus. [1er]",
				"2026-02-01 →  La période d’essai dure soixante jours au plus. [1er]")
		})
	}
}

// TestActIsWithdrawn checks that the versions of a deleted act disappear, and that later acts
// that need it wait.
func TestActIsWithdrawn(t *testing.T) {
	b := setup(t)
	c, w, l := code(), words(), later()
	b.add(t, c)
	b.add(t, w)
	b.add(t, l)
	b.follow(t)
	_, err := b.DB.DeleteDocument(t.Context(), w.Document.ID)
	ok(t, err)
	b.follow(t)
	want(t, "article 14", b.shown(t, c.Document.ID, "14"))
	want(t, "article 15", b.shown(t, c.Document.ID, "15"))
	waiting, _, err := b.DB.WaitingAmendments(t.Context(), 1, 10)
	ok(t, err)
	if len(waiting) != 1 || waiting[0].Reason != amend.WordsNotFound || waiting[0].Act.ID != l.Document.ID {
		t.Errorf("waiting: %+v", waiting)
	}
	_, err = b.DB.DeleteDocument(t.Context(), c.Document.ID)
	ok(t, err)
	b.follow(t)
	missing, err := b.DB.MissingTexts(t.Context())
	ok(t, err)
	if len(missing) != 1 || missing[0].Changes != 1 || missing[0].Act.ID != l.Document.ID {
		t.Errorf("without the code, missing: %+v", missing)
	}
}

// TestRepeatedWork checks that a rebuild, and work that is done twice, give the same rows.
func TestRepeatedWork(t *testing.T) {
	b := setup(t)
	c, w := code(), words()
	b.add(t, c, w)
	b.follow(t)
	ids := []uuid.UUID{c.Document.ID, w.Document.ID}
	for range 2 {
		ok(t, b.Write(t.Context(), 0, ids))
		_, _, err := b.Rebuild(t.Context())
		ok(t, err)
	}
	want(t, "article 14", b.shown(t, c.Document.ID, "14"), printed, second)
}

// TestTwoWorkersAtOnce checks that workers that do the same work at once, as when a lease is
// lost, leave the same rows.
func TestTwoWorkersAtOnce(t *testing.T) {
	b := setup(t)
	c, w, l := code(), words(), later()
	b.add(t, c, w, l)
	var group sync.WaitGroup
	failures := make(chan error, 4)
	for _, ids := range [][]uuid.UUID{{c.Document.ID}, {w.Document.ID}, {l.Document.ID}, {l.Document.ID, c.Document.ID, w.Document.ID}} {
		group.Go(func() { failures <- b.Write(t.Context(), 0, ids) })
	}
	group.Wait()
	close(failures)
	for err := range failures {
		ok(t, err)
	}
	want(t, "article 14", b.shown(t, c.Document.ID, "14"), printed,
		"2025-07-01 → 2026-02-01 La période d’essai dure quarante jours au plus. [1er]",
		"2026-02-01 →  La période d’essai dure soixante jours au plus. [1er]")
}

// TestOneWorkerHoldsTheRow checks that the work is leased.
func TestOneWorkerHoldsTheRow(t *testing.T) {
	b := setup(t)
	b.add(t, code())
	ids, err := b.DB.VersionIndex().Due(t.Context(), 1)
	ok(t, err)
	_, err = b.DB.VersionIndex().Lease(t.Context(), ids[0])
	ok(t, err)
	if err := work.Run(t.Context(), b.Worker(), ids[0]); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("a second worker: %v, want LeaseLost", err)
	}
}

// TestActsThatAmendEachOther checks that a circle ends.
func TestActsThatAmendEachOther(t *testing.T) {
	b := setup(t)
	one := text("Loi n° 2020-01 du 2 janvier 2020 relative au sel", "2020-01", "2020-01-02", "2020-02-01", "1er: Le sel est libre.",
		"2: L’article 1er de la loi n° 2020-02 du 2 janvier 2020 est abrogé.")
	other := text("Loi n° 2020-02 du 2 janvier 2020 relative au sucre", "2020-02", "2020-01-02", "2020-02-01", "1er: Le sucre est libre.",
		"2: L’article 1er de la loi n° 2020-01 du 2 janvier 2020 est abrogé.")
	b.add(t, one, other)
	b.follow(t)
	want(t, "salt", b.shown(t, one.Document.ID, "1er"), "… → 2020-02-01 Le sel est libre.", "2020-02-01 →  (gone) [2]")
	want(t, "sugar", b.shown(t, other.Document.ID, "1er"), "… → 2020-02-01 Le sucre est libre.", "2020-02-01 →  (gone) [2]")
}

// TestNameOfTwoTexts checks that a name that two texts have is not guessed.
func TestNameOfTwoTexts(t *testing.T) {
	b := setup(t)
	c, twin, w := code(), code(), words()
	twin.Document.Title = "Loi n° 2023-07 du 14 mars 2023 relative à la pêche"
	twin.Articles[1].Text = "Le filet a dix mètres."
	b.add(t, c, twin, w)
	b.follow(t)
	want(t, "code", b.shown(t, c.Document.ID, "14"))
	want(t, "twin", b.shown(t, twin.Document.ID, "14"))
	undecided, _, err := b.DB.UndecidedActs(t.Context(), false, 1, 10)
	ok(t, err)
	if len(undecided) != 1 || undecided[0].Act.ID != w.Document.ID || undecided[0].Passages != 2 {
		t.Errorf("undecided: %+v", undecided)
	}
}

// TestActInTwoFiles checks that an act that is printed twice changes a text once.
func TestActInTwoFiles(t *testing.T) {
	b := setup(t)
	c := code()
	b.add(t, c)
	b.add(t, words())
	b.follow(t)
	b.add(t, words())
	b.follow(t)
	want(t, "article 14", b.shown(t, c.Document.ID, "14"), printed, second)
}

// TestSettlements checks what persons may decide on an operation that waits, and that it
// survives a rebuild.
func TestSettlements(t *testing.T) {
	similar := text("Loi n° 2025-03 du 4 mars 2025 modifiant le Code du travail", "2025-03", "2025-03-04", "2025-07-01",
		"1er: À l’article 14 de la loi n° 2023-07 du 14 mars 2023 portant Code du travail, les mots : « d’essai dure trente jour » sont remplacés par les mots : « d’essai dure quarante jours ».")
	accepted, mended := "La période d’essai dure quarante jours au plus.", "Quarante jours."
	for name, c := range map[string]struct {
		s    postgres.Settlement
		want []string
	}{
		"accept": {postgres.Settlement{Decision: "accept"}, []string{printed, "2025-07-01 →  " + accepted + " [1er]"}},
		"mend":   {postgres.Settlement{Decision: "mend", Body: mended}, []string{printed, "2025-07-01 →  Quarante jours. [1er]"}},
		"reject": {postgres.Settlement{Decision: "reject"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			text := code()
			b.add(t, text, similar)
			b.follow(t)
			waiting, n, err := b.DB.WaitingAmendments(t.Context(), 1, 10)
			ok(t, err)
			if n != 1 || waiting[0].Target == nil || waiting[0].Article != "14" {
				t.Fatalf("waiting: %+v", waiting)
			}
			ok(t, b.Settle(t.Context(), waiting[0].ID, c.s))
			_, _, err = b.Rebuild(t.Context())
			ok(t, err)
			want(t, "article 14", b.shown(t, text.Document.ID, "14"), c.want...)
			_, n, err = b.DB.WaitingAmendments(t.Context(), 1, 10)
			ok(t, err)
			if n != 0 {
				t.Errorf("%d still wait", n)
			}
			if err := b.Settle(t.Context(), waiting[0].ID, c.s); !errs.Is(err, errs.NotFound) {
				t.Errorf("settled again: %v, want NotFound", err)
			}
		})
	}
}
