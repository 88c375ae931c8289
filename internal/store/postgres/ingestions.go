package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
)

// Ingestion is one gazette file on its way into the catalogue.
type Ingestion struct {
	ID          uuid.UUID
	SHA256      string // hash of the file's bytes, lower-case hexadecimal
	Filename    string
	Size        int64
	Metadata    json.RawMessage // metadata that the operator gave with the file
	State       string          // queued, running, review, done, failed, cancelled
	Stage       string          // queued, pages, texts, save, done; index in rows of a version that had this stage
	PagesDone   int
	PagesTotal  int
	PagesAbsent int    // number of pages that the file declares but that cannot be extracted
	Unread      int    // number of pages that could not be read, or were skipped because a tool is missing
	Error       string // French, when failed
	Said        SaidOfFile
	Attempt     int // number of attempts; identifies the worker that holds the row
	Tries       int // attempts since the file was added or retried that failed, were lost or are running
	Failures    int // number of Tries that failed
	// Recognition is the time that recognizing pages has taken since the file was added or retried,
	// summed over pages and attempts.
	Recognition     time.Duration
	CancelRequested bool
	Resegment       bool // segment the file again from its stored pages, without reading pages
	CreatedAt       time.Time
	UpdatedAt       time.Time
	Documents       []IngestedDocument
	Trace           string // trace context of the request that added the file; "" unless a worker leases the row
}

// Ended reports whether the file needs no further attempt.
func (i Ingestion) Ended() bool { return i.State != "queued" && i.State != "running" }

// IngestedDocument is a text that was found in a file.
type IngestedDocument struct {
	ID       uuid.UUID `json:"id"`
	Title    string    `json:"title"`
	Type     string    `json:"doc_type"`
	Nature   string    `json:"nature"`
	Number   string    `json:"numero_officiel"`
	Articles int       `json:"articles"`
	InReview bool      `json:"in_review"`
	// SupersededBy is the better edition that has replaced the text.
	SupersededBy *uuid.UUID `json:"superseded_by"`
}

// unreadPages counts the pages of a file that a further attempt may be able to read.
const unreadPages = `greatest(i.pages_total - i.pages_done, 0) + (SELECT count(*) FROM ingestion_pages p WHERE p.ingestion_id = i.id AND p.unread)`

const ingestionQuery = `SELECT i.id, i.sha256, i.filename, i.size, i.metadata, i.state, i.stage, i.pages_done, i.pages_total, i.pages_absent,
	` + unreadPages + `, i.error, i.said_kind, i.said_country, i.attempt, i.attempt - i.attempt_floor + i.failures, i.failures, i.recognition, i.cancel_requested, i.recut, i.created_at, i.updated_at,
	coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'title', d.title, 'doc_type', d.doc_type, 'nature', d.nature,
		'numero_officiel', d.numero_officiel, 'in_review', d.in_review AND d.superseded_by IS NULL, 'superseded_by', d.superseded_by,
		'articles', (SELECT count(*) FROM articles a WHERE a.document_id = d.id AND a.number <> '' AND ` + ownArticle + `)) ORDER BY d.position)
		FROM documents d WHERE d.ingestion_id = i.id), '[]')
	FROM ingestions i `

func scanIngestion(row pgx.Row) (i Ingestion, err error) {
	var documents []byte
	err = row.Scan(&i.ID, &i.SHA256, &i.Filename, &i.Size, &i.Metadata, &i.State, &i.Stage, &i.PagesDone, &i.PagesTotal, &i.PagesAbsent,
		&i.Unread, &i.Error, &i.Said.Kind, &i.Said.Country, &i.Attempt, &i.Tries, &i.Failures, &i.Recognition, &i.CancelRequested, &i.Resegment, &i.CreatedAt, &i.UpdatedAt, &documents)
	if err != nil {
		return i, err
	}
	return i, json.Unmarshal(documents, &i.Documents)
}

func insertIngestion(ctx context.Context, tx pgx.Tx, i Ingestion) error {
	if i.Metadata == nil {
		i.Metadata = json.RawMessage(`{}`)
	}
	_, err := tx.Exec(ctx, `INSERT INTO ingestions (id, sha256, filename, size, metadata, lease_until, created_by, trace)
		VALUES ($1, $2, $3, $4, $5, now() + $6::interval, $7, nullif($8, ''))`, i.ID, i.SHA256, i.Filename, i.Size, i.Metadata, Grace, actorOf(ctx), trace.Carry(ctx))
	if err != nil {
		return err
	}
	return audit(ctx, tx, FileAdded, i.ID.String(), details{"sha256": i.SHA256, "size": i.Size})
}

// Ingestion returns the row of a file.
func (db *DB) Ingestion(ctx context.Context, id uuid.UUID) (Ingestion, error) {
	i, err := scanIngestion(db.pool.QueryRow(ctx, ingestionQuery+`WHERE i.id = $1`, id))
	return i, classify("ingestion "+id.String(), err)
}

// IngestionBySHA returns the row of the file whose bytes have the given hash.
func (db *DB) IngestionBySHA(ctx context.Context, sha string) (Ingestion, error) {
	i, err := scanIngestion(db.pool.QueryRow(ctx, ingestionQuery+`WHERE i.sha256 = $1`, sha))
	return i, classify("ingestion of "+sha, err)
}

// FileQuery selects files; an empty field selects all.
type FileQuery struct {
	State  string
	Name   string // contained in the file's name, regardless of case and accents
	SHA256 string // of its bytes
}

// IngestionPage lists files, newest first, page by page. With before, only files that
// were added before that time are listed. next is the value of before for the next page,
// nil at the end. Files of the same microsecond stay on one page.
func (db *DB) IngestionPage(ctx context.Context, q FileQuery, before *time.Time, limit int) (items []Ingestion, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (Ingestion, error) { return scanIngestion(r) }, ingestionQuery+`WHERE ($1 = '' OR i.state = $1) AND ($2::timestamptz IS NULL OR i.created_at < $2)
		AND ($4 = '' OR strpos(fold(i.filename), fold($4)) > 0) AND ($5 = '' OR i.sha256 = $5)
		ORDER BY i.created_at DESC FETCH FIRST $3 ROWS WITH TIES`, q.State, before, limit, q.Name, q.SHA256)
	if err == nil && len(items) >= limit {
		next = &items[len(items)-1].CreatedAt
	}
	return items, next, classify("ingestion page", err)
}

// HasPendingIngestions reports whether a file waits or is processed.
func (db *DB) HasPendingIngestions(ctx context.Context) (pending bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM ingestions WHERE state IN ('queued', 'running'))`).Scan(&pending)
	return pending, classify("pending ingestions", err)
}

// ChangedIngestions returns the files that have changed since a moment, the first change first.
func (db *DB) ChangedIngestions(ctx context.Context, since time.Time, limit int) ([]Ingestion, error) {
	items, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (Ingestion, error) { return scanIngestion(r) },
		ingestionQuery+`WHERE i.updated_at >= $1 ORDER BY i.updated_at, i.id LIMIT $2`, since, limit)
	return items, classify("changed ingestions", err)
}

// StartIngestion leases a file and counts an attempt. LeaseLost if another worker holds the
// file, if it has ended, or if its retry is not due yet.
func (db *DB) StartIngestion(ctx context.Context, id uuid.UUID) (i Ingestion, err error) {
	err = db.inTx(ctx, "start ingestion "+id.String(), func(tx pgx.Tx) error {
		var carried string
		err := tx.QueryRow(ctx, `UPDATE ingestions SET state = 'running', attempt = attempt + 1, hints = 0, error = '',
				lease_until = now() + $2::interval, updated_at = now()
			WHERE id = $1 AND not_before <= now() AND (state = 'queued' OR (state = 'running' AND lease_until < now()))
			RETURNING coalesce(trace, '')`, id, Lease).Scan(&carried)
		if errors.Is(err, pgx.ErrNoRows) {
			return errs.New(errs.LeaseLost, "")
		}
		if err != nil {
			return err
		}
		i, err = scanIngestion(tx.QueryRow(ctx, ingestionQuery+`WHERE i.id = $1`, id))
		i.Trace = carried
		return err
	})
	return i, err
}

// KeepIngestion renews the lease of an attempt, records the time that recognizing the file's pages
// has taken (Ingestion.Recognition) and reports whether cancellation was requested.
func (db *DB) KeepIngestion(ctx context.Context, id uuid.UUID, attempt int, recognition time.Duration) (cancel bool, err error) {
	err = db.renewals.QueryRow(ctx, `UPDATE ingestions SET lease_until = now() + $3::interval, recognition = greatest(recognition, $4::interval)
		WHERE id = $1 AND attempt = $2 AND state = 'running' RETURNING cancel_requested`, id, attempt, Lease, recognition).Scan(&cancel)
	return cancel, leaseError("keep ingestion "+id.String(), err)
}

// SetStage records the stage that an attempt has reached.
func (db *DB) SetStage(ctx context.Context, id uuid.UUID, attempt int, stage string) error {
	return db.execFenced(ctx, "set stage of ingestion "+id.String(),
		`UPDATE ingestions SET stage = $3, updated_at = now() WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, stage)
}

// MarkIngestion ends an attempt with a state: done, review, failed (reason is then a French
// sentence) or cancelled.
func (db *DB) MarkIngestion(ctx context.Context, id uuid.UUID, attempt int, state, reason string) error {
	return db.execFenced(ctx, "mark ingestion "+id.String(),
		`UPDATE ingestions SET state = $3, error = $4, updated_at = now(), lease_until = now() + $5::interval,
			stage = CASE WHEN $3 IN ('done', 'review') THEN 'done' ELSE stage END
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, state, reason, Grace)
}

// PutBackIngestion records that an attempt failed with a temporary error, and why (French),
// and delays the next attempt by the given time.
func (db *DB) PutBackIngestion(ctx context.Context, id uuid.UUID, attempt int, reason string, after time.Duration) error {
	return db.execFenced(ctx, "put back ingestion "+id.String(),
		`UPDATE ingestions SET state = 'queued', error = $3, hints = 0, attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1,
			not_before = now() + $4::interval, lease_until = now() + $4::interval, updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, reason, after)
}

// ReleaseIngestion releases an unfinished attempt, so that another worker can lease the
// file at once. The attempt counts neither as lost nor as failed.
func (db *DB) ReleaseIngestion(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.execFenced(ctx, "release ingestion "+id.String(),
		`UPDATE ingestions SET state = 'queued', hints = 0, attempt_floor = least(attempt, attempt_floor + 1), lease_until = now(), updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// ExcuseIngestion does for a file what ExcuseAnswer does for an answer.
func (db *DB) ExcuseIngestion(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.excuse(ctx, "ingestions", id, attempt)
}

// CancelIngestion cancels a file: at once if no worker holds it, else through its worker. It leaves a file that has
// ended unchanged.
func (db *DB) CancelIngestion(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "cancel ingestion "+id.String(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE ingestions SET cancel_requested = true, updated_at = now(),
			state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END
			WHERE id = $1 AND state IN ('queued', 'running')`, id)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return audit(ctx, tx, FileCancelled, id.String(), nil)
	})
}

// CancelRequested reports whether somebody requested the cancellation of a file.
func (db *DB) CancelRequested(ctx context.Context, id uuid.UUID) (asked bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT cancel_requested FROM ingestions WHERE id = $1`, id).Scan(&asked)
	return asked, classify("canceling of "+id.String(), err)
}

// RetryIngestion queues a file again if it failed, was cancelled or has unreadable pages.
// In the last case a worker reads only those pages again. The file may take as much time for
// recognizing pages as a new one. The attempt number continues, so that the fence against an old
// worker still holds. metadata replaces the file's metadata
// unless it is nil. Conflict if the file is in another state.
func (db *DB) RetryIngestion(ctx context.Context, id uuid.UUID, metadata json.RawMessage) error {
	return db.inTx(ctx, "retry ingestion "+id.String(), func(tx pgx.Tx) error {
		// When a failed or cancelled file without texts is retried, the texts that people removed
		// from it are wanted again.
		if _, err := tx.Exec(ctx, `DELETE FROM dropped_texts WHERE ingestion_id = (SELECT id FROM ingestions
			WHERE id = $1 AND state IN ('failed', 'cancelled') AND NOT EXISTS (SELECT FROM documents WHERE ingestion_id = $1))`, id); err != nil {
			return err
		}
		if err := execOne(ctx, tx, errs.New(errs.Conflict, "Seul un fichier en échec, annulé ou dont des pages n’ont pas été lues peut être repris."), `UPDATE ingestions i SET state = 'queued', error = '', cancel_requested = false, recut = false, hints = 0,
			attempt_floor = attempt, deaths = 0, failures = 0, recognition = '0', not_before = '-infinity', lease_until = now(), updated_at = now(),
			metadata = coalesce($2, metadata)
			WHERE id = $1 AND (state IN ('failed', 'cancelled') OR state IN ('done', 'review') AND `+unreadPages+` > 0)`, id, metadata); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM ingestion_pages WHERE ingestion_id = $1 AND unread`, id); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE ingestions SET pages_done = (SELECT count(*) FROM ingestion_pages WHERE ingestion_id = $1)
			WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, FileRetried, id.String(), nil)
	})
}

// execFenced runs an UPDATE with a condition on the attempt. LeaseLost if it changes no row.
func (db *DB) execFenced(ctx context.Context, what, sql string, args ...any) error {
	return fencedOn(ctx, db.pool, what, sql, args...)
}

func fencedOn(ctx context.Context, q querier, what, sql string, args ...any) error {
	return classify(what, execOne(ctx, q, errs.New(errs.LeaseLost, ""), sql, args...))
}
