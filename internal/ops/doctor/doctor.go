// Package doctor checks everything the service depends on: settings, stores, permissions,
// clocks, disk space, indexes, certificates and the public address, each also against the
// others. Each finding says whether a check passed, and what to do if it did not.
//
// It changes nothing that lasts: what it writes to test a store it removes again. All checks
// run concurrently, each with a timeout, so the whole takes no longer than the slowest.
// Messages are French and contain no secret: texts of others pass through config.Mask.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
)

// State says how something is.
type State string

// The states, from good to bad. Unseen: it could not be looked at from here, which is no fault.
const (
	OK     State = "ok"
	Unseen State = "unseen"
	Warn   State = "warn"
	Fail   State = "fail"
)

// Finding is what was found of one thing.
type Finding struct {
	Area  string `json:"area"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do; empty when there is nothing to do
}

// Limit is how long one look may take, unless the Doctor says otherwise.
const Limit = 10 * time.Second

// Doctor is one examination.
type Doctor struct {
	Environ map[string]string // the settings of all programs, as the environment has them
	Limit   time.Duration     // of each look; 0: Limit
}

// look is one thing that is looked at.
type look struct {
	area string
	at   func(ctx context.Context, n *notes)
}

// Examine looks at everything and gives what it found, in a fixed order.
func (d Doctor) Examine(ctx context.Context) []Finding { return d.examine(ctx, "") }

// examine looks at one area, or at all.
func (d Doctor) examine(ctx context.Context, area string) []Finding {
	p := newPatient(d.Environ)
	if p.broken() {
		n := &notes{area: areaSettings}
		p.settings(ctx, n)
		return p.masked(n.found)
	}
	looks := []look{
		{areaSettings, p.settings}, {"machine", p.machine}, {"postgresql", p.postgres}, {"rôles", p.roles}, {"processus", p.processes}, {"redis", p.redis},
		{"file d’attente", p.backlog}, {"fichiers", p.files}, {"vecteurs", p.vectors}, {"milvus", p.milvus}, {"meilisearch", p.meili},
		{"messages", p.mail}, {"modèles", p.models}, {"adresse publique", p.publicAddress},
	}
	if area != "" {
		looks = slices.DeleteFunc(looks, func(l look) bool { return l.area != area })
	}
	all := make([]*notes, len(looks))
	var group sync.WaitGroup
	for i, l := range looks {
		all[i] = &notes{area: l.area}
		group.Go(func() { bounded(ctx, cmp.Or(d.Limit, Limit), l, all[i]) })
	}
	group.Wait()
	var found []Finding
	for _, n := range all {
		found = append(found, n.found...)
	}
	return p.masked(found)
}

// bounded runs one look with a time limit. A look that ignores its context goes on in the
// background, and its findings are dropped.
func bounded(ctx context.Context, limit time.Duration, l look, n *notes) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.at(ctx, n)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		// One that listens has a moment to say what it waited for.
		select {
		case <-done:
		case <-time.After(limit / 4):
			n.fail(fmt.Sprintf("pas de réponse en %v", limit), "Regardez si le service répond, et si un pare-feu l’en empêche.")
		}
	}
	n.close()
}

// notes are what is found of one thing.
type notes struct {
	area   string
	mu     sync.Mutex
	found  []Finding
	closed bool
}

func (n *notes) add(state State, found, do string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.found = append(n.found, Finding{n.area, state, found, do})
	}
}

func (n *notes) ok(found string)       { n.add(OK, found, "") }
func (n *notes) unseen(found string)   { n.add(Unseen, found, "") }
func (n *notes) warn(found, do string) { n.add(Warn, found, do) }
func (n *notes) fail(found, do string) { n.add(Fail, found, do) }

func (n *notes) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
}

// masked takes secrets out of everything that is said.
func (p *patient) masked(found []Finding) []Finding {
	mask := config.Mask(p.environ)
	for i, f := range found {
		found[i].Found, found[i].Do = mask(f.Found), mask(f.Do)
	}
	return found
}

// Worst is the worst state of all.
func Worst(found []Finding) State {
	worst := OK
	for _, f := range found {
		if rank(f.State) > rank(worst) {
			worst = f.State
		}
	}
	return worst
}

func rank(s State) int {
	switch s {
	case OK:
		return 0
	case Unseen:
		return 1
	case Warn:
		return 2
	}
	return 3
}

// longestCause is how much of an error is shown, in bytes.
const longestCause = 240

// cause is an error on one line, for whoever runs the machine.
func cause(err error) string {
	said := strings.Join(strings.Fields(err.Error()), " ")
	if public := errs.Public(err); errs.KindOf(err) == errs.Invalid && public != "" {
		said = public
	}
	if len(said) > longestCause {
		said = strings.ToValidUTF8(said[:longestCause], "") + "…"
	}
	return said
}
