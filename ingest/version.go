package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Affiche la version du programme", Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			v := buildVersion()
			if a.json {
				return writeJSON(a.out, v)
			}
			line := "vigueur " + v.Version
			if v.Revision != "" {
				line += " (" + v.Revision + ", " + v.Time + ")"
			}
			_, err := fmt.Fprintln(a.out, line+", "+v.Go)
			return err
		},
	}
}

// version is the build information.
type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"` // built from a tree with uncommitted changes
	Go       string `json:"go"`
}

func buildVersion() version {
	v := version{Version: "(inconnue)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version, v.Go = info.Main.Version, info.GoVersion
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value[:min(12, len(s.Value))]
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
