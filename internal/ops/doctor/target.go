package doctor

import (
	"context"
	"slices"
	"strings"
	"sync"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
)

const areaSettings = "réglages"

// patient is what is examined: the settings of the programs, and what is known of the
// database, which others are held against.
type patient struct {
	environ map[string]string
	ingest  config.Ingest
	api     config.API
	worker  config.Worker
	// What is wrong with the settings of each.
	ingestErr, apiErr, workerErr error
	apiHere, workerHere          bool // the environment has settings of that program's own

	once     sync.Once
	examined postgres.Examined
	err      error
}

// Whose presence says that the environment is that of a program. Where it is that of the
// command alone, the others' settings are not here to be judged.
var (
	apiOwn    = []string{"VIGUEUR_JWT_SECRET", "VIGUEUR_JWT_KEY_FILE", "VIGUEUR_ADDRESS_SECRET", "VIGUEUR_BASE_URL", "VIGUEUR_LISTEN"}
	workerOwn = []string{"VIGUEUR_MAIL_DIR", "VIGUEUR_SMTP_URL", "VIGUEUR_INDEX_DIR"}
)

func newPatient(environ map[string]string) *patient {
	p := &patient{environ: environ}
	p.ingest, p.ingestErr = config.LoadIngest(environ)
	p.api, p.apiErr = config.LoadAPI(environ)
	p.worker, p.workerErr = config.LoadWorker(environ)
	set := func(name string) bool { return environ[name] != "" || environ[name+"_FILE"] != "" }
	p.apiHere, p.workerHere = slices.ContainsFunc(apiOwn, set), slices.ContainsFunc(workerOwn, set)
	return p
}

// broken reports whether not even the stores are known.
func (p *patient) broken() bool { return p.ingestErr != nil }

// database examines the database, once for all who ask.
func (p *patient) database(ctx context.Context) (postgres.Examined, error) {
	p.once.Do(func() { p.examined, p.err = postgres.Examine(ctx, p.ingest.DatabaseURL) })
	return p.examined, p.err
}

// catalog is the database where the indexes can be held against it; else it says in n
// that they cannot.
func (p *patient) catalog(ctx context.Context, n *notes) (e postgres.Examined, known bool) {
	e, err := p.database(ctx)
	if err != nil || !e.Made || len(e.Denied) > 0 {
		n.unseen("non comparé au catalogue, que la base ne donne pas")
		return e, false
	}
	return e, true
}

// faultsOf are the lines of an error of settings.
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
