//go:build !linux

package pdftext

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// confine does nothing here: the limits are Linux's. The child still protects
// its parent from crashes, and the engine's own memory limit holds.
func confine() error { return nil }

func attributes(bool) *syscall.SysProcAttr { return nil }

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

func self() (string, error) { return os.Executable() }

func threads() string { return strconv.Itoa(min(2, runtime.NumCPU())) }

func widen(*os.File) {}
