package pdftext

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits of the child. Address space is what the process had at its start, which
// differs by gigabytes with the race detector, plus this much: the engine's
// memory, its copy while it grows, a picture and its frame.
const (
	moreAddressSpace = 4 << 30
	cpuSeconds       = 900
	fileBytes        = 128 << 20 // the compiled code, written once to its cache
	openFiles        = 64
)

// confine limits this process before it looks at a single foreign byte.
func confine() error {
	used, err := addressSpace()
	if err != nil {
		return err
	}
	var errs []error
	for what, limit := range map[int]uint64{
		unix.RLIMIT_AS: used + moreAddressSpace, unix.RLIMIT_CPU: cpuSeconds,
		unix.RLIMIT_FSIZE: fileBytes, unix.RLIMIT_NOFILE: openFiles, unix.RLIMIT_CORE: 0,
	} {
		var old unix.Rlimit
		if err := unix.Getrlimit(what, &old); err != nil {
			errs = append(errs, err)
			continue
		}
		limit = min(limit, old.Max)
		errs = append(errs, unix.Setrlimit(what, &unix.Rlimit{Cur: limit, Max: limit}))
	}
	errs = append(errs, unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), forbid())
	return errors.Join(errs...)
}

// addressSpace is how many bytes this process has mapped.
func addressSpace() (uint64, error) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(b), " ")
	pages, err := strconv.ParseUint(first, 10, 64)
	return pages * uint64(os.Getpagesize()), err
}

// attributes puts the child into a process group of its own, so that all of it
// can be killed, makes it die with its parent, and, when alone is set, cuts it
// off from the network in namespaces of its own.
func attributes(alone bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if alone {
		a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return a
}

// killGroup kills the child and whatever it started.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Process.Kill()
	}
}

// self is this program, also after its file was replaced by a newer one.
func self() (string, error) { return "/proc/self/exe", nil }

// threads is given to the child as GOMAXPROCS.
func threads() string { return strconv.Itoa(min(2, runtime.NumCPU())) }

// widen gives a pipe room for the pages that the child reads ahead, as far as the
// system lets us: with less it only waits earlier.
func widen(pipe *os.File) {
	const room = 1 << 20
	if raw, err := pipe.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, room) })
	}
}
