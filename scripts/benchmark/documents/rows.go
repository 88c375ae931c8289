package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// fill puts texts into the catalogue by COPY. As after any large import, indexes
// are made when the rows are there, and the tables are analyzed.
func fill(ctx context.Context, url string, rows int) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	file := uuid.New()
	if _, err := conn.Exec(ctx, `INSERT INTO ingestions (id, sha256, filename, size, state, lease_until)
		VALUES ($1, $2, 'catalogue.pdf', 1, 'done', now())`, file, strings.Repeat("0", 64)); err != nil {
		return err
	}
	indexes, err := dropIndexes(ctx, conn)
	if err != nil {
		return err
	}
	made := texts{file: file, left: rows, rand: rand.New(rand.NewPCG(1, 2))} // the same catalogue each time
	columns := []string{"id", "ingestion_id", "position", "title", "doc_type", "domaine", "numero_officiel", "promulgated_on",
		"in_force_on", "statut", "first_page", "last_page", "passages_count"}
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"documents"}, columns, &made); err != nil {
		return err
	}
	for _, sql := range append(indexes, `VACUUM ANALYZE documents`) {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// dropIndexes drops the indexes of the texts, those of constraints apart, and
// gives the statements that make them again.
func dropIndexes(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	rows, err := conn.Query(ctx, `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'documents'
		AND indexname NOT IN (SELECT conname FROM pg_constraint)`)
	if err != nil {
		return nil, err
	}
	var names, made []string
	var name, definition string
	if _, err := pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		names, made = append(names, name), append(made, definition)
		return nil
	}); err != nil {
		return nil, err
	}
	_, err = conn.Exec(ctx, `DROP INDEX `+strings.Join(names, ", "))
	return made, err
}

// texts makes texts as a country has them: most are orders and decrees, most of
// those in force are young, a few words are in very many titles.
type texts struct {
	file uuid.UUID
	left int
	made int
	rand *rand.Rand
}

// Next reports whether there is another text.
func (t *texts) Next() bool {
	t.left--
	t.made++
	return t.left >= 0
}

// Err is nil: making texts cannot fail.
func (t *texts) Err() error { return nil }

// Values are the columns of a text.
func (t *texts) Values() ([]any, error) {
	kind := weighted(t.rand, []string{"arrete", "decret", "loi", "circulaire", "code", "constitution"}, []int{5200, 3000, 1200, 590, 9, 1})
	domain := weighted(t.rand, []string{"autre", "travail", "impots", "foncier", "douanes", "civil", "penal"}, []int{35, 20, 15, 10, 8, 7, 5})
	days := int(25_000 * math.Sqrt(t.rand.Float64())) // more of them every year
	on := time.Date(1958, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days)
	status := weighted(t.rand, []string{"en_vigueur", "abroge", "modifie"}, []int{60 + days/2500, 30 - days/2500, 15})
	return []any{uuid.Must(uuid.NewV7()), t.file, t.made, t.title(kind, on), kind, domain, fmt.Sprintf("%d-%d", on.Year(), t.made), on,
		on.AddDate(0, 0, t.rand.IntN(90)), status, 1, 2, 3}, nil
}

func (t *texts) title(kind string, on time.Time) string {
	subjects := []string{"l’organisation des services", "la nomination de membres", "les congés annuels payés", "les marchés publics", "le permis de construire",
		"la taxe sur la valeur ajoutée", "les tarifs des douanes", "les hydrocarbures", "les archives nationales", "le brevet", "la pêche côtière"}
	subject := subjects[t.rand.IntN(len(subjects))]
	if t.made%50_000 == 7 {
		subject = "les îles Kerguelen, exonérées à 100%"
	}
	return fmt.Sprintf("%s n° %d-%d du %s relatif à %s %d", strings.ToUpper(kind[:1])+kind[1:], on.Year(), t.made, on.Format(time.DateOnly), subject, t.rand.IntN(50_000))
}

// weighted picks one of names, each as often as its weight says.
func weighted(r *rand.Rand, names []string, weights []int) string {
	all := 0
	for _, w := range weights {
		all += w
	}
	at := r.IntN(all)
	for i, w := range weights {
		if at -= w; at < 0 {
			return names[i]
		}
	}
	return names[0]
}
