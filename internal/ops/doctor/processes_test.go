package doctor

import (
	"strings"
	"testing"

	"vigueur/internal/kit/version"
	"vigueur/internal/store/postgres"
)

func TestRunningProgramsAreHeldAgainstOneAnother(t *testing.T) {
	t.Parallel()
	api := func(version string) postgres.Process {
		return postgres.Process{Program: "api", Version: version, Newest: 180, ID: "a"}
	}
	worker := func(version string) postgres.Process {
		return postgres.Process{Program: "worker", Version: version, Newest: 180, ID: "w"}
	}
	const pseudo = "v0.0.0-20261123091045-1a2b3c4d5e6f"
	all := func(p ...postgres.Process) []postgres.Process { return p }
	for name, c := range map[string]struct {
		running []postgres.Process
		command string
		schema  int64
		want    []string // all findings
	}{
		"one version":                    {all(api("v1.2.0"), worker("v1.2.0"), worker("v1.2.0")), "v1.2.0", 180, []string{"ok: 1 api v1.2.0, 2 workers v1.2.0"}},
		"a rolling upgrade":              {all(api("v1.2.0"), worker("v1.1.0"), worker("v1.1.0"), worker("v1.2.0")), "v1.2.0", 180, []string{"warn: des versions différentes tournent ensemble : 1 api v1.2.0, 2 workers v1.1.0, 1 worker v1.2.0"}},
		"an older command":               {all(api("v1.2.0"), worker("v1.2.0")), "v1.1.0", 180, []string{"warn: 1 api v1.2.0, 1 worker v1.2.0, et cette commande est v1.1.0"}},
		"a command that does not know":   {all(api("v1.2.0"), worker("v1.2.0")), version.Unknown, 180, []string{"ok: 1 api v1.2.0, 1 worker v1.2.0"}},
		"programs that do not know":      {all(api(version.Unknown), worker(version.Unknown)), "v1.2.0", 180, []string{"unseen: construits sans leur version"}},
		"no worker":                      {all(api("v1.2.0")), "v1.2.0", 180, []string{"warn: aucun worker ne tourne", "ok: 1 api v1.2.0"}},
		"no API":                         {all(worker("v1.2.0")), "v1.2.0", 180, []string{"warn: aucun api ne tourne", "ok: 1 worker v1.2.0"}},
		"nothing":                        {nil, "v1.2.0", 180, []string{"unseen: aucun api ni worker"}},
		"a schema that is not yet there": {all(api("v1.2.0"), worker("v1.2.0")), "v1.2.0", 179, []string{"fail: un api (v1.2.0) attend l’étape 180 du schéma, qui est à l’étape 179", "ok: 1 api"}},
		"a newer schema":                 {all(api("v1.2.0"), worker("v1.2.0")), "v1.2.0", 181, []string{"ok: 1 api v1.2.0, 1 worker v1.2.0"}},
		"a cut version":                  {all(api(pseudo+"+dir"), worker(pseudo+"+dir")), pseudo + "+dirty", 180, []string{"ok: 1 api " + pseudo}},
		"a version that begins alike":    {all(api("v1.2"), worker("v1.2")), "v1.2.0", 180, []string{"warn: et cette commande est v1.2.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			n := &notes{}
			judgeProcesses(n, c.running, c.command, c.schema)
			want(t, lines(n), c.want...)
			if len(n.found) != len(c.want) {
				t.Errorf("found %s", strings.Join(lines(n), "\n"))
			}
		})
	}
}

func TestProcessesAreSeenInTheDatabase(t *testing.T) {
	t.Parallel()
	environ := well(t)
	want(t, examined(t, environ, "processus"), "unseen: aucun api ni worker")
	db, err := postgres.OpenFor(t.Context(), environ["VIGUEUR_DATABASE_URL"], postgres.Program{Name: "worker"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	want(t, examined(t, environ, "processus"), "warn: aucun api ne tourne")
}
