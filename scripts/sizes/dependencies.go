package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// dependencies are the modules that go.mod requires directly, in its order.
type dependencies struct {
	product []string // imported by what is shipped
	others  []string // by tests and by the programs in scripts alone
}

// readDependencies asks the Go command.
func readDependencies(root string) (d dependencies, err error) {
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	raw, err := goOutput(root, "mod", "edit", "-json")
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(raw, &mod); err != nil {
		return d, fmt.Errorf("go mod edit -json: %w", err)
	}
	raw, err = goOutput(root, "list", "-f", "{{range .Imports}}{{.}}\n{{end}}", "./api/...", "./ingest/...", "./internal/...", "./worker/...")
	if err != nil {
		return d, err
	}
	imported := strings.Fields(string(raw))
	for _, r := range mod.Require {
		switch {
		case r.Indirect:
		case provides(r.Path, imported):
			d.product = append(d.product, r.Path)
		default:
			d.others = append(d.others, r.Path)
		}
	}
	return d, nil
}

// provides tells whether a module holds one of the packages. A package of a module below it counts for both.
func provides(module string, packages []string) bool {
	for _, p := range packages {
		if p == module || strings.HasPrefix(p, module+"/") {
			return true
		}
	}
	return false
}

// goOutput runs the Go command in a folder and returns what it prints. The error tells what it said.
func goOutput(root string, args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Dir = root
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(string(failed.Stderr)))
	}
	return out, err
}
