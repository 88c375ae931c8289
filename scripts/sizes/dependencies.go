package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// dependencies are the modules that the repository's own require directly, in their order, and none of these.
type dependencies struct {
	product []string // imported by what is shipped
	others  []string // by tests and by the programs in scripts alone
}

// readDependencies asks the Go command.
func readDependencies(root string) (d dependencies, err error) {
	required, err := required(root)
	if err != nil {
		return d, err
	}
	raw, err := goOutput(root, "list", "-f", "{{range .Imports}}{{.}}\n{{end}}", "./api/...", "./ingest/...", "./internal/...", "./worker/...")
	if err != nil {
		return d, err
	}
	imported := strings.Fields(string(raw))
	for _, module := range required {
		if provides(module, imported) {
			d.product = append(d.product, module)
		} else {
			d.others = append(d.others, module)
		}
	}
	return d, nil
}

// required lists the modules that go.mod and those of the modules in go.work, if there is one, require directly.
func required(root string) (list []string, err error) {
	var work struct{ Use []struct{ DiskPath string } }
	work.Use = append(work.Use, struct{ DiskPath string }{"."})
	if _, err := os.Stat(filepath.Join(root, "go.work")); err == nil {
		if err := goJSON(root, &work, "work", "edit", "-json"); err != nil {
			return nil, err
		}
	}
	own := map[string]bool{}
	for _, use := range work.Use {
		var mod struct {
			Module  struct{ Path string }
			Require []struct {
				Path     string
				Indirect bool
			}
		}
		if err := goJSON(filepath.Join(root, use.DiskPath), &mod, "mod", "edit", "-json"); err != nil {
			return nil, err
		}
		own[mod.Module.Path] = true
		for _, r := range mod.Require {
			if !r.Indirect && !slices.Contains(list, r.Path) {
				list = append(list, r.Path)
			}
		}
	}
	return slices.DeleteFunc(list, func(path string) bool { return own[path] }), nil
}

// goJSON runs the Go command in a folder and reads what it prints into v.
func goJSON(folder string, v any, args ...string) error {
	raw, err := goOutput(folder, args...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// provides reports whether a module holds one of the packages. A package of a module below it counts for both.
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
