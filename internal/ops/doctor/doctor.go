// Package doctor checks what the service depends on and an operator can mend: settings, stores, rights, disk space,
// indexes, mail, models and the public address. It leaves out what the programs say when they start and what metrics
// tell.
//
// The checks leave no trace: what they write to test a store, they remove again. All checks run concurrently, each
// with a timeout, so they take as long as the slowest one. Messages are French and contain no secret: config.Mask
// removes secrets from the texts of other programs.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"net/url"
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

// The results. Unseen means that the subject could not be examined from here, which is not a fault.
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

// findings are the results of one check.
type findings []Finding

func (f *findings) ok(found string)     { *f = append(*f, Finding{State: OK, Found: found}) }
func (f *findings) unseen(found string) { *f = append(*f, Finding{State: Unseen, Found: found}) }

// warn adds a warning and what to do about it, if bad is true.
func (f *findings) warn(bad bool, found, do string) {
	if bad {
		*f = append(*f, Finding{State: Warn, Found: found, Do: do})
	}
}

// fail adds a fault and what to do about it, if bad is true.
func (f *findings) fail(bad bool, found, do string) {
	if bad {
		*f = append(*f, Finding{State: Fail, Found: found, Do: do})
	}
}

// okUnlessFaulty says that all is well, if nothing that was found needs attention.
func (f *findings) okUnlessFaulty(found string) {
	if !slices.ContainsFunc(*f, func(one Finding) bool { return one.State == Warn || one.State == Fail }) {
		f.ok(found)
	}
}

// check examines one area.
type check struct {
	area string
	look func(p *target, ctx context.Context) findings
}

// checks are all checks, in the order of their findings.
var checks = []check{
	{"réglages", (*target).checkSettings}, {"machine", (*target).checkMachine}, {"postgresql", (*target).checkPostgres},
	{"rôles", (*target).checkRoles}, {"processus", (*target).checkProcesses}, {"redis", (*target).checkRedis},
	{"file d’attente", (*target).checkBacklog}, {"fichiers", (*target).checkFiles}, {"vecteurs", (*target).checkVectors},
	{"milvus", (*target).checkMilvus}, {"meilisearch", (*target).checkMeili}, {"messages", (*target).checkMail},
	{"modèles", (*target).checkModels}, {"adresse publique", (*target).checkPublicAddress},
}

// Limit is the default timeout of one check.
const Limit = 10 * time.Second

// Doctor holds the parameters of an examination.
type Doctor struct {
	Environ map[string]string // settings of all programs, as in their environment
	Limit   time.Duration     // timeout of each check; 0: the constant Limit
}

// Examine runs all checks and returns their findings in a fixed order.
func (d Doctor) Examine(ctx context.Context) []Finding { return d.examine(ctx, "") }

// examine runs the check of one area, or all checks if area is "". Without the addresses of the stores it checks the
// settings only.
func (d Doctor) examine(ctx context.Context, area string) (all []Finding) {
	p := newTarget(d.Environ)
	if p.ingestErr != nil {
		area = "réglages"
	}
	found := make([]findings, len(checks))
	var group sync.WaitGroup
	for i, c := range checks {
		if area == "" || c.area == area {
			group.Go(func() { found[i] = c.runWithin(ctx, cmp.Or(d.Limit, Limit), p) })
		}
	}
	group.Wait()
	p.close()
	mask := config.Mask(d.Environ)
	for i, list := range found {
		for _, f := range list {
			all = append(all, Finding{checks[i].area, f.State, mask(f.Found), mask(f.Do)})
		}
	}
	return all
}

// runWithin runs a check with a timeout. A check that ignores its context goes on in the background, and its findings
// are dropped.
func (c check) runWithin(ctx context.Context, limit time.Duration, p *target) (f findings) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan findings, 1)
	go func() { done <- c.look(p, ctx) }()
	select {
	case f = <-done:
	case <-time.After(limit + limit/4): // a check that obeys its context gets some time to report what it was waiting for
		f.fail(true, fmt.Sprintf("pas de réponse en %v", limit), "Regardez si le service répond, et si un pare-feu l’en empêche.")
	}
	return f
}

// longestCause is the maximum length of a displayed error, in bytes.
const longestCause = 240

// cause formats an error on one line, for the operator of the machine.
func cause(err error) string {
	if err == nil {
		return ""
	}
	said := strings.Join(strings.Fields(err.Error()), " ")
	if public := errs.Public(err); errs.KindOf(err) == errs.Invalid && public != "" {
		said = public
	}
	if len(said) > longestCause {
		said = strings.ToValidUTF8(said[:longestCause], "") + "…"
	}
	return said
}

// target is what the checks examine: the settings of the programs, and the state of the database, which other checks
// compare with theirs.
type target struct {
	environ map[string]string
	// ownerFile is the file of the Debian package with the address of the database's owner.
	ownerFile string
	ingest    config.Ingest
	api       config.API
	worker    config.Worker
	// Errors in the settings of each program; nil if there are none.
	ingestErr, apiErr, workerErr error
	apiHere, workerHere          bool // whether the environment contains settings that only this program has

	once     sync.Once
	db       *postgres.DB
	examined postgres.Examined
	err      error
}

// Variables that only the API or only the worker reads. If none of a program's variables is set, the environment is
// that of the command alone, and the program's settings cannot be checked here.
var (
	apiOwn    = []string{"VIGUEUR_JWT_SECRET", "VIGUEUR_JWT_KEY_FILE", "VIGUEUR_ADDRESS_SECRET", "VIGUEUR_BASE_URL", "VIGUEUR_LISTEN"}
	workerOwn = []string{"VIGUEUR_MAIL_DIR", "VIGUEUR_SMTP_URL", "VIGUEUR_INDEX_DIR"}
)

func newTarget(environ map[string]string) *target {
	p := &target{environ: environ, ownerFile: "/etc/vigueur/owner.env"}
	p.ingest, p.ingestErr = config.LoadIngest(environ)
	p.api, p.apiErr = config.LoadAPI(environ)
	p.worker, p.workerErr = config.LoadWorker(environ)
	set := func(name string) bool { return environ[name] != "" || environ[name+"_FILE"] != "" }
	p.apiHere, p.workerHere = slices.ContainsFunc(apiOwn, set), slices.ContainsFunc(workerOwn, set)
	return p
}

// database opens and examines the database, once for all checks.
func (p *target) database(ctx context.Context) (*postgres.DB, postgres.Examined, error) {
	p.once.Do(func() {
		p.db, p.err = postgres.OpenFor(ctx, p.ingest.DatabaseURL, postgres.Program{Wait: time.Millisecond})
		if p.err == nil {
			p.examined, p.err = p.db.Examine(ctx)
		}
	})
	return p.db, p.examined, p.err
}

func (p *target) close() {
	if p.db != nil {
		p.db.Close()
	}
}

// withDB calls look with the database if it has tables that the service may read.
func (p *target) withDB(ctx context.Context, f *findings, look func(db *postgres.DB, e postgres.Examined)) {
	db, e, err := p.database(ctx)
	if err != nil || !e.Made || len(e.Denied) > 0 {
		f.unseen("non comparé à la base, qui ne répond pas, est vide ou se refuse")
		return
	}
	look(db, e)
}

// checkSettings checks each setting, and whether the settings match each other.
func (p *target) checkSettings(context.Context) (f findings) {
	var told []string
	for _, program := range []struct {
		name string
		here bool
		err  error
	}{{"ingest", true, p.ingestErr}, {"api", p.apiHere, p.apiErr}, {"worker", p.workerHere, p.workerErr}} {
		if !program.here {
			f.unseen("les réglages de « " + program.name + " » ne sont pas dans cet environnement : lancez la commande aussi avec les siens")
			continue
		}
		for line := range strings.Lines(errs.Public(program.err)) {
			if line, isFault := strings.CutPrefix(strings.TrimSpace(line), "- "); isFault && !slices.Contains(told, line) {
				told = append(told, line)
				f.fail(true, line, "Corrigez ce réglage ; « ingest config » les montre tous.")
			}
		}
	}
	strange := p.unknownSettings()
	f.warn(len(strange) > 0, "aucun programme ne lit "+strings.Join(strange, ", "), "Vérifiez l’orthographe : « ingest config » nomme tous les réglages.")
	if p.apiHere && p.apiErr == nil {
		p.checkAPISettings(&f)
	}
	f.okUnlessFaulty("chaque réglage est lisible et aucun n’en contredit un autre")
	return f
}

// notPrograms are the variables that only the compose file, the scripts and the choice of a profile read.
var notPrograms = []string{"VIGUEUR_PUBLISH", "VIGUEUR_GAZETTES", "VIGUEUR_BIN", "VIGUEUR_PROFILE"}

// unknownSettings returns the variables that no program reads. A typing error in a name would go unnoticed otherwise.
func (p *target) unknownSettings() (strange []string) {
	known := slices.Clone(notPrograms)
	for _, c := range []any{config.API{}, config.Worker{}, config.Ingest{}} {
		for _, s := range config.Settings(c) {
			known = append(known, s.Env)
			if s.Secret {
				known = append(known, s.Env+"_FILE")
			}
		}
	}
	for name := range p.environ {
		if strings.HasPrefix(name, "VIGUEUR_") && !slices.Contains(known, name) && !strings.HasPrefix(name, "VIGUEUR_TEST_") {
			strange = append(strange, name)
		}
	}
	slices.Sort(strange)
	return strange
}

// checkAPISettings checks whether the settings of the API match each other and those of the worker.
func (p *target) checkAPISettings(f *findings) {
	c, base := p.api, baseURL(p.api.BaseURL)
	f.warn(c.JWTSecret != "" && c.JWTSecret == c.AddressSecret, "VIGUEUR_JWT_SECRET et VIGUEUR_ADDRESS_SECRET sont le même secret", "Donnez-leur deux valeurs : openssl rand -hex 32.")
	f.warn(base.Scheme == "http" && !ownMachine(base.Hostname()), "VIGUEUR_BASE_URL est en http : les mots de passe et les sessions passent en clair",
		"Placez un mandataire TLS devant l’API et mettez https dans VIGUEUR_BASE_URL.")
	f.warn(base.Scheme == "https" && len(c.TrustedProxies) == 0,
		"VIGUEUR_BASE_URL est en https et aucun mandataire n’est de confiance : tous les clients partagent l’adresse du mandataire dans les limites",
		"Nommez le réseau du mandataire dans VIGUEUR_TRUSTED_PROXIES (127.0.0.0/8,::1/128 s’il est sur cette machine).")
	for _, network := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(network)
		f.fail(err == nil && prefix.Bits() == 0, "VIGUEUR_TRUSTED_PROXIES croit tout le monde ("+network+") : chacun peut forger son adresse", "Ne nommez que les réseaux de vos mandataires.")
	}
	address, err := netip.ParseAddrPort(c.Metrics)
	f.warn(err == nil && address.Addr().IsGlobalUnicast() && !address.Addr().IsPrivate(), "VIGUEUR_METRICS_LISTEN écoute sur une adresse publique",
		"Choisissez une adresse privée : chacun peut y lire les mesures.")
	f.fail(p.workerHere && p.workerErr == nil && !slices.Equal(c.Names, p.worker.Names), "VIGUEUR_MODELS diffère entre api et worker", "Donnez les mêmes modèles aux deux.")
}

// baseURL parses an address; it is empty if it is not valid.
func baseURL(address string) url.URL {
	u, err := url.Parse(address)
	if err != nil {
		return url.URL{}
	}
	return *u
}

// ownMachine reports whether a host is the machine itself.
func ownMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
