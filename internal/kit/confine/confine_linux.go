package confine

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Landlock returns the version of Landlock that the kernel offers, from 1. It returns 0 if the kernel offers none; a
// confined process may then open all files of its account.
func Landlock() int {
	version, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// Apply confines this process with all its threads. After an error it must not read foreign bytes.
func (p Policy) Apply() error {
	used, err := addressSpace() // before the file it is read from is out of reach
	if err != nil {
		return err
	}
	rules, err := p.rules()
	if err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	if err := restrict(rules...); err != nil {
		return err
	}
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: p.FileBytes}
	if p.MoreAddressSpace > 0 {
		limits[unix.RLIMIT_AS] = used + p.MoreAddressSpace
	}
	if p.CPUSeconds > 0 {
		limits[unix.RLIMIT_CPU] = p.CPUSeconds
	}
	if p.OpenFiles > 0 {
		limits[unix.RLIMIT_NOFILE] = p.OpenFiles
	}
	for what, most := range limits {
		err = errors.Join(err, limit(what, most))
	}
	return errors.Join(err, p.filterCalls())
}

// Start replaces this process, to which p was applied, by p.Program with the given arguments (the
// program's name is no argument) and environment. It returns only if that fails.
func (p Policy) Start(args, environ []string) error {
	argv := append([]string{p.Program}, args...)
	// The limit is for the program alone: this process may have mapped more already.
	if p.AddressSpace > 0 {
		if err := limit(unix.RLIMIT_AS, p.AddressSpace); err != nil {
			return err
		}
	}
	return fmt.Errorf("start %s: %w", p.Program, syscall.Exec(p.Program, argv, environ))
}

// restrict limits files, TCP ports and signals by Landlock as far as the kernel can.
func restrict(rules ...landlock.Rule) error {
	if Landlock() == 0 {
		return nil
	}
	return landlock.V11.BestEffort().Restrict(rules...)
}

// Rights of Landlock. Reading never includes executing.
const (
	readFile = landlock.AccessFSSet(ll.AccessFSReadFile)
	readAll  = readFile | ll.AccessFSReadDir
	writeAll = readAll | ll.AccessFSWriteFile | ll.AccessFSTruncate | ll.AccessFSMakeReg | ll.AccessFSMakeDir |
		ll.AccessFSRemoveFile | ll.AccessFSRemoveDir
	execute = readFile | ll.AccessFSExecute
)

// rules returns the rules of Landlock for the files of p.
func (p Policy) rules() ([]landlock.Rule, error) {
	var rules []landlock.Rule
	for _, path := range p.Read {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case info.IsDir():
			rules = append(rules, landlock.PathAccess(readAll, path))
		default:
			rules = append(rules, landlock.PathAccess(readFile, path))
		}
	}
	if len(p.Write) > 0 {
		rules = append(rules, landlock.PathAccess(writeAll, p.Write...))
	}
	if p.Program == "" {
		return rules, nil
	}
	loader, err := interpreter(p.Program)
	if err != nil {
		return nil, err
	}
	rules = append(rules, landlock.PathAccess(execute, p.Program))
	if loader != "" {
		rules = append(rules, landlock.PathAccess(execute, loader))
	}
	return rules, nil
}

// interpreter returns the path of the dynamic loader that an ELF program names, "" if it needs none.
func interpreter(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", fmt.Errorf("%s is no ELF program: %w", program, err)
	}
	defer f.Close()
	for _, part := range f.Progs {
		if part.Type != elf.PT_INTERP || part.Filesz > unix.PathMax {
			continue
		}
		name, err := io.ReadAll(part.Open())
		return strings.TrimRight(string(name), "\x00"), err
	}
	return "", nil
}

// limit sets a resource limit, which the process cannot raise again. A lower limit stays.
func limit(what int, most uint64) error {
	var old unix.Rlimit
	if err := unix.Getrlimit(what, &old); err != nil {
		return err
	}
	most = min(most, old.Max)
	return unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most})
}

// addressSpace returns the number of bytes that this process has mapped. It differs by gigabytes with the race
// detector.
func addressSpace() (uint64, error) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(b), " ")
	pages, err := strconv.ParseUint(first, 10, 64)
	return pages * uint64(os.Getpagesize()), err
}

// Self returns the path of this program, which holds also after its file was replaced by a newer one.
func Self() (string, error) { return "/proc/self/exe", nil }

// Attributes returns the attributes of a child in a process group of its own, which dies with the
// thread that started it. With alone it is cut off from the network, in namespaces of its own;
// starting it then fails where an account may not make such.
func Attributes(alone bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if alone {
		a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return a
}

// KillGroup kills a child and whatever it started.
func KillGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Process.Kill()
	}
}
