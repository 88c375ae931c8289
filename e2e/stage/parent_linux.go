package stage

import (
	"os/exec"
	"syscall"
)

// dieWithParent leaves no process behind a test that is killed.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
