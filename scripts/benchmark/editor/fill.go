package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// fill makes a catalogue of so many texts by plain SQL: one article and one change
// a text, as a country's gazettes have them. Of the changes seven in ten name a
// text that is there by its number, two one that is not there, and one a title:
// half of these one of two codes (18 and 38), half a title that no text has. Some hundred name a
// code by the name that four editions have (5 to 8), and are uncertain.
func fill(ctx context.Context, url string, texts, waiting int) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	numbers := strings.NewReplacer("$texts", strconv.Itoa(texts), "$waiting", strconv.Itoa(waiting))
	for _, step := range []string{
		`INSERT INTO ingestions (id, sha256, filename, size, state, lease_until, created_at)
			SELECT md5('file ' || n)::uuid, md5('a' || n) || md5('b' || n), n || '.pdf', 1, CASE WHEN n < $waiting THEN 'review' ELSE 'done' END, now(),
				now() - n * interval '1 minute'
			FROM generate_series(0, $texts / 10 - 1) n`,
		`INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on,
				first_page, last_page, passages_count, in_review)
			SELECT md5('text ' || n)::uuid, md5('file ' || n / 10)::uuid, n,
				CASE WHEN n BETWEEN 5 AND 8 THEN 'Code des impôts de ' || year WHEN n < 40 THEN 'Code des matières ' || n ELSE initcap(kind) || ' n° ' || year || '-' || n || ' du 3 mars ' || year
					|| CASE WHEN n % 1000 = 500 THEN ' modifiant le code des matières '
							ELSE (ARRAY[' portant organisation des services ', ' fixant les tarifs des douanes ', ' relatif aux archives '])[n % 3 + 1] END || n % 900 END,
				CASE WHEN n < 40 THEN 'code' ELSE kind END, 'autre', CASE WHEN n < 40 AND n NOT BETWEEN 5 AND 8 THEN '' ELSE year || '-' || n END,
				make_date(year, 3, 3), make_date(year, 3, 4), 1, 1, 1, n / 10 < $waiting AND n % 10 = 9
			FROM (SELECT n, CASE WHEN n BETWEEN 5 AND 8 THEN 1980 + n ELSE 1960 + n * 60 / $texts END AS year, (ARRAY['arrete', 'decret', 'loi'])[n % 3 + 1] AS kind FROM generate_series(0, $texts - 1) n) t`,
		`INSERT INTO articles (id, document_id, position, number, page, body)
			SELECT md5('article ' || n)::uuid, md5('text ' || n)::uuid, 0, '1er', 1, 'Les dispositions du présent texte sont exécutoires.' FROM generate_series(0, $texts - 1) n`,
		`INSERT INTO passages (id, document_id, article_id, position, page, body)
			SELECT md5('passage ' || n)::uuid, md5('text ' || n)::uuid, md5('article ' || n)::uuid, 0, 1, 'Les dispositions du présent texte sont exécutoires.'
			FROM generate_series(0, $texts - 1) n`,
		`INSERT INTO relations (id, source_id, source_article, kind, target_number, target_title, target_articles, effective_on)
			SELECT md5('relation ' || n)::uuid, md5('text ' || n)::uuid, md5('article ' || n)::uuid, CASE WHEN n % 5 = 0 THEN 'abroge' ELSE 'modifie' END,
				CASE WHEN n % 20 < 14 THEN 1960 + (n / 2) * 60 / $texts || '-' || n / 2 WHEN n % 20 < 18 THEN '1950-' || n ELSE '' END,
				CASE WHEN n % 20 < 18 THEN '' WHEN n % 20 = 18 THEN 'Code des matières ' || n % 40 ELSE 'texte que nul ne connaît ' || n END,
				'{2}', make_date(1960 + n * 60 / $texts, 3, 4)
			FROM generate_series(40, $texts - 1) n`,
		`INSERT INTO relation_targets (relation_id, document_id)
			SELECT r.id, d.id FROM relations r JOIN documents d ON d.numero_officiel = r.target_number AND NOT d.in_review AND d.id <> r.source_id
			WHERE r.target_number <> ''
			UNION ALL SELECT r.id, d.id FROM relations r JOIN documents d ON d.title = r.target_title WHERE r.target_title <> ''`,
		`UPDATE relations SET target_type = 'code', target_number = '', target_title = 'Code des impôts' WHERE md5(id::text) LIKE '00%'
			AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = id)`,
		`UPDATE relations SET uncertain = target_title = 'Code des impôts'`,
		`UPDATE documents d SET statut = 'modifie' WHERE EXISTS (SELECT FROM relation_targets t WHERE t.document_id = d.id)`,
		`INSERT INTO articles (id, document_id, position, number, page, body, valid_from)
			SELECT md5('wording ' || n)::uuid, md5('text ' || n)::uuid, 1, '2', 1, 'Les tarifs sont doublés.', make_date(1960 + n * 60 / $texts, 3, 4)
			FROM generate_series(40, $texts - 1, 10) n`,
		`INSERT INTO wordings (article_id, within, relation_id, number)
			SELECT md5('wording ' || n)::uuid, md5('article ' || n)::uuid, md5('relation ' || n)::uuid, '2' FROM generate_series(40, $texts - 1, 10) n`,
	} {
		if _, err := conn.Exec(ctx, numbers.Replace(step)); err != nil {
			return fmt.Errorf("%.60s: %w", step, err)
		}
	}
	_, err = conn.Exec(ctx, `VACUUM ANALYZE`)
	return err
}
