package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"vigueur/scripts/benchmark/report"
)

var (
	kinds     = []string{"loi", "decret", "arrete"}
	called    = []string{"Loi", "Décret", "Arrêté"}
	countries = []string{"bj", "sn", "bf", "ci", "cm", "dz", "tn", "ma", "ml", "ne"}
	subjects  = []string{"organisation des services", "statut particulier du personnel", "tarifs des douanes", "régime des concessions", "protection de l’environnement",
		"répression des fraudes", "finances publiques", "régime électoral", "procédure administrative", "archives nationales", "création d’un établissement public", "marchés publics"}
	domains = []string{"de la pêche", "de l’agriculture", "des mines", "de l’enseignement supérieur", "de la santé", "des transports", "de l’eau", "des forêts",
		"de la justice", "des communes", "du travail", "de l’énergie", "des télécommunications", "du tourisme", "de l’artisanat"}
)

// fill makes a catalogue of so many texts by plain SQL. Each has a country; one in seven changes another; each country has
// its codes, of the same names as those of others.
func fill(ctx context.Context, url string, texts int) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	_, err = conn.Exec(ctx, `INSERT INTO ingestions (id, sha256, filename, size, state, lease_until)
		VALUES ('00000000-0000-0000-0000-000000000001', repeat('a', 64), 'a.pdf', 1, 'done', now())`)
	if err != nil {
		return err
	}
	const atOnce = 50_000 // a statement may take ten minutes
	for from := 0; from < texts; from += atOnce {
		_, err := conn.Exec(ctx, `INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on,
				first_page, last_page, passages_count, countries)
			SELECT md5('text ' || n)::uuid, '00000000-0000-0000-0000-000000000001', n,
				CASE WHEN n < 150 THEN 'Code ' || ($5::text[])[n % 15 + 1]
					ELSE ($4::text[])[n % 3 + 1] || ' n° ' || year || '-' || n / 60 || ' du ' || to_char(day, 'FMDD') || ' mars ' || year
						|| CASE WHEN n % 7 = 0 THEN ' modifiant le texte portant ' ELSE ' portant ' END || ($6::text[])[n / 3 % 12 + 1] || ' ' || ($5::text[])[n / 36 % 15 + 1]
						|| ' de la région ' || n / 540 % 997 END,
				CASE WHEN n < 150 THEN 'code' ELSE ($3::text[])[n % 3 + 1] END, 'autre', CASE WHEN n < 150 THEN '' ELSE year || '-' || n / 60 END,
				day, day + 1, 1, 1, 1, ARRAY[($7::text[])[CASE WHEN n < 150 THEN n / 15 ELSE n / 180 % 10 END + 1]]
			FROM (SELECT n, 1960 + n % 60 AS year, make_date(1960 + n % 60, 3, 1 + n / 60 % 28) AS day FROM generate_series($1::int, $2::int) n) t`,
			from, min(from+atOnce, texts)-1, kinds, called, domains, subjects, countries)
		if err != nil {
			return err
		}
	}
	return nil
}

// settle leaves the database as it is some minutes later.
func settle(ctx context.Context, r *report.Report, url string, texts int) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	if _, err := conn.Exec(ctx, `VACUUM ANALYZE documents, text_names`); err != nil {
		return err
	}
	var size int64
	if err := conn.QueryRow(ctx, `SELECT pg_total_relation_size('text_names')`).Scan(&size); err != nil {
		return err
	}
	r.Figure("database_bytes_per_text", float64(size)/float64(texts), "bytes, of PostgreSQL")
	return nil
}

// unmade is how many texts are without keys where a quarter is behind.
const unmade = 3000

// outdate leaves a quarter of the texts with keys of another version, and some without any.
func outdate(ctx context.Context, url string, texts int) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	_, err = conn.Exec(ctx, `UPDATE text_names SET analysis = CASE WHEN position < $1 THEN 0 ELSE analysis + 1 END, keys = CASE WHEN position < $1 THEN '{}' ELSE keys END
		FROM documents d WHERE d.id = document_id AND d.position < $2`, min(unmade, texts/10), texts/4)
	return err
}

// drawn makes questions.
type drawn struct {
	*rand.Rand
	texts int
}

func (d drawn) of(list []string) string { return list[d.IntN(len(list))] }

type kind struct {
	name string
	ask  func() string
}

func (d drawn) kinds() []kind {
	year := func() int { return 1960 + d.IntN(60) }
	// Half of the numbers are beyond those that there are.
	number := func() string { return strconv.Itoa(year()) + "-" + strconv.Itoa(3+d.IntN(2*d.texts/60)) }
	small := func() string { return strings.ToLower(d.of(called)) }
	return []kind{
		{"number", func() string { return fmt.Sprintf("Que dit le %s n° %s ?", small(), number()) }},
		{"code", func() string {
			return "Que dit le code " + d.of(domains) + d.of([]string{"", " du Bénin", " sénégalais", " algérien"}) + " ?"
		}},
		{"no_code", func() string {
			return "Que dit le code " + d.of([]string{"des moulins", "du sel", "de la route", "des gabelles"}) + " ?"
		}},
		{"day", func() string { return fmt.Sprintf("Que dit l’arrêté du %d mars %d ?", 2+d.IntN(27), year()) }},
		{"year", func() string { return fmt.Sprintf("Que dit la loi de %d sur les %s ?", year(), d.of(subjects)) }},
		{"words", func() string {
			return fmt.Sprintf("Que dit la loi portant %s %s de la région %d ?", d.of(subjects), d.of(domains), d.IntN(2000))
		}},
	}
}
