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
	"vigueur/internal/kit/tick"
	"vigueur/internal/store/blobs"
)

// Any number of backups may run at once, but no backup during a pruning, and only one
// pruning at a time. Each run writes a note of its own, its lock, and then lists all notes:
// of two runs that begin together, at least one sees the other's lock. This requires no
// conditional writes, which some S3 servers lack, only lists that are up to date.
//
// A killed process leaves its lock behind. A lock that was not renewed for lockTime, by the
// clock of the shelf, belongs to a dead process, and other runs remove it. A process that
// could not renew its lock for lockPatience stops by itself, long before other runs remove
// the lock.
const (
	lockTime     = 15 * time.Minute
	lockPatience = 5 * time.Minute
	lockRenew    = time.Minute
	// lockPoll is the interval at which a backup checks whether a pruning has ended.
	lockPoll = 5 * time.Second

	lockPrefix = "verrou-"
)

// purpose is the reason for a lock; it is part of the note's name.
type purpose string

const (
	storing purpose = "sauvegarde"
	pruning purpose = "nettoyage"
)

// Holder describes the process that holds a lock, for people.
type Holder struct {
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Begun time.Time `json:"begun"`
}

// String returns a description such as « serveur-1, processus 4711, depuis 2026-11-22 08:34
// UTC ».
func (h Holder) String() string {
	return fmt.Sprintf("%s, processus %d, depuis %s", h.Host, h.PID, h.Begun.UTC().Format("2006-01-02 15:04 UTC"))
}

// lock is a lock that this process holds.
type lock struct {
	shelf blobs.Shelf
	name  string
	text  []byte
	lose  context.CancelCauseFunc
	ended chan struct{} // closed when the renewal has ended

	mu      sync.Mutex
	renewed time.Time // start of the last successful renewal
	lost    error
}

// acquire writes a lock, and renews it until release. The returned context ends if the lock
// is lost. acquire does not check for locks of other runs.
func acquire(ctx context.Context, shelf blobs.Shelf, what purpose) (*lock, context.Context, error) {
	host, _ := os.Hostname() // the host name is only displayed
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

// keep renews the lock at intervals until ctx ends or the lock is lost.
func (l *lock) keep(ctx context.Context) {
	defer close(l.ended)
	for range tick.Every(ctx, lockRenew) {
		bounded, cancel := context.WithTimeout(ctx, lockPatience)
		_ = l.renew(bounded) // valid reports an error that lasts too long
		cancel()
		if err := l.valid(); err != nil {
			l.lose(err)
			return
		}
	}
}

// renew writes the lock's note again.
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

// expired reports whether a lock that was last renewed at a given time must be considered
// lost. The zero time belongs to a lock that is being acquired. The elapsed time is the
// longer one of two measurements, because the monotonic clock stops while the machine
// sleeps, and the wall clock may be set back.
func expired(renewed, now time.Time) bool {
	return !renewed.IsZero() && max(now.Sub(renewed), now.Round(0).Sub(renewed.Round(0))) > lockPatience
}

// valid returns nil while other runs respect the lock. Once the lock was not renewed for
// lockPatience, it always returns Unavailable.
func (l *lock) valid() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost == nil && expired(l.renewed, time.Now()) {
		l.lost = errs.New(errs.Unavailable, "Le stockage des sauvegardes n’a pas répondu pendant cinq minutes, ou la machine a dormi : recommencez.")
	}
	return l.lost
}

// reason returns the error that made the lock lost, if it is lost and err is not nil; else
// err.
func (l *lock) reason(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil && l.lost != nil {
		return l.lost
	}
	return err
}

// release ends the renewal and removes the note. If the note cannot be removed, other runs
// ignore it after lockTime.
func (l *lock) release() {
	l.lose(nil)
	<-l.ended
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = l.shelf.DeleteNote(ctx, l.name)
}

// others returns the holders of other locks with the given purposes, and the time by the
// shelf's clock. It renews this lock, and removes locks of dead processes.
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

// heldFor reports whether a note is a lock with one of the purposes.
func heldFor(note string, of []purpose) bool {
	for _, what := range of {
		if strings.HasPrefix(note, lockPrefix+string(what)+"-") {
			return true
		}
	}
	return false
}

// holder reads who holds a lock. An unreadable lock is respected, but its Holder is empty.
func (l *lock) holder(ctx context.Context, note string) (h Holder) {
	if text, err := l.shelf.Note(ctx, note); err == nil {
		_ = json.Unmarshal(text, &h)
	}
	return h
}

// await returns once no other run holds a lock with the given purpose. If it has to wait,
// it calls waiting once.
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
