package e2e

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// A worker is killed at random moments while it makes the wordings of amended texts anew: a text has all of them or none,
// never some, and the last worker makes what was there before, word for word.
func TestKilledWhileWordingsAreMade(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	ask := func(sql string) (said string) {
		t.Helper()
		if err := s.Query(t.Context(), sql, &said); err != nil {
			t.Fatal(err)
		}
		return said
	}
	// The wordings of each text, as a digest that a difference in any column changes.
	wordings := func() []string {
		return strings.Fields(ask(`SELECT coalesce(string_agg(d, ' ' ORDER BY d), '') FROM (SELECT document_id || ':' || md5(string_agg(v::text, '|' ORDER BY article_key, ordinal)) d
			FROM article_versions v GROUP BY document_id) x`))
	}
	whole := wordings()
	if len(whole) == 0 {
		t.Fatal("the sample has no amended text")
	}
	random := rand.New(rand.NewPCG(9, 1))
	killed := 0
	for range rounds(6, 40) {
		// What was made is gone, and the lease of a worker that was killed has run out.
		ask(`WITH gone AS (DELETE FROM article_versions) UPDATE followers SET rebuild = true, lease_until = '-infinity', not_before = '-infinity', state = 'done' WHERE name = 'versions' RETURNING state`)
		worker := startWorker(t, s)
		await(t, "a worker at the wordings", func() bool {
			return ask(`SELECT state || rebuild FROM followers WHERE name = 'versions'`) != "donetrue"
		})
		pause(moment(random, 80*time.Millisecond))
		worker.Kill()
		if ask(`SELECT rebuild::text FROM followers WHERE name = 'versions'`) == "true" {
			killed++
		}
		for _, one := range wordings() {
			if !slices.Contains(whole, one) {
				t.Errorf("after a kill, a text has other wordings than before: %s, not of %v", one, whole)
			}
		}
	}
	if killed == 0 {
		t.Error("no worker was killed at work")
	}
	ask(`UPDATE followers SET lease_until = '-infinity', not_before = '-infinity', rebuild = true, state = 'done' WHERE name = 'versions' RETURNING state`)
	startWorker(t, s)
	await(t, "the last worker", func() bool {
		return ask(`SELECT state || rebuild FROM followers WHERE name = 'versions'`) == "donefalse"
	})
	if made := wordings(); !slices.Equal(made, whole) {
		t.Errorf("made anew: %v, and before %v", made, whole)
	}
	t.Logf("%d workers killed before they had ended, %d texts with wordings", killed, len(whole))
}
