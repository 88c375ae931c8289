//go:build !linux

package redistest

import "os/exec"

// dieWithParent does nothing: only Linux can kill a server together with its parent, and
// elsewhere a killed test may leave its server running.
func dieWithParent(*exec.Cmd) {}
