package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// UploadLife is how long a file that arrives by parts is kept after its last part.
const UploadLife = 24 * time.Hour

// The maximum numbers of files that arrive by parts, of one account and of all. Each may take as much room in the
// database as the largest file.
const (
	uploadsOfOne = 16
	uploadsOfAll = 64
)

// partLeast is the number of bytes that a row of a file takes before the next one begins: a client that sends
// single bytes makes no row of each. Each part writes its row again; a row so small is no TOAST, and what it was before is
// cleared with the next part, not by the next vacuum.
const partLeast = 1 << 10

// Upload is a file that arrives by parts.
type Upload struct {
	ID       uuid.UUID
	UserID   uuid.UUID // zero: of the operator of the machine
	Filename string
	SHA256   string // as it was announced
	Size     int64  // in bytes
	Received int64  // bytes that have arrived; Size once the file was admitted
	Metadata json.RawMessage
	Updated  time.Time
}

// ofUploader is the SQL condition that an upload is the caller's, who is the second argument.
const ofUploader = `user_id IS NOT DISTINCT FROM $2`

// uploader returns the value of user_id.
func uploader(user uuid.UUID) *uuid.UUID {
	if user == uuid.Nil {
		return nil
	}
	return &user
}

const uploadColumns = `id, coalesce(user_id, '00000000-0000-0000-0000-000000000000'), filename, sha256, size, received, metadata, updated_at`

// BeginUpload adds an upload, or returns that of the same file which its account has begun. The error is Unavailable if
// too many are under way.
func (db *DB) BeginUpload(ctx context.Context, u Upload) (begun Upload, err error) {
	err = db.inTx(ctx, "begin upload", func(tx pgx.Tx) error {
		const uploadsLock = 0x7669677565757235 // "vigueur5", an arbitrary constant
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(uploadsLock)); err != nil {
			return err
		}
		begun, err = one[Upload](ctx, tx, `SELECT `+uploadColumns+` FROM uploads WHERE sha256 = $1 AND `+ofUploader+`
			AND size = $3 AND filename = $4 AND metadata IS NOT DISTINCT FROM $5::jsonb AND received < size LIMIT 1`,
			u.SHA256, uploader(u.UserID), u.Size, u.Filename, u.Metadata)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		var own, all int
		if err := tx.QueryRow(ctx, `SELECT count(*) FILTER (WHERE user_id IS NOT DISTINCT FROM $1), count(*) FROM uploads WHERE received < size`,
			uploader(u.UserID)).Scan(&own, &all); err != nil {
			return err
		}
		if own >= uploadsOfOne {
			return ErrOwnUploads
		}
		if all >= uploadsOfAll {
			return ErrUploads
		}
		begun, err = one[Upload](ctx, tx, `INSERT INTO uploads (id, user_id, filename, sha256, size, metadata) VALUES ($1, $2, $3, $4, $5, $6)
			RETURNING `+uploadColumns, u.ID, uploader(u.UserID), u.Filename, u.SHA256, u.Size, u.Metadata)
		return err
	})
	return begun, err
}

// ErrOwnUploads and ErrUploads are the errors of BeginUpload if an account, or all, have begun too many.
var (
	ErrOwnUploads = errs.Newf(errs.Unavailable, "Vous avez %d envois par parties en cours, le plus qu’un compte peut avoir. Finissez-en un, ou retirez-le (DELETE).", uploadsOfOne)
	ErrUploads    = errs.New(errs.Unavailable, "Trop de fichiers arrivent par parties à la fois. Réessayez plus tard.")
)

// UploadOf returns an upload of an account.
func (db *DB) UploadOf(ctx context.Context, user, id uuid.UUID) (Upload, error) {
	u, err := one[Upload](ctx, db.pool, `SELECT `+uploadColumns+` FROM uploads WHERE id = $1 AND `+ofUploader, id, uploader(user))
	return u, classify("upload", err)
}

// AddPart adds the bytes from start on. The error is Conflict if others are awaited.
func (db *DB) AddPart(ctx context.Context, u Upload, start int64, bytes []byte) error {
	return db.inTx(ctx, "add part", func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.Conflict, ""), `UPDATE uploads SET received = received + $4, updated_at = now() WHERE id = $1 AND `+ofUploader+` AND received = $3`,
			u.ID, uploader(u.UserID), start, len(bytes)); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE upload_parts SET bytes = bytes || $2 WHERE upload_id = $1 AND length(bytes) < $3
			AND start = (SELECT max(start) FROM upload_parts WHERE upload_id = $1)`, u.ID, bytes, partLeast)
		if err != nil || tag.RowsAffected() > 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO upload_parts (upload_id, start, bytes) VALUES ($1, $2, $3)`, u.ID, start, bytes)
		return err
	})
}

// WriteParts writes the bytes that have arrived to w.
func (db *DB) WriteParts(ctx context.Context, u Upload, w io.Writer) error {
	rows, err := db.pool.Query(ctx, `SELECT bytes FROM upload_parts WHERE upload_id = $1 ORDER BY start`, u.ID)
	if err != nil {
		return classify("write parts", err)
	}
	defer rows.Close()
	var piece []byte
	for rows.Next() {
		if err := rows.Scan(&piece); err != nil {
			return classify("write parts", err)
		}
		if _, err := w.Write(piece); err != nil {
			return errs.Wrap(errs.Unavailable, "", err)
		}
	}
	return classify("write parts", rows.Err())
}

// EndUpload records that a file is whole and was admitted, and drops its parts.
func (db *DB) EndUpload(ctx context.Context, u Upload) error {
	return db.inTx(ctx, "end upload", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE uploads SET received = size, updated_at = now() WHERE id = $1`, u.ID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM upload_parts WHERE upload_id = $1`, u.ID)
		return err
	})
}

// DropUpload deletes an upload of an account with its parts.
func (db *DB) DropUpload(ctx context.Context, user, id uuid.UUID) error {
	return classify("drop upload", execOne(ctx, db.pool, pgx.ErrNoRows, `DELETE FROM uploads WHERE id = $1 AND `+ofUploader, id, uploader(user)))
}
