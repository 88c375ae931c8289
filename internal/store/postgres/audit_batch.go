package postgres

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

// Audit entries that accompany no other change share transactions, because the hash chain
// allows one commit at a time, and each commit waits for the disk.
const (
	notesAtOnce  = 200              // maximum number of entries in a transaction
	notesTimeout = 10 * time.Second // timeout of a transaction
)

// notes is the queue of entries that wait until the current transaction ends. The zero
// value is ready to use.
type notes struct {
	mu      sync.Mutex
	writing bool
	waiting []*noteLine
}

// noteLine is a queued entry; a caller waits for written.
type noteLine struct {
	user    *uuid.UUID
	action  Action
	object  string
	details string     // JSON
	written chan error // receives the result of the commit, once
}

// Note adds an audit entry for an event that changes no data: an attempt, a read or a
// removal. details obey the same rule as in every entry: no personal data, no question and
// no text. Note returns once the entry is committed. Entries that arrive while a
// transaction runs share the next one, and each call gets the error of its own entry. If
// ctx ends first, the entry may still be written.
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

// writeNotes writes queued entries until the queue is empty.
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
			for _, line := range batch { // write each alone: an entry that cannot be written must not keep out the others
				line.written <- db.insertNotes(ctx, []*noteLine{line})
			}
			continue
		}
		for _, line := range batch {
			line.written <- err
		}
	}
}

// insertNotes adds entries in one transaction, whose commit links them into the hash chain.
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
