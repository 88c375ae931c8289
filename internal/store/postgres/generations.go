package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Generation is the set of vectors that one model made from passages cut in one way.
type Generation struct {
	ID          uuid.UUID
	Model       string
	Chunking    string
	Dimensions  int
	Fingerprint string
	Probe       []byte // packed vector of a known text, which shows whether the model changed
	Current     bool   // whether searches use this generation; if not, it is being made to replace the current one
	Covered     int64  // version of the catalogue up to which every passage has its vectors
	Error       string // why the last attempt failed, French
}

const generationColumns = `id, model, chunking, dimensions, fingerprint, probe, role = 'current', covered, error`

func scanGeneration(row pgx.CollectableRow) (g Generation, err error) {
	err = row.Scan(&g.ID, &g.Model, &g.Chunking, &g.Dimensions, &g.Fingerprint, &g.Probe, &g.Current, &g.Covered, &g.Error)
	return g, err
}

// Generations lists the current generation and the one that is being made to replace it.
func (db *DB) Generations(ctx context.Context) ([]Generation, error) {
	return generations(ctx, db.pool, false)
}

// SentenceGenerations lists the generations of sentences, the latest first.
func (db *DB) SentenceGenerations(ctx context.Context) ([]Generation, error) {
	return generations(ctx, db.pool, true)
}

func generations(ctx context.Context, q querier, sentences bool) ([]Generation, error) {
	list, err := collect(ctx, q, scanGeneration, `SELECT `+generationColumns+` FROM generations WHERE (role = 'sentences') = $1 ORDER BY role, created_at DESC`, sentences)
	return list, classify("generations", err)
}

// EnsureGeneration returns the generation for which same returns true. If there is none, it adds g: as the current
// generation if there is no current one, else as the next one. It deletes other unfinished generations, because only
// one is made at a time.
func (db *DB) EnsureGeneration(ctx context.Context, g Generation, same func(Generation) bool) (Generation, error) {
	return db.ensureGeneration(ctx, g, false, same)
}

// EnsureSentenceGeneration does the same for generations of sentence vectors. An old one stays until another is
// complete.
func (db *DB) EnsureSentenceGeneration(ctx context.Context, g Generation, same func(Generation) bool) (Generation, error) {
	return db.ensureGeneration(ctx, g, true, same)
}

func (db *DB) ensureGeneration(ctx context.Context, g Generation, sentences bool, same func(Generation) bool) (found Generation, err error) {
	err = db.inTx(ctx, "ensure generation of "+g.Model, func(tx pgx.Tx) error {
		// This lock lets one call run at a time. A lock on the table would also block the renewals of leases.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('generations', 0))`); err != nil {
			return err
		}
		list, err := generations(ctx, tx, sentences)
		if err != nil {
			return err
		}
		for _, known := range list {
			if same(known) {
				found = known
				return nil
			}
		}
		role := "sentences"
		if !sentences {
			if _, err := tx.Exec(ctx, `DELETE FROM generations WHERE role = 'next'`); err != nil {
				return err
			}
			role = "current"
			if len(list) > 0 && list[0].Current {
				role = "next"
			}
		}
		rows, err := tx.Query(ctx, `INSERT INTO generations (id, model, chunking, dimensions, fingerprint, probe, role)
			VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING `+generationColumns,
			g.ID, g.Model, g.Chunking, g.Dimensions, g.Fingerprint, g.Probe, role)
		if err != nil {
			return err
		}
		found, err = pgx.CollectExactlyOneRow(rows, scanGeneration)
		return err
	})
	return found, err
}

// generationJobs are the generations: a job computes the vectors that a generation lacks.
var generationJobs = &jobs{table: "generations", wake: `covered < (SELECT coalesce(max(version), 0) FROM catalogue_changes)`, pause: crashPause}

// DueEmbedding returns the id of a generation that needs a hint in the queue: there are new passages, or a lease or hint
// has expired.
func (db *DB) DueEmbedding(ctx context.Context, id uuid.UUID) ([]uuid.UUID, error) {
	return generationJobs.due(ctx, db, 1, `id = '`+id.String()+`'`)
}

// LeaseEmbedding leases a generation and counts an attempt. LeaseLost if another worker holds the generation, or if
// it is complete.
func (db *DB) LeaseEmbedding(ctx context.Context, id uuid.UUID) (l Leased, err error) {
	err = db.inTx(ctx, "lease embedding "+id.String(), func(tx pgx.Tx) (err error) {
		if l, err = generationJobs.lease(ctx, db, tx, id); err != nil {
			return err
		}
		return l.set(ctx, tx, `pace = 0`)
	})
	return l, err
}

// RenewEmbedding renews the lease of an attempt and records its pace, in passages a second; 0: not known yet.
func (db *DB) RenewEmbedding(ctx context.Context, l Leased, pace float64) error {
	return l.set(ctx, db.renewals, `lease_until = now() + $3::interval, pace = $4`, Lease, pace)
}

// FinishEmbedding records that a generation covers the given version of the catalogue. A next generation becomes the
// current one: the old current one is deleted with its vectors, and the followers of the catalogue are notified that
// every text changed. A generation of sentences replaces the other generations of sentences. FinishEmbedding returns
// false and does nothing while passages lack vectors.
func (db *DB) FinishEmbedding(ctx context.Context, l Leased, covered int64) (done bool, err error) {
	id, attempt := l.ID, l.Attempt
	err = db.inTx(ctx, "finish embedding "+id.String(), func(tx pgx.Tx) error {
		role, err := enterEmbedding(ctx, tx, id, attempt)
		if err != nil {
			return err
		}
		var lacking bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM passages p JOIN documents d ON d.id = p.document_id AND NOT d.in_review
			WHERE NOT p.quoted AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1))`, id).Scan(&lacking); err != nil || lacking {
			return err
		}
		switch role {
		case "next":
			err = deleteCurrentGeneration(ctx, tx)
		case "sentences":
			_, err = tx.Exec(ctx, `DELETE FROM generations WHERE role = 'sentences' AND id <> $1`, id)
		}
		if err != nil {
			return err
		}
		if err := fence(ctx, tx, "generations", id, attempt); err != nil {
			return err
		}
		done = true
		return l.set(ctx, tx, `role = CASE role WHEN 'sentences' THEN role ELSE 'current' END, state = 'done', error = '', failures = 0,
			attempt_floor = attempt, covered = $3, lease_until = now()`, covered)
	})
	return done, err
}

// deleteCurrentGeneration deletes the current generation and notifies the catalogue's followers that every text
// changed.
func deleteCurrentGeneration(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `DELETE FROM generations WHERE role = 'current'`); err != nil {
		return err
	}
	return announceEach(ctx, tx, `SELECT id FROM documents WHERE NOT in_review`)
}

// enterEmbedding calls enter for an attempt at a generation and returns the generation's role.
func enterEmbedding(ctx context.Context, tx pgx.Tx, id uuid.UUID, attempt int) (role string, err error) {
	if err := enter(ctx, tx, "generations", id, attempt); err != nil {
		return "", err
	}
	err = tx.QueryRow(ctx, `SELECT role FROM generations WHERE id = $1`, id).Scan(&role)
	return role, err
}
