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
