package postgres_test

import (
	"fmt"
	"sync"
	"testing"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// lines adds n entries to the log, and returns their ids in the order of the chain.
func (b bundle) lines(t *testing.T, n int) (ids []int64) {
	t.Helper()
	for range n {
		ok(t, b.SetPassword(t.Context(), b.user.ID, "y"))
	}
	var all []int64
	ok(t, b.QueryRow(t.Context(), `SELECT array_agg(line_id ORDER BY seq) FROM audit_chain`).Scan(&all))
	return all
}

func (b bundle) verified(t *testing.T, kept *postgres.AuditHead) (head postgres.AuditHead, told []string) {
	t.Helper()
	head, n, faults, err := b.VerifyAudit(t.Context(), kept)
	ok(t, err)
	if n != head.Seq {
		t.Errorf("%d lines, the last is number %d", n, head.Seq)
	}
	for _, f := range faults {
		told = append(told, fmt.Sprintf("%s %d", f.Reason, f.ID))
	}
	return head, told
}

// asSuperuser runs a statement without the triggers that protect the log.
func (b bundle) asSuperuser(t *testing.T, sql string, args ...any) {
	t.Helper()
	tx, err := b.Begin(t.Context())
	ok(t, err)
	for _, table := range []string{"audit", "audit_chain"} {
		_, err = tx.Exec(t.Context(), `ALTER TABLE `+table+` DISABLE TRIGGER USER`)
		ok(t, err)
	}
	_, err = tx.Exec(t.Context(), sql, args...)
	ok(t, err)
	for _, table := range []string{"audit", "audit_chain"} {
		_, err = tx.Exec(t.Context(), `ALTER TABLE `+table+` ENABLE TRIGGER USER`)
		ok(t, err)
	}
	ok(t, tx.Commit(t.Context()))
}

func TestEachLineOfTheLogHoldsTheOneBefore(t *testing.T) {
	for _, c := range []struct {
		name, sql string
		want      func(ids []int64) []string
	}{
		{"untouched", `SELECT $1::bigint`, func([]int64) []string { return nil }},
		{"changed", `UPDATE audit SET object = 'x' WHERE id = $1`, func(ids []int64) []string { return []string{fmt.Sprint("changed ", ids[2])} }},
		{"its author changed", `UPDATE audit SET user_id = gen_random_uuid() WHERE id = $1`, func(ids []int64) []string { return []string{fmt.Sprint("changed ", ids[2])} }},
		{"removed", `DELETE FROM audit WHERE id = $1`, func(ids []int64) []string { return []string{fmt.Sprint("removed ", ids[2])} }},
		{"removed with its place", `WITH l AS (DELETE FROM audit WHERE id = $1 RETURNING at, id)
			DELETE FROM audit_chain c USING l WHERE c.line_at = l.at AND c.line_id = l.id`, func(ids []int64) []string { return []string{fmt.Sprint("gap ", ids[3])} }},
		{"moved in time", `UPDATE audit SET at = at - interval '1 microsecond' WHERE id = $1`,
			func(ids []int64) []string {
				return []string{fmt.Sprint("removed ", ids[2]), fmt.Sprint("slipped ", ids[2])}
			}},
		{"hashed anew", `WITH l AS (UPDATE audit SET object = 'x' WHERE id = $1 RETURNING audit AS line, id)
			UPDATE audit_chain c SET hash = audit_sum(c.prev, c.seq, l.line) FROM l WHERE c.line_id = l.id`, func(ids []int64) []string { return []string{fmt.Sprint("unlinked ", ids[3])} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t)
			ids := b.lines(t, 5)
			b.asSuperuser(t, c.sql, ids[2])
			_, _, faults, err := b.VerifyAudit(t.Context(), nil)
			ok(t, err)
			var told []string
			for _, f := range faults {
				told = append(told, fmt.Sprintf("%s %d", f.Reason, f.ID))
			}
			if fmt.Sprint(told) != fmt.Sprint(c.want(ids)) {
				t.Errorf("told %v, want %v", told, c.want(ids))
			}
		})
	}
}

// TestKeptHeadShowsARewrittenLog checks that rewriting the whole chain, or truncating it,
// is detected with a kept head.
func TestKeptHeadShowsARewrittenLog(t *testing.T) {
	b := setup(t)
	ids := b.lines(t, 4)
	kept, told := b.verified(t, nil)
	if len(told) > 0 {
		t.Fatalf("told %v", told)
	}
	b.lines(t, 2)
	if _, told := b.verified(t, &kept); len(told) > 0 {
		t.Errorf("the log went on: %v", told)
	}
	last := ids[len(ids)-1]
	b.asSuperuser(t, `WITH l AS (DELETE FROM audit WHERE id >= $1 RETURNING at, id)
		DELETE FROM audit_chain c USING l WHERE c.line_at = l.at AND c.line_id = l.id`, last)
	if _, told := b.verified(t, nil); len(told) > 0 {
		t.Errorf("without a head: %v", told)
	}
	if _, told := b.verified(t, &kept); len(told) != 1 || told[0] != "rewound 0" {
		t.Errorf("with the head: %v", told)
	}
}

// TestLinesOfManyAreOneChain checks that concurrent writers extend one chain.
func TestLinesOfManyAreOneChain(t *testing.T) {
	b := setup(t)
	var all sync.WaitGroup
	for i := range 8 {
		u := b.addUser(t, fmt.Sprintf("u%d@exemple.org", i), "user")
		all.Go(func() {
			for range 10 {
				if err := b.SetPassword(t.Context(), u.ID, "y"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	head, told := b.verified(t, nil)
	if len(told) > 0 || head.Seq < 88 {
		t.Errorf("%d lines, %v", head.Seq, told)
	}
}

// TestDroppedMonthIsNoFault drops the oldest month of a log as DropAuditMonths does, and
// expects no fault.
func TestDroppedMonthIsNoFault(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.Exec(ctx, `CREATE TABLE audit_2020_01 PARTITION OF audit FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-02-01 00:00:00+00')`))
	b.asSuperuser(t, `DELETE FROM audit_chain`)
	b.asSuperuser(t, `TRUNCATE audit`)
	ok(t, b.Exec(ctx, `INSERT INTO audit (at, action) VALUES ('2020-01-15 12:00:00+00', 'auth.login')`))
	b.lines(t, 2)
	if head, told := b.verified(t, nil); head.Seq != 3 || len(told) > 0 {
		t.Fatalf("%d lines, %v", head.Seq, told)
	}
	ok(t, b.Exec(ctx, `DROP TABLE audit_2020_01`))
	if head, told := b.verified(t, nil); head.Seq != 3 || len(told) > 0 {
		t.Errorf("%d lines, %v", head.Seq, told)
	}
}

// BenchmarkAuditLines measures eight concurrent writers of entries, whose commits are
// serialized, and the same writers in a log without a chain.
func BenchmarkAuditLines(b *testing.B) {
	for _, linked := range []bool{true, false} {
		b.Run(fmt.Sprintf("linked=%v", linked), func(b *testing.B) {
			db := pgtest.New(b)
			if !linked {
				if err := db.Exec(b.Context(), `ALTER TABLE audit DISABLE TRIGGER audit_linked`); err != nil {
					b.Fatal(err)
				}
			}
			b.SetParallelism(4)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := db.Note(b.Context(), postgres.Login, "x", nil); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
