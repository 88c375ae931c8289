package postgres_test

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// Migrate reports the progress of the preparation from the first text to the last.
func TestMigrateTellsOfTheTextsItPrepares(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, `INSERT INTO ingestions (id, sha256, filename, size, state, lease_until) VALUES ('`+uuid.Nil.String()+`', repeat('a', 64), 'a.pdf', 1, 'done', now())`)
	pgtest.Exec(t, url, `INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on, first_page, last_page, passages_count)
		SELECT md5(n::text)::uuid, '`+uuid.Nil.String()+`', n, 'Loi ' || n, 'loi', 'autre', '', '2021-01-01', '2021-01-01', 1, 1, 1 FROM generate_series(1, 1200) n`)
	told := make(map[string][]int)
	tell := func(p postgres.Migrating) {
		if p.Of != 1200 {
			t.Errorf("%+v, want of 1200", p)
		}
		told[p.Step] = append(told[p.Step], p.Number)
	}
	_, err := postgres.Migrate(t.Context(), url, tell)
	ok(t, err)
	for step, times := range map[string]int{postgres.PreparesSearch: 1201, postgres.PreparesNames: 4} { // names are made 500 at a time
		numbers := told[step]
		if len(numbers) != times || numbers[0] != 0 || numbers[len(numbers)-1] != 1200 {
			t.Errorf("%s is told of %d times, want %d", step, len(numbers), times)
		}
	}
	_, err = postgres.Migrate(t.Context(), url, func(p postgres.Migrating) { t.Errorf("nothing to do, told of %+v", p) })
	ok(t, err)
}
