//go:build !linux

package confine

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Landlock returns 0: this system has none.
func Landlock() int { return 0 }

// Apply has no effect on this system.
func (p Policy) Apply() error { return nil }

// NoFiles has no effect on this system.
func NoFiles() error { return nil }

// Start replaces this process by p.Program. It returns only if that fails.
func (p Policy) Start(args, environ []string) error {
	return fmt.Errorf("start %s: %w", p.Program, syscall.Exec(p.Program, append([]string{p.Program}, args...), environ))
}

// Self returns the path of this program.
func Self() (string, error) { return os.Executable() }

// Attributes returns nil: this system has none of them.
func Attributes(bool) *syscall.SysProcAttr { return nil }

// KillGroup kills a child.
func KillGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}
