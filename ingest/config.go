package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/config"
)

func (a *app) configCommand() *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Affiche les réglages en vigueur, secrets masqués", Args: takes(0, 0, ""),
		Long: "Affiche chaque réglage en vigueur sous le nom de sa variable d’environnement, avec les programmes qui\n" +
			"le lisent. Les secrets sont masqués. Un réglage incorrect est nommé et le code de sortie est 2.",
		RunE: func(*cobra.Command, []string) error { return a.config() },
	}
}

// setting is a setting with the programs that read it.
type setting struct {
	config.Setting
	Programs []string `json:"programs"`
}

func (a *app) config() error {
	var all []setting
	var faults []error
	read := func(program string, c any, err error) {
		if err != nil {
			faults = append(faults, err)
		}
		for _, s := range config.Settings(c) {
			at := slices.IndexFunc(all, func(known setting) bool { return known.Env == s.Env })
			if at < 0 {
				at = len(all)
				all = append(all, setting{Setting: s})
			}
			all[at].Programs = append(all[at].Programs, program)
		}
	}
	ingest, err := config.LoadIngest(a.environ)
	read("ingest", ingest, err)
	api, err := config.LoadAPI(a.environ)
	read("api", api, err)
	worker, err := config.LoadWorker(a.environ)
	read("worker", worker, err)
	if err := a.writeSettings(all); err != nil {
		return err
	}
	return together(faults)
}

func (a *app) writeSettings(all []setting) error {
	if a.json {
		return writeJSON(a.out, all)
	}
	t := table{head: []string{"VARIABLE", "VALEUR", "PROGRAMMES", "SENS"}}
	for _, s := range all {
		t.add(s.Env, s.Value, strings.Join(s.Programs, ", "), s.Help)
	}
	return t.write(a.out, "")
}

// together reports the faults of several programs as one, each line once: they
// share settings.
func together(faults []error) error {
	var lines []string
	for _, err := range faults {
		for line := range strings.SplitSeq(sentence(err), "\n") {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return usage("%s", strings.Join(lines, "\n"))
}
