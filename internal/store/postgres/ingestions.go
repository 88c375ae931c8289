package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
	"vigueur/internal/law"
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
func (db *DB) IngestionPage(ctx context.Context, q FileQuery, cursor *time.Time, limit int) (items []Ingestion, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (Ingestion, error) { return scanIngestion(r) }, ingestionQuery+`WHERE ($1 = '' OR i.state = $1) AND ($2::timestamptz IS NULL OR i.created_at < $2)
		AND ($4 = '' OR strpos(fold(i.filename), fold($4)) > 0) AND ($5 = '' OR i.sha256 = $5)
		ORDER BY i.created_at DESC FETCH FIRST $3 ROWS WITH TIES`, q.State, cursor, limit, q.Name, q.SHA256)
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
func (db *DB) ChangedIngestions(ctx context.Context, start time.Time, limit int) ([]Ingestion, error) {
	items, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (Ingestion, error) { return scanIngestion(r) },
		ingestionQuery+`WHERE i.updated_at >= $1 ORDER BY i.updated_at, i.id LIMIT $2`, start, limit)
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
func (db *DB) PutBackIngestion(ctx context.Context, id uuid.UUID, attempt int, reason string, delay time.Duration) error {
	return db.execFenced(ctx, "put back ingestion "+id.String(),
		`UPDATE ingestions SET state = 'queued', error = $3, hints = 0, attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1,
			not_before = now() + $4::interval, lease_until = now() + $4::interval, updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, reason, delay)
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

// StoredPage is a page that was read. Content is encoded by the caller.
type StoredPage struct {
	Number  int // page number in the file, from 1
	Source  layout.Source
	Content []byte
	Unread  bool // the page could not be read; a retry of the file reads it again
}

// CountPages records how many pages of a file can be read, and how many further pages the
// file declares but cannot deliver.
func (db *DB) CountPages(ctx context.Context, id uuid.UUID, attempt, total, absent int) error {
	return db.execFenced(ctx, "count pages of ingestion "+id.String(), `UPDATE ingestions SET pages_total = greatest(pages_total, $3),
			pages_absent = $4, updated_at = now() WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, total, absent)
}

// SavePages is the checkpoint of an attempt: it adds the given pages and sets the total
// number of pages. The stored progress never decreases, because each page is counted once.
func (db *DB) SavePages(ctx context.Context, id uuid.UUID, attempt int, pages []StoredPage, total int) error {
	return db.inTx(ctx, "save pages of ingestion "+id.String(), func(tx pgx.Tx) error {
		// Lock the row first: the lock orders concurrent checkpoints and stops an attempt that
		// has lost the row.
		if err := fence(ctx, tx, "ingestions", id, attempt); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for _, p := range pages {
			batch.Queue(`INSERT INTO ingestion_pages (ingestion_id, number, source, content, unread) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (ingestion_id, number) DO NOTHING`, id, p.Number, p.Source, p.Content, p.Unread)
		}
		// Pages are progress, so earlier lost attempts no longer count as lost in a row, only in
		// the total.
		batch.Queue(`UPDATE ingestions SET deaths = deaths + attempt - 1 - attempt_floor, attempt_floor = attempt - 1, pages_total = greatest(pages_total, $2), updated_at = now(),
			pages_done = (SELECT count(*) FROM ingestion_pages WHERE ingestion_id = $1) WHERE id = $1`, id, total)
		return tx.SendBatch(ctx, batch).Close()
	})
}

// ReplacePages replaces the words of stored pages after a second reading.
func (db *DB) ReplacePages(ctx context.Context, id uuid.UUID, attempt int, pages []StoredPage) error {
	return db.inTx(ctx, "replace pages of ingestion "+id.String(), func(tx pgx.Tx) error {
		if err := fence(ctx, tx, "ingestions", id, attempt); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for _, p := range pages {
			batch.Queue(`UPDATE ingestion_pages SET content = $3 WHERE ingestion_id = $1 AND number = $2`, id, p.Number, p.Content)
		}
		return tx.SendBatch(ctx, batch).Close()
	})
}

// PageBytes returns the total size of the stored pages of a file, in bytes.
func (db *DB) PageBytes(ctx context.Context, id uuid.UUID) (bytes int64, err error) {
	err = db.pool.QueryRow(ctx, `SELECT coalesce(sum(octet_length(content)), 0) FROM ingestion_pages WHERE ingestion_id = $1`, id).Scan(&bytes)
	return bytes, classify("bytes of the pages of "+id.String(), err)
}

// DonePages lists the numbers of the stored pages of a file, in order.
func (db *DB) DonePages(ctx context.Context, id uuid.UUID) ([]int, error) {
	numbers, err := collect(ctx, db.pool, pgx.RowTo[int], `SELECT number FROM ingestion_pages WHERE ingestion_id = $1 ORDER BY number`, id)
	return numbers, classify("done pages of "+id.String(), err)
}

// LoadPages returns every stored page of a file, in order.
func (db *DB) LoadPages(ctx context.Context, id uuid.UUID) ([]StoredPage, error) {
	pages, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (p StoredPage, err error) {
		err = r.Scan(&p.Number, &p.Source, &p.Content)
		return p, err
	}, `SELECT number, source, content FROM ingestion_pages WHERE ingestion_id = $1 ORDER BY number`, id)
	return pages, classify("load pages of "+id.String(), err)
}

// PageLines is the lines of a page in reading order, from the last segmentation of its
// file.
type PageLines struct {
	Page   int     `json:"page"`
	Width  float64 `json:"width"` // in points, like the height
	Height float64 `json:"height"`
	Lines  []Line  `json:"lines"`
}

// Line is a printed line and how the segmentation labeled it.
type Line struct {
	Rect       law.Rect   `json:"rect"`
	Text       string     `json:"text"`
	Label      string     `json:"label" enum:"head,preamble,article,section,signature,annex,reasons,loose,aside" doc:"Ce que la ligne est : titre d’un texte, visas et formules, article, intertitre, signature, annexe, exposé des motifs, hors de tout texte, ou mise à part (sommaire, en-tête, annonce)."`
	Confidence float64    `json:"confidence"`
	TextIndex  *int       `json:"text_index" doc:"Le rang de son texte dans le fichier."`
	DocumentID *uuid.UUID `json:"document_id" doc:"Son texte ; null aussi quand il a été rejeté ou supprimé."`
	Article    *string    `json:"article" doc:"Le numéro de son article."`
}

// PageLines returns the lines of a page; NotFound if none are stored.
func (db *DB) PageLines(ctx context.Context, ingestion uuid.UUID, page int) (p PageLines, err error) {
	var lines []byte
	p.Page = page
	err = db.pool.QueryRow(ctx, `SELECT width, height, lines FROM ingestion_lines WHERE ingestion_id = $1 AND page = $2`, ingestion, page).
		Scan(&p.Width, &p.Height, &lines)
	if err == nil {
		err = json.Unmarshal(lines, &p.Lines)
	}
	if err != nil {
		return p, classify("lines of "+ingestion.String(), err)
	}
	pages := []PageLines{p}
	return p, db.forgetGone(ctx, ingestion, pages)
}

// PageShare says where the letters of a page went, at the last segmentation of its file.
type PageShare struct {
	Page    int `json:"page"`
	Letters int `json:"letters" doc:"Les caractères de la page."`
	Loose   int `json:"loose" doc:"Parmi eux, ceux qui ne sont dans aucun texte."`
	Aside   int `json:"aside" doc:"Parmi eux, ceux qui sont mis à part."`
}

// PageShares returns the shares of all pages of a file, in order.
func (db *DB) PageShares(ctx context.Context, ingestion uuid.UUID) ([]PageShare, error) {
	shares, err := collect(ctx, db.pool, pgx.RowToStructByPos[PageShare], `SELECT page, coalesce(sum(n), 0), coalesce(sum(n) FILTER (WHERE label = 'loose'), 0), coalesce(sum(n) FILTER (WHERE label = 'aside'), 0)
		FROM ingestion_lines LEFT JOIN LATERAL (SELECT length(l->>'text') AS n, l->>'label' AS label FROM jsonb_array_elements(lines) l) of ON true
		WHERE ingestion_id = $1 GROUP BY page ORDER BY page`, ingestion)
	return shares, classify("shares of "+ingestion.String(), err)
}

// FileLines returns the lines of every page of a file, in order.
func (db *DB) FileLines(ctx context.Context, ingestion uuid.UUID) ([]PageLines, error) {
	pages, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (p PageLines, err error) {
		var lines []byte
		if err := r.Scan(&p.Page, &p.Width, &p.Height, &lines); err != nil {
			return p, err
		}
		return p, json.Unmarshal(lines, &p.Lines)
	}, `SELECT page, width, height, lines FROM ingestion_lines WHERE ingestion_id = $1 ORDER BY page`, ingestion)
	if err != nil {
		return nil, classify("lines of "+ingestion.String(), err)
	}
	return pages, db.forgetGone(ctx, ingestion, pages)
}

// forgetGone removes references to texts that no longer exist from the lines.
func (db *DB) forgetGone(ctx context.Context, ingestion uuid.UUID, pages []PageLines) error {
	rows, err := db.pool.Query(ctx, `SELECT id FROM documents WHERE ingestion_id = $1`, ingestion)
	if err != nil {
		return classify("texts of "+ingestion.String(), err)
	}
	there := map[uuid.UUID]bool{}
	var id uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		there[id] = true
		return nil
	})
	for _, p := range pages {
		for i := range p.Lines {
			if of := p.Lines[i].DocumentID; of != nil && !there[*of] {
				p.Lines[i].DocumentID = nil
			}
		}
	}
	return classify("texts of "+ingestion.String(), err)
}

// saveLines replaces the stored lines of a file.
func saveLines(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, pages []PageLines) error {
	if _, err := tx.Exec(ctx, `DELETE FROM ingestion_lines WHERE ingestion_id = $1`, ingestion); err != nil {
		return err
	}
	columns := []string{"ingestion_id", "page", "width", "height", "lines"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"ingestion_lines"}, columns, pgx.CopyFromSlice(len(pages), func(i int) ([]any, error) {
		lines, err := listJSON(pages[i].Lines)
		return []any{ingestion, pages[i].Page, pages[i].Width, pages[i].Height, lines}, err
	}))
	return err
}

// UrgentWork reports whether a question waits for its answer or a file waits to be read, or
// a worker is at it.
func (db *DB) UrgentWork(ctx context.Context) (questions, files bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM messages WHERE state IN ('queued', 'running')),
		EXISTS (SELECT 1 FROM ingestions WHERE state IN ('queued', 'running'))`).Scan(&questions, &files)
	return questions, files, classify("urgent work", err)
}

// LongestPause is how much longer the worker that computes vectors of sentences pauses, at most, than it works.
const LongestPause = 9

// RefinedIn returns the left of Refining for no files, up to ten seconds old: everybody who arrives is told it, and it takes
// the database half a second for a million passages.
func (db *DB) RefinedIn(ctx context.Context) (left time.Duration, err error) {
	return db.refined.get(time.Now().Unix()/10, "", func() (time.Duration, error) {
		left, _, err := db.Refining(ctx, nil)
		return left, err
	})
}

// Refining returns after what time no text of the catalogue lacks vectors of sentences; and which of
// the given files have such texts. The time is what the files that wait will take, as long as those that ended
// lately did, and then that of the passages, theirs too, at the pace of the worker that computes the vectors; while
// files wait, it works at a fraction of its pace. left is 0 if no text lacks vectors, and while the time is not
// known, because no worker is at it, it has only begun, or no file has ended yet.
func (db *DB) Refining(ctx context.Context, files []uuid.UUID) (left time.Duration, lacking []uuid.UUID, err error) {
	var generation uuid.UUID
	var pace float64
	err = db.pool.QueryRow(ctx, `SELECT id, pace FROM generations WHERE role = 'sentences' AND state = 'running' AND lease_until > now() AND pace > 0
		ORDER BY created_at DESC LIMIT 1`).Scan(&generation, &pace)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, classify("pace of vectors", err)
	}
	var passages int64
	err = db.pool.QueryRow(ctx, `SELECT coalesce(sum(n), 0)::bigint, array_agg(ingestion_id) FILTER (WHERE ingestion_id = ANY($2)) FROM (
		SELECT d.ingestion_id, count(*) AS n FROM passages p JOIN documents d ON d.id = p.document_id AND NOT d.in_review
		WHERE NOT p.quoted AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1)
		GROUP BY d.ingestion_id) f`, generation, files).Scan(&passages, &lacking)
	if err != nil {
		return 0, nil, classify("passages without vectors", err)
	}
	var reading, further *float64 // NULL: no file has ended
	err = db.pool.QueryRow(ctx, `WITH ended AS (SELECT id, created_at FROM ingestions WHERE state IN ('done', 'review', 'failed') AND updated_at > now() - $1::interval),
		waiting AS (SELECT count(*)::float8 AS n, min(created_at) AS since FROM ingestions WHERE state IN ('queued', 'running')),
		each AS (SELECT count(*)::float8 AS n, extract(epoch FROM now() - greatest(now() - $1::interval, least(min(created_at), (SELECT since FROM waiting))))::float8 AS took FROM ended)
		SELECT w.n * e.took / nullif(e.n, 0), w.n / nullif(e.n, 0) * (SELECT count(*) FROM passages p JOIN documents d ON d.id = p.document_id AND NOT d.in_review
			JOIN ended ON ended.id = d.ingestion_id WHERE NOT p.quoted) FROM waiting w, each e WHERE w.n > 0`, lately).Scan(&reading, &further)
	seconds := float64(passages) / pace
	switch {
	case errors.Is(err, pgx.ErrNoRows): // no file waits
	case err != nil:
		return 0, nil, classify("files that wait", err)
	case reading == nil:
		return 0, nil, nil
	default:
		seconds = *reading + max(0, (float64(passages)+*further)/pace-*reading/(1+LongestPause))
	}
	return time.Duration(seconds * float64(time.Second)), lacking, nil
}

// lately is how long files that ended tell how long the next ones take.
const lately = 30 * time.Minute

// ForgetIngestion deletes a file that has ended without texts, and its pages, so that it
// can be added again as if it were new. It returns the hash of the file's bytes, which no
// row references any more. NotFound if there is no such file; Conflict if the file waits,
// is being processed or has texts.
func (db *DB) ForgetIngestion(ctx context.Context, id uuid.UUID) (orphan string, err error) {
	err = db.inTx(ctx, "forget ingestion "+id.String(), func(tx pgx.Tx) error {
		var state string
		var texts bool
		err := tx.QueryRow(ctx, `SELECT state, EXISTS (SELECT FROM documents WHERE ingestion_id = i.id), sha256 FROM ingestions i
			WHERE i.id = $1 FOR UPDATE`, id).Scan(&state, &texts, &orphan)
		switch {
		case err != nil:
			return err
		case state == "queued" || state == "running":
			return errs.New(errs.Conflict, "Ce fichier est encore en traitement : annulez-le d’abord.")
		case texts:
			return errs.New(errs.Conflict, "Ce fichier a donné des textes : ce sont eux qu’il faut supprimer ou rejeter.")
		}
		if _, err := tx.Exec(ctx, `DELETE FROM ingestions WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, FileForgotten, id.String(), details{"sha256": orphan, "state": state})
	})
	if err != nil {
		return "", err
	}
	return orphan, nil
}

// DropSample deletes the files that were added as a sample, with their texts, if the catalogue has texts of other files. drop
// deletes the bytes with a hash, before the row goes: a file whose bytes could not be deleted is there to be tried again. One
// that somebody has read again in that moment fails and goes the next time. It returns the number of files.
func (db *DB) DropSample(ctx context.Context, drop func(ctx context.Context, sha string) error) (n int, err error) {
	type file struct {
		ID     uuid.UUID
		SHA256 string
	}
	files, err := collect(ctx, db.pool, pgx.RowToStructByPos[file], `SELECT id, sha256 FROM ingestions WHERE `+isSample+` AND state NOT IN ('queued', 'running') AND EXISTS (
		SELECT FROM documents d JOIN ingestions o ON o.id = d.ingestion_id WHERE NOT d.in_review AND NOT o.`+isSample+`)`)
	if err != nil {
		return 0, classify("sample", err)
	}
	for _, f := range files {
		if err := drop(ctx, f.SHA256); err != nil {
			return n, err
		}
		_, err := db.DeleteFile(ctx, f.ID)
		if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Conflict) {
			continue // another worker was first, or the file is read again
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// isSample is the SQL condition that a row of ingestions was added as a sample.
const isSample = `metadata @> '{"exemple": true}'`

// DeleteFile deletes a file that is not being processed, with its pages, its edits and its
// texts, those in review too. The texts that they repealed, amended or superseded become
// what they were, as with DeleteDocument. It returns the hash of the file's bytes, which no
// row references any more. NotFound if there is no such file; Conflict if the file waits or
// is being processed.
func (db *DB) DeleteFile(ctx context.Context, id uuid.UUID) (orphan string, err error) {
	err = db.inTx(ctx, "delete ingestion "+id.String(), func(tx pgx.Tx) error {
		var state string
		if err := tx.QueryRow(ctx, `SELECT state, sha256 FROM ingestions WHERE id = $1 FOR UPDATE`, id).Scan(&state, &orphan); err != nil {
			return err
		}
		if state == "queued" || state == "running" {
			return errs.New(errs.Conflict, "Ce fichier est encore en traitement : annulez-le d’abord.")
		}
		if err := lockTexts(ctx, tx); err != nil {
			return err
		}
		texts, err := collect(ctx, tx, pgx.RowToStructByPos[struct {
			ID       uuid.UUID
			Readable bool
		}], `SELECT id, NOT in_review OR superseded_by IS NOT NULL FROM documents WHERE ingestion_id = $1 ORDER BY id FOR UPDATE`, id)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if !text.Readable {
				continue // nothing depends on it, so it is deleted with the file
			}
			if _, err := db.deleteText(ctx, tx, text.ID); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `DELETE FROM ingestions WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, FileForgotten, id.String(), details{"sha256": orphan, "state": state, "texts": len(texts)})
	})
	if err != nil {
		return "", err
	}
	return orphan, nil
}
