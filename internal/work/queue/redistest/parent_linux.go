package redistest

import (
	"os/exec"
	"syscall"
)

// dieWithParent leaves no server behind a test that is killed.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
