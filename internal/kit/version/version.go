// Package version returns the version of the running program, from what the Go command wrote into it.
package version

import "runtime/debug"

// version is the version that the linker sets (-X vigueur/internal/kit/version.version=1.2.3) if a program is built
// without its repository, as in a container image.
var version string

// Unknown is the version of a program that was built without its repository and without a version from the linker.
const Unknown = "(inconnue)"

// Info describes the source and the build of a program.
type Info struct {
	Version  string `json:"version"` // version of the tag, or a pseudo-version, or Unknown
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"` // whether the working tree had uncommitted changes
	Go       string `json:"go"`
}

// Read returns the Info of the running program.
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

// known returns the version from the linker, or else the version of the module. The Go command calls a module without
// a known version « (devel) ».
func known(module string) string {
	switch {
	case version != "":
		return version
	case module == "" || module == "(devel)":
		return Unknown
	}
	return module
}
