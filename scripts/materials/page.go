package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npmPackage is what package-lock.json says of a package, or of the page itself.
type npmPackage struct {
	Version, License, Integrity string
	Dev, Optional               bool
	Dependencies                map[string]string
	PeerDependencies            map[string]string
	PeerDependenciesMeta        map[string]struct{ Optional bool }
}

// needs are the packages that npm installs with this one: what it depends on, and the peers that it cannot do without.
func (p npmPackage) needs() []string {
	names := slices.Collect(maps.Keys(p.Dependencies))
	for name := range p.PeerDependencies {
		if !p.PeerDependenciesMeta[name].Optional {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// page is what the page is made of: what it imports, and what that needs. What only builds or tests it is not, nor what
// npm calls optional: the packages are installed without that.
type page struct {
	packages map[string]npmPackage // by name
	direct   []string
	uses     map[string][]string
}

// readPage reads the lock file of the page.
func readPage(root string) (*page, error) {
	data, err := os.ReadFile(filepath.Join(root, "api", "web", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		LockfileVersion int
		Packages        map[string]npmPackage
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	if lock.LockfileVersion != 3 {
		return nil, fmt.Errorf("package-lock.json has the version %d, not 3", lock.LockfileVersion)
	}
	p := &page{packages: make(map[string]npmPackage), uses: make(map[string][]string)}
	p.direct = slices.Sorted(maps.Keys(lock.Packages[""].Dependencies))
	for open := slices.Clone(p.direct); len(open) > 0; open = open[1:] {
		name := open[0]
		if _, known := p.packages[name]; known {
			continue
		}
		// A second version of a package would lie in a folder of a package: none does, and one is not told wrongly.
		for path := range lock.Packages {
			if strings.HasSuffix(path, "/node_modules/"+name) {
				return nil, fmt.Errorf("package-lock.json has more than one version of %s", name)
			}
		}
		found, listed := lock.Packages["node_modules/"+name]
		switch {
		case !listed || found.Dev:
			return nil, fmt.Errorf("package-lock.json does not have %s, which the page needs", name)
		case found.Optional:
			continue
		}
		p.packages[name] = found
		p.uses[name] = found.needs()
		open = append(open, p.uses[name]...)
	}
	return p, nil
}

// sha512 is the hash of the package's archive in hexadecimal.
func (p npmPackage) sha512() (string, error) {
	sum, found := strings.CutPrefix(p.Integrity, "sha512-")
	raw, err := base64.StdEncoding.DecodeString(sum)
	if !found || err != nil || len(raw) != 64 {
		return "", fmt.Errorf("the integrity « %s » is no SHA-512", p.Integrity)
	}
	return hex.EncodeToString(raw), nil
}
