//go:build !linux

package redistest

import "os/exec"

// dieWithParent is for Linux; elsewhere a killed test may leave its server.
func dieWithParent(*exec.Cmd) {}
