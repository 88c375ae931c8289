package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// programs are the packages that are shipped.
var programs = []string{"api", "ingest", "worker"}

// goModule is what « go list » says of a module.
type goModule struct {
	Path, Version, Dir string
	Sum                string // h1:… as in go.sum
	Main               bool
	Replace            *goModule
}

// goPackage is what « go list » says of a package.
type goPackage struct {
	ImportPath string
	Imports    []string
	Standard   bool
	Module     *goModule
}

// built is what the Go command says of the programs.
type built struct {
	part    string            // path of the product's own module
	target  []string          // the settings of the Go command that decide what is compiled in, as NAME=value
	modules map[string]module // by path, Go's own library as "std"
	// uses holds for each module, and for each program by its name, the modules whose packages it imports.
	uses map[string][]string
}

// scan finds the texts of known licenses in a text. That of all that SPDX names takes seconds to be made.
type scan func(text []byte) licensecheck.Coverage

// module is one module that is compiled in.
type module struct {
	path, version string
	sha256        string // hexadecimal of what go.sum has, "" for Go's own library, which it does not name
	licenses      []string
}

// readGo asks the Go command what the programs are made of. The releases are made without cgo for Linux, so that is what
// is asked about, for the architecture of GOARCH; tests import more, and are not asked about.
func readGo(root string, known scan) (*built, error) {
	arguments := []string{"list", "-mod=readonly", "-deps", "-json=ImportPath,Imports,Standard,Module"}
	for _, program := range programs {
		arguments = append(arguments, "./"+program)
	}
	listed, err := goCommand(root, arguments...)
	if err != nil {
		return nil, err
	}
	told, err := goCommand(root, "env", "GOVERSION", "GOARCH")
	if err != nil {
		return nil, err
	}
	toolchain, architecture, _ := strings.Cut(strings.TrimSpace(string(told)), "\n")
	packages := make(map[string]goPackage)
	for decoder := json.NewDecoder(bytes.NewReader(listed)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages[p.ImportPath] = p
	}
	b, err := gather(packages, toolchain, known)
	if err != nil {
		return nil, err
	}
	b.target = []string{"CGO_ENABLED=0", "GOARCH=" + architecture, "GOOS=linux"}
	return b, nil
}

func goCommand(root string, arguments ...string) ([]byte, error) {
	// #nosec G204 -- the arguments are written above
	command := exec.Command("go", arguments...)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOFLAGS=", "GOWORK=off") // by go.mod alone, as releases are
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("go %s: %w\n%s", arguments[0], err, failed.Stderr)
	}
	return out, err
}

// gather makes modules of packages.
func gather(packages map[string]goPackage, toolchain string, known scan) (*built, error) {
	b := &built{uses: make(map[string][]string), modules: map[string]module{
		// Its license is that of the toolchain, which is told in the file LICENSE of Go.
		"std": {path: "std", version: strings.TrimPrefix(toolchain, "go"), licenses: []string{"BSD-3-Clause"}},
	}}
	for _, p := range packages {
		switch {
		case p.Standard:
		case p.Module == nil:
			return nil, fmt.Errorf("%s belongs to no module", p.ImportPath)
		case p.Module.Main:
			b.part = p.Module.Path
		default:
			if err := b.add(p.Module, known); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range packages {
		if !p.Standard && !p.Module.Main {
			b.use(p.Module.Path, p, packages)
		}
	}
	for _, program := range programs {
		reach(b.part+"/"+program, packages, make(map[string]bool), func(p goPackage) { b.use(program, p, packages) })
	}
	for user, used := range b.uses {
		slices.Sort(used)
		b.uses[user] = slices.Compact(used)
	}
	return b, nil
}

// add notes a module with its hash and licenses.
func (b *built) add(m *goModule, known scan) error {
	path := m.Path
	if _, added := b.modules[path]; added {
		return nil
	}
	if m.Replace != nil {
		m = m.Replace
	}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
	if err != nil || len(sum) != 32 {
		return fmt.Errorf("%s %s has no hash in go.sum", m.Path, m.Version)
	}
	licenses, err := licensesOf(m.Dir, known)
	if err != nil {
		return err
	}
	b.modules[path] = module{path: m.Path, version: m.Version, sha256: hex.EncodeToString(sum), licenses: licenses}
	return nil
}

// use notes that somebody's package imports those of other modules.
func (b *built) use(who string, p goPackage, packages map[string]goPackage) {
	for _, path := range p.Imports {
		imported, known := packages[path]
		switch {
		case !known: // "C" and "unsafe" are no packages that are listed
		case imported.Standard:
			b.uses[who] = append(b.uses[who], "std")
		case !imported.Module.Main && imported.Module.Path != who:
			b.uses[who] = append(b.uses[who], imported.Module.Path)
		}
	}
}

// reach visits a package of the product and those of it that it imports, each once.
func reach(path string, packages map[string]goPackage, seen map[string]bool, visit func(goPackage)) {
	p, known := packages[path]
	if !known || seen[path] || p.Standard || !p.Module.Main {
		return
	}
	seen[path] = true
	visit(p)
	for _, i := range p.Imports {
		reach(i, packages, seen, visit)
	}
}

// recognized is the part of a file, in percent, that has to be the text of known licenses for the file to be called by
// their names: the share that pkg.go.dev asks of the same library.
const recognized = 75

// licensesOf names the licenses (SPDX) that the files of a module's folder are. A file that is of another text has none.
func licensesOf(folder string, known scan) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if entry.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		found := known(text)
		if found.Percent < recognized {
			continue
		}
		for _, match := range found.Match {
			if !match.IsURL {
				names = append(names, match.ID)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
