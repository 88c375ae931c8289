package postgres

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
)

// Lines of the audit log that change nothing else share transactions: the log's chain
// lets one transaction commit at a time, and each waits for the disk.
const (
	notesAtOnce  = 200              // lines of a transaction
	notesTimeout = 10 * time.Second // for a transaction
)

// notes are the lines that wait for the transaction that is under way to end. Its zero
// value is ready.
type notes struct {
	mu      sync.Mutex
	writing bool
	waiting []*noteLine
}

// noteLine is one line that somebody waits for.
type noteLine struct {
	user    *uuid.UUID
	action  Action
	object  string
	details string     // JSON
	written chan error // told once
}

// Note adds to the log what changes nothing: what was tried, read or taken away.
// details are as those of every line: never a person's data, a question or a text. It
// returns when the line is committed; one that comes while others are being written
// is written with all that come meanwhile, and its error is its own. Who leaves before
// may leave a line behind.
func (db *DB) Note(ctx context.Context, action Action, object string, details map[string]any) error {
	what := "note " + string(action)
	line, err := newNote(ctx, action, object, details)
	if err != nil {
		return classify(what, err)
	}
	n := &db.notes
	n.mu.Lock()
	n.waiting = append(n.waiting, line)
	first := !n.writing
	n.writing = true
	n.mu.Unlock()
	if first {
		go db.writeNotes(context.WithoutCancel(ctx))
	}
	select {
	case err := <-line.written:
		return classify(what, err)
	case <-ctx.Done():
		return classify(what, ctx.Err())
	}
}

func newNote(ctx context.Context, action Action, object string, d details) (*noteLine, error) {
	d = d.withKey(ctx)
	if d == nil {
		d = details{}
	}
	spelled, err := json.Marshal(d)
	return &noteLine{user: actorOf(ctx), action: action, object: object, details: string(spelled), written: make(chan error, 1)}, err
}

// writeNotes writes until nobody waits.
func (db *DB) writeNotes(ctx context.Context) {
	n := &db.notes
	for {
		n.mu.Lock()
		batch := n.waiting[:min(len(n.waiting), notesAtOnce)]
		n.waiting = n.waiting[len(batch):]
		n.writing = len(batch) > 0
		n.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		err := db.insertNotes(ctx, batch)
		if err != nil && len(batch) > 1 && !errs.Is(classify("", err), errs.Unavailable) {
			for _, line := range batch { // one of them cannot be written: the others can
				line.written <- db.insertNotes(ctx, []*noteLine{line})
			}
			continue
		}
		for _, line := range batch {
			line.written <- err
		}
	}
}

// insertNotes adds lines in one transaction, whose commit links them.
func (db *DB) insertNotes(ctx context.Context, lines []*noteLine) error {
	users, actions := make([]*uuid.UUID, len(lines)), make([]string, len(lines))
	objects, all := make([]string, len(lines)), make([]string, len(lines))
	for i, l := range lines {
		users[i], actions[i], objects[i], all[i] = l.user, string(l.action), l.object, l.details
	}
	ctx, cancel := context.WithTimeout(ctx, notesTimeout)
	defer cancel()
	_, err := db.pool.Exec(ctx, `INSERT INTO audit (user_id, action, object, details)
		SELECT u, a, o, d::jsonb FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS l (u, a, o, d, n) ORDER BY n`,
		users, actions, objects, all)
	return err
}
