package main

import (
	"context"
	"slices"
	"strings"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
)

// setting is a setting and the programs that read it.
type setting struct {
	config.Setting
	Programs []string `json:"programs"`
}

// config runs « config »: it prints the settings with the given names, or all settings.
func (a *app) config(_ context.Context, in *input) error {
	names := in.args
	all, faults := a.allSettings()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s setting) bool { return s.Env == name }) {
			return usage("Aucun réglage ne s’appelle « %s ». « ingest config » donne la liste.", terminal.Line(name))
		}
	}
	if len(names) > 0 {
		all = slices.DeleteFunc(all, func(s setting) bool { return !slices.Contains(names, s.Env) })
	}
	if err := a.writeSettings(all); err != nil {
		return err
	}
	return together(faults)
}

// allSettings returns the settings of every program, and the errors in them.
func (a *app) allSettings() (all []setting, faults []error) {
	read := func(program string, c any, err error) {
		if err != nil {
			faults = append(faults, err)
		}
		for _, s := range config.Settings(c) {
			pos := slices.IndexFunc(all, func(known setting) bool { return known.Env == s.Env })
			if pos < 0 {
				pos = len(all)
				all = append(all, setting{Setting: s})
			}
			all[pos].Programs = append(all[pos].Programs, program)
		}
	}
	ingest, err := config.LoadIngest(a.environ)
	read("ingest", ingest, err)
	api, err := config.LoadAPI(a.environ)
	read("api", api, err)
	worker, err := config.LoadWorker(a.environ)
	read("worker", worker, err)
	return all, faults
}

func (a *app) writeSettings(all []setting) error {
	if a.json {
		return writeList(a.out, all, len(all))
	}
	t := terminal.Table{Head: []string{"VARIABLE", "VALEUR", "PROGRAMMES", "SENS"}}
	for _, s := range all {
		t.Add(s.Env, s.Value, strings.Join(s.Programs, ", "), s.Help)
	}
	return t.Write(a.out, "")
}

// together combines the errors of several programs. Each line occurs once, because programs
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
