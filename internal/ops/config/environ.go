package config

import (
	"os"
	"path/filepath"
	"strings"
)

// stateFile is the file in which the scripts store the settings in effect.
const stateFile = ".state/env"

// Environ returns the process's environment. It adds the variables of .state/env in the
// working directory or the nearest folder above it, unless VIGUEUR_DATABASE_URL is set:
// then the process is configured from outside.
func Environ() map[string]string {
	set := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	if set["VIGUEUR_DATABASE_URL"] != "" || set["VIGUEUR_DATABASE_URL"+secretFile] != "" {
		return set
	}
	dir, err := os.Getwd()
	if err != nil {
		return set
	}
	for name, value := range findState(dir) {
		if _, given := set[name]; !given {
			set[name] = value
		}
	}
	return set
}

// findState reads the nearest readable .state/env in dir or above it. If there is none, it
// returns no variables.
func findState(dir string) map[string]string {
	for {
		text, err := os.ReadFile(filepath.Join(dir, stateFile))
		if err == nil {
			return parseState(string(text))
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// parseState parses NAME=VALUE lines; blank lines and lines that begin with # are skipped.
func parseState(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(line, "=")
		if ok && !strings.HasPrefix(line, "#") {
			values[name] = value
		}
	}
	return values
}
