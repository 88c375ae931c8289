package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Edit is an editor's correction of lines of a file. An Edit never changes; an undone one
// is kept for the record.
type Edit struct {
	ID        uuid.UUID
	Position  int // order among the file's edits, from 1
	Kind      string
	Payload   json.RawMessage // gazette.Edit as JSON
	Fault     string          // why the last segmentation could not apply the edit, in French; "" if it did
	By        *uuid.UUID      // editor; nil: the command line
	Email     string          // e-mail address that the account has now
	CreatedAt time.Time
	UndoneAt  *time.Time
}

// maxEdits is the maximum number of edits of a file: a person makes hundreds at most, and
// each segmentation applies them all.
const maxEdits = 5000

// AddEdit adds an edit, with its ID, Kind and Payload, to a file, and queues the file to be
// segmented again from its saved pages. Conflict while the file is being processed, or if
// none of its pages could be read.
func (db *DB) AddEdit(ctx context.Context, ingestion uuid.UUID, e Edit) (made Edit, err error) {
	err = db.inTx(ctx, "edit ingestion "+ingestion.String(), func(tx pgx.Tx) error {
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, `INSERT INTO ingestion_edits (id, ingestion_id, position, kind, payload, created_by)
			SELECT $1, $2, coalesce(max(position), 0) + 1, $3, $4, $5 FROM ingestion_edits WHERE ingestion_id = $2
			RETURNING position`, e.ID, ingestion, e.Kind, e.Payload, actorOf(ctx)).Scan(&e.Position)
		if err != nil {
			return err
		}
		if e.Position > maxEdits {
			return errs.Newf(errs.Conflict, "Ce fichier a déjà %d corrections : il n’en prend pas davantage.", maxEdits)
		}
		if made, err = editOf(ctx, tx, ingestion, e.ID); err != nil {
			return err
		}
		return audit(ctx, tx, FileEdited, ingestion.String(), details{"edit_id": e.ID, "kind": e.Kind})
	})
	return made, err
}

// UndoEdit undoes an edit and queues the file to be segmented again. NotFound if the file
// has no such edit; Conflict if the edit is already undone, and in the cases of AddEdit.
func (db *DB) UndoEdit(ctx context.Context, ingestion, edit uuid.UUID) error {
	return db.inTx(ctx, "undo edit "+edit.String(), func(tx pgx.Tx) error {
		e, err := editOf(ctx, tx, ingestion, edit)
		if err != nil {
			return err
		}
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		if err := execOne(ctx, tx, errs.New(errs.Conflict, "Cette correction est déjà annulée."), `UPDATE ingestion_edits SET undone_at = now(), undone_by = $2, fault = '' WHERE id = $1 AND undone_at IS NULL`, edit, actorOf(ctx)); err != nil {
			return err
		}
		return audit(ctx, tx, EditUndone, ingestion.String(), details{"edit_id": edit, "kind": e.Kind})
	})
}

// ResegmentIngestion queues a file to be segmented again from its saved pages, as after an
// edit. The errors are those of AddEdit.
func (db *DB) ResegmentIngestion(ctx context.Context, ingestion uuid.UUID) error {
	return db.inTx(ctx, "segment ingestion again "+ingestion.String(), func(tx pgx.Tx) error {
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		return audit(ctx, tx, FileResegmented, ingestion.String(), nil)
	})
}

// queueResegmentation locks a file's row and queues the file to be segmented again. If it
// is already queued for that, nothing needs to be done: the segmentation reads all edits.
// The count of attempts starts again, as after a retry.
func queueResegmentation(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	var state string
	var recut bool
	var pages int
	err := tx.QueryRow(ctx, `SELECT state, recut, pages_done FROM ingestions WHERE id = $1 FOR UPDATE`, ingestion).Scan(&state, &recut, &pages)
	switch {
	case err != nil:
		return err
	case state == "running" || state == "queued" && !recut:
		return errs.New(errs.Conflict, "Ce fichier est en cours de traitement ; réessayez quand il aura fini.")
	case pages == 0:
		return errs.New(errs.Conflict, "Aucune page de ce fichier n’a été lue : il ne peut pas être découpé.")
	case state == "queued":
		return nil
	}
	_, err = tx.Exec(ctx, `UPDATE ingestions SET state = 'queued', stage = 'queued', recut = true, error = '', cancel_requested = false, hints = 0,
		attempt_floor = attempt, failures = 0, not_before = '-infinity', lease_until = now(), updated_at = now() WHERE id = $1`, ingestion)
	return err
}

const editQuery = `SELECT e.id, e.position, e.kind, e.payload, e.fault, e.created_by, coalesce(u.email, ''), e.created_at, e.undone_at
	FROM ingestion_edits e LEFT JOIN users u ON u.id = e.created_by WHERE e.ingestion_id = $1 `

func scanEdit(row pgx.Row) (e Edit, err error) {
	err = row.Scan(&e.ID, &e.Position, &e.Kind, &e.Payload, &e.Fault, &e.By, &e.Email, &e.CreatedAt, &e.UndoneAt)
	return e, err
}

func editOf(ctx context.Context, tx pgx.Tx, ingestion, edit uuid.UUID) (Edit, error) {
	return scanEdit(tx.QueryRow(ctx, editQuery+`AND e.id = $2`, ingestion, edit))
}

// Edits lists the edits of a file in order, including undone ones.
func (db *DB) Edits(ctx context.Context, ingestion uuid.UUID) ([]Edit, error) {
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (Edit, error) { return scanEdit(r) }, editQuery+`ORDER BY e.position`, ingestion)
	return list, classify("edits of "+ingestion.String(), err)
}

// noteFaults records which edits of a file could not be applied, and why.
func noteFaults(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, faults map[uuid.UUID]string) error {
	ids, reasons := make([]uuid.UUID, 0, len(faults)), make([]string, 0, len(faults))
	for id, reason := range faults {
		ids, reasons = append(ids, id), append(reasons, reason)
	}
	_, err := tx.Exec(ctx, `UPDATE ingestion_edits e SET fault = coalesce((SELECT f.reason FROM unnest($2::uuid[], $3::text[]) AS f (id, reason)
		WHERE f.id = e.id), '') WHERE e.ingestion_id = $1 AND e.undone_at IS NULL`, ingestion, ids, reasons)
	return err
}
