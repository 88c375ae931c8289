package ingestion

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func TestRunMakesTexts(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(45))
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row := b.row(t)
	if row.State != "done" {
		t.Errorf("state %q, error %q", row.State, row.Error)
	}
	if row.Stage != "done" || row.PagesDone != 45 || row.PagesTotal != 45 {
		t.Errorf("stage %q, pages %d of %d", row.Stage, row.PagesDone, row.PagesTotal)
	}
	if len(row.Documents) != 1 || row.Documents[0].Articles != 90 {
		t.Errorf("documents %+v, want one of 90 articles", row.Documents)
	}
	b.pdf.readOnce(t)
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("a second run of what has ended: %v, want LeaseLost", err)
	}
}

func TestDoubtfulTextWaitsInReview(t *testing.T) {
	t.Parallel()
	b := setup(t, []layout.Page{typeset(1, "LOI N° 2019-3 relative aux voyageurs", "", "Article 1er. — Les bureaux ouvrent à huit heures et ferment à midi.")})
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	if row := b.check(t, "review", ""); len(row.Documents) != 1 || !row.Documents[0].InReview {
		t.Errorf("documents %+v", row.Documents)
	}
	if rows, _ := b.texts(t); len(rows) != 0 {
		t.Errorf("%d passages of a text in review are in the catalogue", len(rows))
	}
}

// A file that holds no law says so and ends; nothing of it is in the catalogue or waits.
func TestAFileWithoutLawSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t, []layout.Page{typeset(1, "Guide pratique du voyageur", "", "Les bureaux ouvrent à huit heures et ferment à midi.")})
	err := b.Run(t.Context(), b.id)
	if !errs.Is(err, errs.Unprocessable) {
		t.Fatal(err)
	}
	row := b.row(t)
	if row.State != "failed" || !strings.Contains(row.Error, "rien n’entre au catalogue") || len(row.Documents) != 0 {
		t.Errorf("state %q, error %q, documents %+v", row.State, row.Error, row.Documents)
	}
}

// texts returns the result of an ingestion for comparisons: the rows of its passages, and
// the texts in review with the number of articles of each.
func (b *bundle) texts(t *testing.T) (rows []postgres.IndexRow, documents []postgres.IngestedDocument) {
	t.Helper()
	err := b.DB.IndexRows(t.Context(), nil, func(r postgres.IndexRow) error { rows = append(rows, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return rows, b.row(t).Documents
}

// killer is a log handler that ends the goroutine when it reaches a stage for the first
// time.
type killer struct {
	slog.Handler
	stage string
	done  *bool
}

func killAt(stage string) *slog.Logger {
	return slog.New(&killer{Handler: slog.DiscardHandler, stage: stage, done: new(bool)})
}

func (k *killer) Enabled(context.Context, slog.Level) bool { return true }
func (k *killer) WithAttrs([]slog.Attr) slog.Handler       { return k }

func (k *killer) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "stage" && a.Value.String() == k.stage && !*k.done {
			*k.done = true
			runtime.Goexit()
		}
		return true
	})
	return nil
}

func TestKilledAtAnyStageAndResumed(t *testing.T) {
	t.Parallel()
	whole := setup(t, lawPages(45))
	if err := whole.Run(t.Context(), whole.id); err != nil {
		t.Fatal(err)
	}
	wantRows, wantDocuments := whole.texts(t)
	if len(wantRows) < 90 {
		t.Fatalf("%d passages in the catalogue", len(wantRows))
	}
	for _, stage := range []string{"pages", "texts", "save"} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			b := setup(t, lawPages(45))
			b.Log = killAt(stage)
			b.killed(t, 1)
			if err := b.Run(t.Context(), b.id); err != nil {
				t.Fatal(err)
			}
			b.pdf.readOnce(t)
			if b.pdf.opens != 1 {
				t.Errorf("the file was opened %d times", b.pdf.opens)
			}
			if row := b.row(t); row.State != whole.row(t).State || row.Attempt != 2 || row.PagesDone != 45 {
				t.Errorf("state %q, attempt %d, pages %d", row.State, row.Attempt, row.PagesDone)
			}
			rows, documents := b.texts(t)
			if !reflect.DeepEqual(rows, wantRows) || !reflect.DeepEqual(documents, wantDocuments) {
				t.Errorf("the resumed run made other texts than one that was not killed")
			}
		})
	}
}

// TestTheStageOfAnEarlierVersionIsRead checks that a row can be read whose stage was
// written by an earlier version.
func TestTheStageOfAnEarlierVersionIsRead(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(1))
	row, err := b.DB.StartIngestion(t.Context(), b.id)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DB.SetStage(t.Context(), b.id, row.Attempt, "index"); err != nil {
		t.Fatal(err)
	}
	if row := b.row(t); row.Stage != "index" || row.State != "running" {
		t.Errorf("row %+v", row)
	}
}

// TestAResumedAttemptTellsOfPagesThatTheFileLacks checks that missing pages, which are
// noticed when the file is opened, are also reported by an attempt that does not open it.
func TestAResumedAttemptTellsOfPagesThatTheFileLacks(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(3))
	b.pdf.missing = 7
	b.Log = killAt("texts")
	b.killed(t, 1)
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	b.check(t, "done", "il lui manque 7 page(s)")
	if b.pdf.opens != 1 {
		t.Errorf("the file was opened %d times", b.pdf.opens)
	}
}

func TestKilledBetweenPages(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(65))
	progress := 0
	kills := map[int]bool{21: true, 61: true} // before these pages are read
	b.pdf.before = func(_ context.Context, start, _ int) error {
		row := b.row(t)
		if row.PagesDone < progress || row.PagesDone < start-1 {
			t.Errorf("before page %d progress is %d, was %d", start, row.PagesDone, progress)
		}
		progress = row.PagesDone
		if kills[start] {
			delete(kills, start)
			runtime.Goexit()
		}
		return nil
	}
	b.killed(t, 1)
	b.killed(t, 2)
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	b.pdf.readOnce(t)
	if row := b.row(t); row.PagesDone != 65 || row.Attempt != 3 {
		t.Errorf("pages %d, attempt %d", row.PagesDone, row.Attempt)
	}
}

func TestCancelStopsTheRun(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(45))
	b.Renew = time.Millisecond
	b.pdf.before = func(ctx context.Context, start, _ int) error {
		if start < 21 {
			return nil
		}
		if err := b.DB.CancelIngestion(t.Context(), b.id); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return context.Cause(ctx)
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Errorf("Run: %v", err)
	}
	if row := b.check(t, "cancelled", ""); row.PagesDone != 20 || len(row.Documents) != 0 {
		t.Errorf("pages %d, documents %v", row.PagesDone, row.Documents)
	}
}

func TestCancelledBeforeItBegan(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(1))
	if err := b.DB.CancelIngestion(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("Run: %v, want LeaseLost", err)
	}
	b.check(t, "cancelled", "")
}

// TestLostLease starts a second attempt while the first one reads: the first must not
// change anything any more, whether or not its renewal notices.
func TestLostLease(t *testing.T) {
	t.Parallel()
	for name, renew := range map[string]time.Duration{"noticed": time.Millisecond, "unnoticed": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, lawPages(45))
			b.Renew = renew
			b.pdf.before = func(ctx context.Context, start, _ int) error {
				if start < 21 {
					return nil
				}
				if err := b.DB.ReleaseIngestion(t.Context(), b.id, 1); err != nil {
					t.Error(err)
				}
				if _, err := b.DB.StartIngestion(t.Context(), b.id); err != nil {
					t.Error(err)
				}
				if renew < time.Second {
					<-ctx.Done()
				}
				return context.Cause(ctx)
			}
			if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
				t.Errorf("Run: %v, want LeaseLost", err)
			}
			if row := b.check(t, "running", ""); row.Attempt != 2 || row.PagesDone != 20 {
				t.Errorf("attempt %d, pages %d", row.Attempt, row.PagesDone)
			}
		})
	}
}

// An attempt that a living worker loses counts as a failure, up to MaxTries.
func TestLostLeaseOfALivingWorkerIsAFailure(t *testing.T) {
	t.Parallel()
	for previous, want := range map[int]int{0: 1, MaxTries - 2: MaxTries - 1, MaxTries - 1: MaxTries - 1} {
		b := setup(t, lawPages(1))
		for attempt := 1; attempt <= previous; attempt++ {
			if _, err := b.DB.StartIngestion(t.Context(), b.id); err != nil {
				t.Fatal(err)
			}
			if err := b.DB.PutBackIngestion(t.Context(), b.id, attempt, "", 0); err != nil {
				t.Fatal(err)
			}
		}
		b.pdf.before = func(context.Context, int, int) error { return errs.New(errs.LeaseLost, "") }
		if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
			t.Fatalf("Run: %v, want LeaseLost", err)
		}
		if row := b.check(t, "running", ""); row.Failures != want || row.Tries != previous+1 {
			t.Errorf("after %d failures and a lost lease: %d, %d tries", previous, row.Failures, row.Tries)
		}
	}
}

func TestShutdownGivesTheFileBack(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(45))
	ctx, stop := context.WithCancel(t.Context())
	b.pdf.before = func(ctx context.Context, start, _ int) error {
		if start < 21 {
			return nil
		}
		stop()
		return context.Cause(ctx)
	}
	if err := b.Run(ctx, b.id); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	b.check(t, "queued", "")
	b.pdf.before = nil
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	b.pdf.readOnce(t)
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		err    error
		panics bool
		state  string
		reason string
	}{
		{name: "no PDF", err: errs.New(errs.Unsupported, "Le fichier n’est pas un PDF."), state: "failed", reason: "pas un PDF"},
		{name: "password", err: errs.New(errs.Unprocessable, "Le PDF est protégé."), state: "failed", reason: "protégé"},
		{name: "tool down", err: errs.New(errs.Unavailable, "Le disque ne répond pas."), state: "queued", reason: "Le disque"},
		{name: "defect", err: errors.New("index out of range in secret.go"), state: "failed", reason: "erreur interne"},
		{name: "panic", panics: true, state: "failed", reason: "erreur interne"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, lawPages(1))
			b.pdf.before = func(context.Context, int, int) error {
				if c.panics {
					panic("hostile file")
				}
				return c.err
			}
			if err := b.Run(t.Context(), b.id); err == nil || (c.err != nil && !errors.Is(err, c.err)) {
				t.Errorf("Run: %v, want %v", err, c.err)
			}
			if row := b.check(t, c.state, c.reason); strings.Contains(row.Error, "secret") {
				t.Errorf("the row tells internals: %q", row.Error)
			}
		})
	}
}

// A file that would occupy workers for days, or fill their memory, fails with a message
// that names the setting to raise.
func TestFilesThatAreTooMuch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pages  int
		bytes  int64
		reason string // "": it is ingested
	}{
		"as many pages as allowed": {pages: 3},
		"too many pages":           {pages: 2, reason: "VIGUEUR_WORKER_FILE_PAGES"},
		"enough room for words":    {bytes: 1 << 20},
		"too many words":           {bytes: 100, reason: "VIGUEUR_WORKER_FILE_WORDS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, lawPages(3))
			b.MostPages, b.MostBytes = c.pages, c.bytes
			err := b.Run(t.Context(), b.id)
			if c.reason == "" {
				if err != nil {
					t.Errorf("Run: %v", err)
				}
				return
			}
			if !errs.Is(err, errs.Unprocessable) {
				t.Errorf("Run: %v", err)
			}
			b.check(t, "failed", c.reason)
		})
	}
}

func TestGivenUpAfterMaxTries(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(1))
	b.Backoff = func(int) time.Duration { return 0 }
	b.pdf.before = func(context.Context, int, int) error { return errs.New(errs.Unavailable, "Le disque ne répond pas.") }
	for attempt := 1; attempt <= MaxTries; attempt++ {
		state := "queued"
		if attempt == MaxTries {
			state = "failed"
		}
		if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unavailable) {
			t.Fatalf("attempt %d: %v", attempt, err)
		}
		b.check(t, state, "Le disque ne répond pas.")
	}
}

func TestFileThatIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(1))
	if err := b.folder.Delete(t.Context(), b.sha); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.NotFound) {
		t.Errorf("Run: %v, want NotFound", err)
	}
	b.check(t, "failed", "n’est plus")
}

func TestUnknownIngestion(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(1))
	if err := b.Run(t.Context(), uuid.New()); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("Run: %v, want LeaseLost", err)
	}
}

func TestPagesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	pages := lawPages(5)
	for _, n := range []int{3, 4} {
		pages[n-1] = layout.Page{Number: n, Source: layout.None, Fault: "La page est abîmée."}
	}
	b := setup(t, pages)
	b.pdf.missing = 2
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row := b.row(t)
	for _, want := range []string{"Pages illisibles : 3–4.", "La page est abîmée.", "il lui manque 2 page(s)"} {
		if !strings.Contains(row.Error, want) {
			t.Errorf("error %q does not say %q", row.Error, want)
		}
	}
	if len(row.Documents) == 0 || row.PagesDone != 5 {
		t.Errorf("documents %v, pages %d", row.Documents, row.PagesDone)
	}
}

// TestDamagedWordsAreTold: a file with flipped bytes is still a PDF, but its words are
// garbled; the remark on the file reports that.
func TestDamagedWordsAreTold(t *testing.T) {
	t.Parallel()
	pages := lawPages(3)
	for i := range 6 {
		pages[1].Words[4+i].Text = "Ԡ瀅耀û" + pages[1].Words[4+i].Text
	}
	b := setup(t, pages)
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	b.check(t, "review", "Page abîmée : 2. Une partie des mots y est illisible.")
	waiting, err := b.DB.Reviews(t.Context(), b.id)
	if err != nil || len(waiting) != 1 || !slices.ContainsFunc(waiting[0].Doubts, func(d law.Doubt) bool { return d.Field == "texte" && strings.Contains(d.Reason, "(p. 2)") }) {
		t.Errorf("waiting %+v, error %v", waiting, err)
	}
}

func TestFileWithoutWords(t *testing.T) {
	t.Parallel()
	b := setup(t, []layout.Page{typeset(1), typeset(2)})
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("Run: %v, want Unprocessable", err)
	}
	b.check(t, "failed", "Aucun mot")
}

// scanned turns the given pages into images.
func scanned(pages []layout.Page, numbers ...int) (shown, scans []layout.Page) {
	shown = append(shown, pages...)
	for _, n := range numbers {
		scans = append(scans, pages[n-1])
		shown[n-1] = layout.Page{Number: n, Source: layout.None, Width: 595, Height: 842, Cover: 1, DPI: 200, Drawn: true}
	}
	return shown, scans
}

func TestScannedPagesAreRecognized(t *testing.T) {
	t.Parallel()
	shown, scans := scanned(lawPages(4), 2, 3)
	b := setup(t, shown)
	b.OCR = func(_ context.Context, doc Renderer, _ *ocr.Budget, asked []layout.Page, yield func(layout.Page) error) error {
		if len(asked) != 2 || asked[0].Number != 2 || asked[1].Number != 3 || asked[0].DPI != 200 || doc == nil {
			t.Errorf("asked to recognize %+v", asked)
		}
		for i := range scans { // in reverse, because the tool may choose any order
			p := scans[len(scans)-1-i]
			p.Source = layout.OCR
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row := b.row(t)
	if row.PagesDone != 4 || row.Error != "" || len(row.Documents) != 1 || row.Documents[0].Articles != 8 {
		t.Errorf("pages %d, error %q, documents %+v", row.PagesDone, row.Error, row.Documents)
	}
}

func TestWithoutOCRTheOtherPagesGoIn(t *testing.T) {
	t.Parallel()
	shown, _ := scanned(lawPages(4), 4)
	b := setup(t, shown)
	b.OCR = func(context.Context, Renderer, *ocr.Budget, []layout.Page, func(layout.Page) error) error {
		return errs.New(errs.Unavailable, "Tesseract n’est pas installé.")
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row := b.row(t)
	if row.PagesDone != 3 || row.Error != "Page non lue : 4. Tesseract n’est pas installé." || len(row.Documents) != 1 {
		t.Errorf("pages %d, error %q, documents %+v", row.PagesDone, row.Error, row.Documents)
	}
}

// TestPagesThatWereGivenUpAreReadAgain retries a file with a page that could not be
// recognized: only that page is read, its articles are added, and manual edits of the text
// stay.
func TestPagesThatWereGivenUpAreReadAgain(t *testing.T) {
	t.Parallel()
	shown, scans := scanned(lawPages(4), 4)
	b := setup(t, shown)
	seen := shown[3]
	seen.Fault = "La reconnaissance a dépassé 360 secondes."
	b.OCR = func(_ context.Context, _ Renderer, _ *ocr.Budget, _ []layout.Page, yield func(layout.Page) error) error {
		return yield(seen)
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row := b.check(t, "done", "Page illisible : 4. La reconnaissance a dépassé 360 secondes.")
	if row.Unread != 1 || row.PagesDone != 4 || row.Documents[0].Articles != 6 {
		t.Errorf("row %+v", row)
	}
	title, number := "Code du travail, corrigé", "2023-4"
	if _, err := b.DB.ChangeDocument(t.Context(), row.Documents[0].ID, postgres.DocumentChange{Title: &title, OfficialNumber: &number}, postgres.StatusChange{}); err != nil {
		t.Fatal(err)
	}
	if err := b.DB.RetryIngestion(t.Context(), b.id, nil); err != nil {
		t.Fatal(err)
	}
	if row = b.row(t); row.State != "queued" || row.PagesDone != 3 || row.Unread != 1 {
		t.Errorf("queued again: %+v", row)
	}
	seen = scans[0]
	seen.Source = layout.OCR
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row = b.check(t, "done", "")
	b.pdf.readOnce(t, 4)
	if d := row.Documents[0]; row.Unread != 0 || d.Articles != 8 || d.Title != title || d.Number != number {
		t.Errorf("row %+v", row)
	}
	if err := b.DB.RetryIngestion(t.Context(), b.id, nil); !errs.Is(err, errs.Conflict) {
		t.Errorf("a file that was read whole: %v", err)
	}
}

// TestRecognitionHasABudget: the time of recognition counts across a killed worker and its successor. The file then
// fails, keeps its pages, and has the whole time again when it is retried.
func TestRecognitionHasABudget(t *testing.T) {
	t.Parallel()
	shown, scans := scanned(lawPages(4), 2, 3)
	b := setup(t, shown)
	b.MostOCR, b.Renew = 300*time.Millisecond, time.Millisecond
	const beforeTheKill = 200 * time.Millisecond
	attempt := 0
	b.OCR = func(ctx context.Context, _ Renderer, budget *ocr.Budget, asked []layout.Page, yield func(layout.Page) error) error {
		attempt++
		ctx, done, err := budget.Start(ctx)
		if err != nil {
			return err
		}
		defer done()
		switch attempt {
		case 1:
			scans[0].Source = layout.OCR
			if err := yield(scans[0]); err != nil {
				return err
			}
			for b.row(t).Recognition < beforeTheKill {
			}
			runtime.Goexit()
		case 2:
			if used := budget.Used(); used < beforeTheKill || len(asked) != 1 || asked[0].Number != 3 {
				t.Errorf("the second attempt begins at %v, with %+v", used, asked)
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}
		if used := budget.Used(); used > b.MostOCR {
			t.Errorf("the retry begins at %v", used)
		}
		scans[1].Source = layout.OCR
		return yield(scans[1])
	}
	b.killed(t, 1)
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unprocessable) || !errors.Is(err, ocr.ErrSpent) {
		t.Errorf("Run: %v", err)
	}
	row := b.check(t, "failed", "a pris 0.3 s, la limite d’un fichier (VIGUEUR_WORKER_FILE_OCR). Pages lues et gardées : 3 sur 4. Reprenez le fichier")
	if row.Recognition < b.MostOCR || row.PagesDone != 3 {
		t.Errorf("row %+v", row)
	}
	if err := b.DB.RetryIngestion(t.Context(), b.id, nil); err != nil {
		t.Fatal(err)
	}
	if row := b.row(t); row.Recognition != 0 || row.PagesDone != 3 {
		t.Errorf("queued again: %+v", row)
	}
	b.MostOCR = time.Hour
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row = b.check(t, "done", "")
	if row.Documents[0].Articles != 8 {
		t.Errorf("row %+v", row)
	}
	b.pdf.readOnce(t, 3)
}

// TestASecondReadingBeyondTheBudget leaves the pages as they were first read: a second reading is worth no failure.
func TestASecondReadingBeyondTheBudget(t *testing.T) {
	t.Parallel()
	b, _ := misread(t)
	b.MostOCR = time.Millisecond
	b.Part = func(ctx context.Context, _ Renderer, budget *ocr.Budget, _ layout.Page, _ law.Rect, _ ocr.Setting) ([][]layout.Word, error) {
		ctx, done, err := budget.Start(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	if row := b.check(t, "done", "Numéros d’articles absents"); row.Documents[0].Articles != 7 || row.Recognition < b.MostOCR {
		t.Errorf("row %+v", row)
	}
}

func TestFrenchDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{5 * time.Hour: "5 h", 90 * time.Minute: "90 min", 90 * time.Second: "90 s", 300 * time.Millisecond: "0.3 s"} {
		if got := frenchDuration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// TestFileThatVanishesBetweenTwoSteps deletes the file while its pages are read, and
// afterward: saved pages stay, what needs no file is done, and once the file is back only
// the rest is read.
func TestFileThatVanishesBetweenTwoSteps(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(45))
	b.Log = killAt("texts")
	b.killed(t, 1)
	if err := b.folder.Delete(t.Context(), b.sha); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatalf("all pages were read before the file went: %v", err)
	}
	b.check(t, "done", "")

	b = setup(t, lawPages(45))
	b.pdf.before = func(_ context.Context, start, _ int) error {
		if start > 20 {
			runtime.Goexit()
		}
		return nil
	}
	b.killed(t, 1)
	if err := b.folder.Delete(t.Context(), b.sha); err != nil {
		t.Fatal(err)
	}
	b.pdf.before = nil
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.NotFound) {
		t.Errorf("Run: %v, want NotFound", err)
	}
	if row := b.check(t, "failed", "n’est plus"); row.PagesDone != 20 {
		t.Errorf("%d pages are left of the 20 that were read", row.PagesDone)
	}
	if err := b.folder.Put(t.Context(), b.sha, strings.NewReader("%PDF-1.7 of 45 pages")); err != nil {
		t.Fatal(err)
	}
	if err := b.DB.RetryIngestion(t.Context(), b.id, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	b.pdf.readOnce(t)
}

// TestCancelIsSeenBeforeTheLeaseIsRenewed checks that a cancellation does not wait for the
// next renewal of the lease.
func TestCancelIsSeenBeforeTheLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(5))
	b.Renew = time.Hour
	b.pdf.before = func(ctx context.Context, _, _ int) error {
		if err := b.DB.CancelIngestion(t.Context(), b.id); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return context.Cause(ctx)
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Errorf("Run: %v", err)
	}
	b.check(t, "cancelled", "")
}
