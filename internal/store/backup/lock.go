package backup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
)

// Any number of backups may run at once, but none beside a pruning, and only one pruning. Each
// run writes a note of its own, its lock, and then lists all notes: of two that begin together
// at least one sees the other. This needs no conditional writing, which not every S3 server
// has, only lists that show at once what was written.
//
// A killed process leaves its lock. A lock that was not renewed for lockTime, by the clock of
// the shelf, is of nobody and is removed. A process that could not renew its lock for
// lockPatience stops by itself, long before others take it for dead.
const (
	lockTime     = 15 * time.Minute
	lockPatience = 5 * time.Minute
	lockRenew    = time.Minute
	// lockPoll is how often a backup looks whether a pruning has ended.
	lockPoll = 5 * time.Second

	lockPrefix = "verrou-"
)

// purpose is what a lock is held for, as part of its note's name.
type purpose string

const (
	storing purpose = "sauvegarde"
	pruning purpose = "nettoyage"
)

// Holder is who holds a lock, for people.
type Holder struct {
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Begun time.Time `json:"begun"`
}

// String is « serveur-1, processus 4711, depuis 2026-11-22 08:34 UTC ».
func (h Holder) String() string {
	return fmt.Sprintf("%s, processus %d, depuis %s", h.Host, h.PID, h.Begun.UTC().Format("2006-01-02 15:04 UTC"))
}

// lock is a lock that is held.
type lock struct {
	shelf blobs.Shelf
	name  string
	text  []byte
	lose  context.CancelCauseFunc
	ended chan struct{} // closed when it is no longer renewed

	mu      sync.Mutex
	renewed time.Time // when the last renewal that succeeded began
	lost    error
}

// acquire writes a lock, and renews it until release. The context that it returns ends when
// the lock is lost. Others are not looked for yet.
func acquire(ctx context.Context, shelf blobs.Shelf, what purpose) (*lock, context.Context, error) {
	host, _ := os.Hostname() // only shown
	text, err := json.Marshal(Holder{Host: host, PID: os.Getpid(), Begun: time.Now().UTC()})
	if err != nil {
		return nil, nil, fmt.Errorf("backup: %w", err)
	}
	l := &lock{shelf: shelf, name: lockPrefix + string(what) + "-" + uuid.NewString() + suffix, text: text, ended: make(chan struct{})}
	if err := l.renew(ctx); err != nil {
		return nil, nil, err
	}
	held, lose := context.WithCancelCause(ctx)
	l.lose = lose
	go l.keep(held)
	return l, held, nil
}

// keep renews the lock until ctx ends.
func (l *lock) keep(ctx context.Context) {
	defer close(l.ended)
	tick := time.NewTicker(lockRenew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		bounded, cancel := context.WithTimeout(ctx, lockPatience)
		_ = l.renew(bounded) // valid tells when that lasts too long
		cancel()
		if err := l.valid(); err != nil {
			l.lose(err)
			return
		}
	}
}

// renew writes the lock.
func (l *lock) renew(ctx context.Context) error {
	began := time.Now()
	if err := l.shelf.PutNote(ctx, l.name, l.text); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost == nil && !expired(l.renewed, began) {
		l.renewed = began
	}
	return nil
}

// expired reports whether a lock that was renewed at a time may belong to others soon. A zero
// time is of a lock that is being taken. The monotonic clock rests while a machine sleeps and
// the wall clock may be set back, so the one that tells more decides.
func expired(renewed, now time.Time) bool {
	return !renewed.IsZero() && max(now.Sub(renewed), now.Round(0).Sub(renewed.Round(0))) > lockPatience
}

// valid returns nil as long as nobody takes the lock for that of a dead process. Unavailable
// once it was not renewed for long, from then on.
func (l *lock) valid() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost == nil && expired(l.renewed, time.Now()) {
		l.lost = errs.New(errs.Unavailable, "Le stockage des sauvegardes n’a pas répondu pendant cinq minutes, ou la machine a dormi : recommencez.")
	}
	return l.lost
}

// reason returns why the lock was lost, if it was, in the place of err.
func (l *lock) reason(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil && l.lost != nil {
		return l.lost
	}
	return err
}

// release ends the renewal and removes the note. If it cannot be removed, it is of nobody
// after lockTime.
func (l *lock) release() {
	l.lose(nil)
	<-l.ended
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = l.shelf.DeleteNote(ctx, l.name)
}

// others returns who else holds a lock of those purposes, and the time by the shelf's clock.
// It renews the lock and removes those of dead processes.
func (l *lock) others(ctx context.Context, of ...purpose) (holders []Holder, now time.Time, err error) {
	if err := l.renew(ctx); err != nil {
		return nil, now, err
	}
	notes, err := l.shelf.Notes(ctx)
	if err != nil {
		return nil, now, err
	}
	for _, n := range notes {
		if n.Name == l.name {
			now = n.Written
		}
	}
	if now.IsZero() {
		return nil, now, errs.New(errs.Unavailable, "Le stockage des sauvegardes ne montre pas ce qui vient d’y être écrit : les sauvegardes n’y sont pas sûres.")
	}
	for _, n := range notes {
		if n.Name == l.name || !heldFor(n.Name, of) {
			continue
		}
		switch age := now.Sub(n.Written); {
		case age > lockTime:
			if err := l.shelf.DeleteNote(ctx, n.Name); err != nil {
				return nil, now, err
			}
		case age < -lockTime:
			return nil, now, errs.Newf(errs.Conflict, "Un verrou des sauvegardes est daté du futur (%s) : réglez l’horloge, et si rien d’autre n’y travaille, retirez notes/%s.",
				n.Written.UTC().Format("2006-01-02 15:04 UTC"), n.Name)
		default:
			holders = append(holders, l.holder(ctx, n.Name))
		}
	}
	return holders, now, nil
}

// heldFor reports whether a note is a lock for one of the purposes.
func heldFor(note string, of []purpose) bool {
	for _, what := range of {
		if strings.HasPrefix(note, lockPrefix+string(what)+"-") {
			return true
		}
	}
	return false
}

// holder reads who holds a lock; one that cannot be read is held all the same.
func (l *lock) holder(ctx context.Context, note string) (h Holder) {
	if text, err := l.shelf.Note(ctx, note); err == nil {
		_ = json.Unmarshal(text, &h)
	}
	return h
}

// await returns when nobody else holds a lock of that purpose. It calls waiting once if it
// waits.
func (l *lock) await(ctx context.Context, of purpose, poll time.Duration, waiting func(Holder)) error {
	if poll == 0 {
		poll = lockPoll
	}
	for told := false; ; told = true {
		holders, _, err := l.others(ctx, of)
		if err != nil || len(holders) == 0 {
			return err
		}
		if !told && waiting != nil {
			waiting(holders[0])
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(poll):
		}
	}
}
