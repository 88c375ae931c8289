// Package version tells which version of the service a program is, from what the Go command wrote
// into it.
package version

import "runtime/debug"

// version is set by the linker (-X vigueur/internal/kit/version.version=1.2.3) where a program is built
// without its repository, as an image is.
var version string

// Unknown is the version of a program that was built without its repository, and was not told.
const Unknown = "(inconnue)"

// Info is what a program was built from.
type Info struct {
	Version  string `json:"version"` // of the tag, or a pseudo-version; or Unknown
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"` // built from a tree with uncommitted changes
	Go       string `json:"go"`
}

// Read returns what this program was built from.
func Read() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: known("")}
	}
	v := Info{Version: known(info.Main.Version), Go: info.GoVersion}
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

// known is the version that the linker was told, else that of the module. « (devel) » is what the
// Go command calls a module of which it knows none.
func known(module string) string {
	switch {
	case version != "":
		return version
	case module == "" || module == "(devel)":
		return Unknown
	}
	return module
}
