package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// states are the states of a file, with their French names in tables.
var states = [][2]string{{"queued", "en attente"}, {"running", "en cours"}, {"review", "en revue"},
	{"done", "terminé"}, {"failed", "échec"}, {"cancelled", "annulé"}, {refused, "refusé"}, {wanted, "à ajouter"}}

// The states of a file without an ingestion: it was rejected, or it would be added.
const (
	refused = "refused"
	wanted  = "wanted"
)

func stateName(state string) string {
	for _, s := range states {
		if s[0] == state {
			return s[1]
		}
	}
	return state
}

func (a *app) statusCommand() *cobra.Command {
	var state string
	var limit int
	c := &cobra.Command{
		Use: "status [ID]", Short: "Dit où en sont les ingestions", Args: takes(0, 1, ""),
		Long: "Liste les ingestions, la plus récente d’abord, ou montre l’une d’elles avec ses textes.",
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 || limit > 10000 {
				return usage("--limit va de 1 à 10000.")
			}
			if state != "" && (state == refused || state == wanted || stateName(state) == state) {
				return usage("--state ne peut pas valoir « %s » : queued, running, review, done, failed, cancelled.", cleanLine(state))
			}
			if len(args) == 0 {
				return a.withDB(c.Context(), func(db *postgres.DB) error { return a.statusList(c.Context(), db, state, limit) })
			}
			id, err := typedID(ingestions, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.statusOne(c.Context(), db, id) })
		},
	}
	c.Flags().StringVar(&state, "state", "", "`ÉTAT` : queued, running, review, done, failed, cancelled")
	number(c, &limit, "limit", 50, "`N` ingestions au plus")
	return c
}

// ingestionView is an ingestion in the form of the HTTP interface.
type ingestionView struct {
	ID         uuid.UUID                   `json:"id"`
	Filename   string                      `json:"filename"`
	SHA256     string                      `json:"sha256"`
	Size       int64                       `json:"size"`
	State      string                      `json:"state"`
	Stage      string                      `json:"stage"`
	PagesDone  int                         `json:"pages_done"`
	PagesTotal int                         `json:"pages_total"`
	Error      string                      `json:"error"`
	Attempts   int                         `json:"attempts"`
	Documents  []postgres.IngestedDocument `json:"documents"`
	RefinedIn  *int64                      `json:"refined_in_seconds"`
	CreatedAt  time.Time                   `json:"created_at"`
	UpdatedAt  time.Time                   `json:"updated_at"`
}

func viewOf(i postgres.Ingestion) ingestionView {
	return ingestionView{i.ID, i.Filename, i.SHA256, i.Size, i.State, i.Stage, i.PagesDone, i.PagesTotal, i.Error, i.Attempt,
		append([]postgres.IngestedDocument{}, i.Documents...), nil, i.CreatedAt.UTC(), i.UpdatedAt.UTC()}
}

// refinedView is viewOf with the time until the file's texts are found as precisely as all
// others, nil if they are or the time is not known.
func refinedView(i postgres.Ingestion, refining map[uuid.UUID]time.Duration) ingestionView {
	v := viewOf(i)
	if left, ok := refining[i.ID]; ok {
		seconds := int64(left.Seconds())
		v.RefinedIn = &seconds
	}
	return v
}

// refining returns the time until the texts of the files are found as precisely as all
// others, for those where it is known.
func refining(ctx context.Context, db *postgres.DB, rows ...postgres.Ingestion) (map[uuid.UUID]time.Duration, error) {
	ids := make([]uuid.UUID, len(rows))
	for n, i := range rows {
		ids[n] = i.ID
	}
	return db.Refining(ctx, ids)
}

// readableNow says that texts can be read, and when they are found more precisely: in
// minutes, rounded up, or in hours where minutes would be many.
func readableNow(left time.Duration) string {
	minutes := int((left + time.Minute - 1) / time.Minute)
	when := fmt.Sprintf("%d minutes", minutes)
	switch {
	case minutes <= 1:
		when = "une minute"
	case minutes > 120:
		when = fmt.Sprintf("%d heures", (minutes+59)/60)
	}
	return "lisible dès maintenant, plus précis dans " + when
}

func (a *app) statusList(ctx context.Context, db *postgres.DB, state string, limit int) error {
	rows, err := db.Ingestions(ctx, state, limit)
	if err != nil {
		return err
	}
	if a.json {
		return a.statusJSON(ctx, db, state, rows)
	}
	t := table{head: []string{"AJOUTÉ LE", "FICHIER", "ÉTAT", "PAGES", "TEXTES", "ARTICLES", "MOTIF", "ID"},
		omit: []string{"ARTICLES", "TEXTES", "AJOUTÉ LE", "PAGES"}}
	var ids []uuid.UUID
	for _, i := range rows {
		ids = append(ids, i.ID)
		t.add(moment(i.CreatedAt), i.Filename, stateName(i.State), pagesOf(i), len(i.Documents), articlesOf(i), i.Error, i.ID)
	}
	if t.ids, err = a.shortIDs(ctx, db, ingestions, ids...); err != nil {
		return err
	}
	left, err := refining(ctx, db, rows...)
	if err != nil {
		return err
	}
	if err := t.write(a.out, "Aucune ingestion. Ajoutez des gazettes : ingest add FICHIER.pdf…"); err != nil {
		return err
	}
	for _, d := range left { // all are refined at the same time
		fmt.Fprintf(a.out, "\n%s : %s.\n", count(len(left), "fichier"), readableNow(d))
		break
	}
	return a.statusAmendments(ctx, db)
}

// statusAmendments says how many amendments are applied and why others wait, if there are any.
func (a *app) statusAmendments(ctx context.Context, db *postgres.DB) error {
	f, err := db.AmendmentFigures(ctx)
	if err != nil || f.Versions+f.Waiting == 0 {
		return err
	}
	fmt.Fprintf(a.out, "\nModifications : %s de %s, %d en attente.\n", count(f.Versions, "version"), count(f.Articles, "article"), f.Waiting)
	for _, r := range f.Reasons {
		printField(a.out, 8, fmt.Sprintf("  %d", r.Count), r.Reason.Sentence())
	}
	if f.Waiting > 0 {
		fmt.Fprintln(a.out, "Voir : ingest versions waiting")
	}
	return nil
}

func (a *app) statusJSON(ctx context.Context, db *postgres.DB, state string, rows []postgres.Ingestion) error {
	total, err := db.IngestionCount(ctx, state)
	if err != nil {
		return err
	}
	left, err := refining(ctx, db, rows...)
	if err != nil {
		return err
	}
	views := make([]ingestionView, len(rows))
	for n, i := range rows {
		views[n] = refinedView(i, left)
	}
	return writeList(a.out, views, total)
}

func pagesOf(i postgres.Ingestion) string { return fmt.Sprintf("%d/%d", i.PagesDone, i.PagesTotal) }

func articlesOf(i postgres.Ingestion) (n int) {
	for _, d := range i.Documents {
		n += d.Articles
	}
	return n
}

func (a *app) statusOne(ctx context.Context, db *postgres.DB, meant typed) error {
	id, err := meant.find(ctx, db)
	if err != nil {
		return err
	}
	i, err := db.Ingestion(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return ingestions.absent(id)
	}
	if err != nil {
		return err
	}
	left, err := refining(ctx, db, i)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, refinedView(i, left))
	}
	state := stateName(i.State)
	if d, ok := left[id]; ok {
		state += ", " + readableNow(d)
	}
	for _, line := range [][2]string{{"Ingestion", i.ID.String()}, {"Fichier", fmt.Sprintf("%s (%s)", i.Filename, bytesOf(i.Size))},
		{"État", state}, {"Pages", pagesOf(i)}, {"Tentatives", fmt.Sprint(i.Attempt)},
		{"Ajouté le", moment(i.CreatedAt)}, {"Modifié le", moment(i.UpdatedAt)}, {"Motif", i.Error}} {
		if line[1] != "" {
			printField(a.out, 12, line[0], cleanLine(line[1]))
		}
	}
	fmt.Fprintln(a.out)
	if err := a.statusTexts(ctx, db, i.Documents); err != nil {
		return err
	}
	return a.statusDoubts(ctx, db, i)
}

// statusDoubts prints the doubts of each text of a file that is in review.
func (a *app) statusDoubts(ctx context.Context, db *postgres.DB, i postgres.Ingestion) error {
	if !slices.ContainsFunc(i.Documents, func(d postgres.IngestedDocument) bool { return d.InReview }) {
		return nil
	}
	reviews, err := db.Reviews(ctx, i.ID)
	if err != nil {
		return err
	}
	for _, r := range reviews {
		fmt.Fprintln(a.out)
		printField(a.out, 23, "Doutes, p. "+span(r.Document), cleanLine(r.Document.Title))
		for _, doubt := range r.Doubts {
			printField(a.out, 23, "  "+doubt.Field, cleanLine(doubt.Reason))
		}
	}
	return nil
}

// statusTexts prints the texts of a file.
func (a *app) statusTexts(ctx context.Context, db *postgres.DB, documents []postgres.IngestedDocument) (err error) {
	var ids []uuid.UUID
	for _, d := range documents {
		if ids = append(ids, d.ID); d.SupersededBy != nil {
			ids = append(ids, *d.SupersededBy)
		}
	}
	t := table{head: []string{"NATURE", "NUMÉRO", "ARTICLES", "ÉTAT", "TITRE", "ID"}, omit: []string{"ARTICLES", "NATURE"}}
	if t.ids, err = a.shortIDs(ctx, db, texts, ids...); err != nil {
		return err
	}
	for _, d := range documents {
		where := "au catalogue"
		if d.InReview {
			where = "en revue"
		}
		if d.SupersededBy != nil {
			where = "remplacé par " + shortOf(t.ids, *d.SupersededBy)
		}
		t.add(law.Kind(law.DocType(d.Type), d.Nature), d.Number, d.Articles, where, d.Title, d.ID)
	}
	return t.write(a.out, "Aucun texte.")
}

// bytesOf formats a size in binary units, as file managers do.
func bytesOf(n int64) string {
	units := []string{"octets", "Kio", "Mio", "Gio"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d %s", n, units[0])
	}
	return strings.Replace(fmt.Sprintf("%.1f %s", size, units[unit]), ".", ",", 1)
}
