// Package doctor checks everything that the service depends on: settings, stores,
// permissions, clocks, disk space, indexes, certificates and the public address. It also
// checks whether they match each other. Each finding says whether a check passed, and what
// to do if it did not.
//
// The checks leave no trace: what they write to test a store, they remove again. All checks
// run concurrently, each with a timeout, so they take as long as the slowest one. Messages
// are French and contain no secret: config.Mask removes secrets from the texts of other
// programs.
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
	"vigueur/internal/store/postgres"
)

// State is the result of a check.
type State string

// The results, from good to bad. Unseen means that the subject could not be examined from
// here, which is not a fault.
const (
	OK     State = "ok"
	Unseen State = "unseen"
	Warn   State = "warn"
	Fail   State = "fail"
)

// Finding is one result of a check.
type Finding struct {
	Area  string `json:"area"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do; empty if nothing has to be done
}

// Limit is the default timeout of one check.
const Limit = 10 * time.Second

// Doctor holds the parameters of an examination.
type Doctor struct {
	Environ map[string]string // settings of all programs, as in their environment
	Limit   time.Duration     // timeout of each check; 0: the constant Limit
	// OwnerFile is the file with the address of the database's owner, which the service must
	// not read; "": that of the Debian package.
	OwnerFile string
}

// check is a function that examines one area.
type check struct {
	area string
	at   func(ctx context.Context, n *notes)
}

// Examine runs all checks and returns their findings in a fixed order.
func (d Doctor) Examine(ctx context.Context) []Finding { return d.examine(ctx, "") }

// examine runs the check of one area, or all checks if area is "".
func (d Doctor) examine(ctx context.Context, area string) []Finding {
	p := newTarget(d.Environ)
	p.ownerFile = cmp.Or(d.OwnerFile, "/etc/vigueur/owner.env")
	if p.broken() {
		n := &notes{area: areaSettings}
		p.checkSettings(ctx, n)
		return p.mask(n.found)
	}
	checks := []check{
		{areaSettings, p.checkSettings}, {"machine", p.checkMachine}, {"postgresql", p.checkPostgres}, {"rôles", p.checkRoles}, {"processus", p.checkProcesses}, {"redis", p.checkRedis},
		{"file d’attente", p.checkBacklog}, {"fichiers", p.checkFiles}, {"vecteurs", p.checkVectors}, {"milvus", p.checkMilvus}, {"meilisearch", p.checkMeili},
		{"messages", p.checkMail}, {"modèles", p.checkModels}, {"adresse publique", p.checkPublicAddress}, {"adresses des clients", p.checkClientAddresses},
	}
	if area != "" {
		checks = slices.DeleteFunc(checks, func(c check) bool { return c.area != area })
	}
	all := make([]*notes, len(checks))
	var group sync.WaitGroup
	for i, c := range checks {
		all[i] = &notes{area: c.area}
		group.Go(func() { runWithin(ctx, cmp.Or(d.Limit, Limit), c, all[i]) })
	}
	group.Wait()
	var found []Finding
	for _, n := range all {
		found = append(found, n.found...)
	}
	return p.mask(found)
}

// runWithin runs one check with a timeout. A check that ignores its context goes on in the
// background, and later findings of it are dropped.
func runWithin(ctx context.Context, limit time.Duration, c check, n *notes) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.at(ctx, n)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		// A check that obeys its context gets some time to report what it was waiting for.
		select {
		case <-done:
		case <-time.After(limit / 4):
			n.fail(fmt.Sprintf("pas de réponse en %v", limit), "Regardez si le service répond, et si un pare-feu l’en empêche.")
		}
	}
	n.close()
}

// notes collects the findings of one check.
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

func (n *notes) ok(found string)        { n.add(OK, found, "") }
func (n *notes) addUnseen(found string) { n.add(Unseen, found, "") }
func (n *notes) warn(found, do string)  { n.add(Warn, found, do) }
func (n *notes) fail(found, do string)  { n.add(Fail, found, do) }

func (n *notes) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
}

// mask removes secrets from all findings.
func (p *target) mask(found []Finding) []Finding {
	mask := config.Mask(p.environ)
	for i, f := range found {
		found[i].Found, found[i].Do = mask(f.Found), mask(f.Do)
	}
	return found
}

// Worst returns the worst state among the findings.
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

// longestCause is the maximum length of a displayed error, in bytes.
const longestCause = 240

// cause formats an error on one line, for the operator of the machine.
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

const areaSettings = "réglages"

// target is what the checks examine: the settings of the programs, and the state of the
// database, which other checks compare with theirs.
type target struct {
	environ map[string]string
	// ownerFile is the path of the file with the address of the database's owner.
	ownerFile string
	ingest    config.Ingest
	api       config.API
	worker    config.Worker
	// Errors in the settings of each program; nil if there are none.
	ingestErr, apiErr, workerErr error
	apiHere, workerHere          bool // whether the environment contains settings that only this program has

	once     sync.Once
	examined postgres.Examined
	err      error
}

// Variables that only the API or only the worker reads. If none of a program's variables is
// set, the environment is that of the command alone, and the program's settings cannot be
// checked here.
var (
	apiOwn    = []string{"VIGUEUR_JWT_SECRET", "VIGUEUR_JWT_KEY_FILE", "VIGUEUR_ADDRESS_SECRET", "VIGUEUR_BASE_URL", "VIGUEUR_LISTEN"}
	workerOwn = []string{"VIGUEUR_MAIL_DIR", "VIGUEUR_SMTP_URL", "VIGUEUR_INDEX_DIR"}
)

func newTarget(environ map[string]string) *target {
	p := &target{environ: environ}
	p.ingest, p.ingestErr = config.LoadIngest(environ)
	p.api, p.apiErr = config.LoadAPI(environ)
	p.worker, p.workerErr = config.LoadWorker(environ)
	set := func(name string) bool { return environ[name] != "" || environ[name+"_FILE"] != "" }
	p.apiHere, p.workerHere = slices.ContainsFunc(apiOwn, set), slices.ContainsFunc(workerOwn, set)
	return p
}

// broken reports whether even the addresses of the stores are unknown.
func (p *target) broken() bool { return p.ingestErr != nil }

// database examines the database, once for all checks.
func (p *target) database(ctx context.Context) (postgres.Examined, error) {
	p.once.Do(func() { p.examined, p.err = postgres.Examine(ctx, p.ingest.DatabaseURL) })
	return p.examined, p.err
}

// catalog returns the state of the database if indexes can be compared with it. Otherwise
// known is false and n gets a finding.
func (p *target) catalog(ctx context.Context, n *notes) (e postgres.Examined, known bool) {
	e, err := p.database(ctx)
	if err != nil || !e.Made || len(e.Denied) > 0 {
		n.addUnseen("non comparé au catalogue, que la base ne donne pas")
		return e, false
	}
	return e, true
}

// faultsOf splits an error of config into its sentences.
func faultsOf(err error) (lines []string) {
	for line := range strings.Lines(errs.Public(err)) {
		if line, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		lines = []string{errs.Public(err)}
	}
	return lines
}
