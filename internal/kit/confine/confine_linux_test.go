package confine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// TestRules checks what is handed to Landlock: missing paths to read are passed over, files get no rights of folders,
// and a program brings its loader.
func TestRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	loader, err := interpreter(program)
	if err != nil || !strings.HasPrefix(loader, "/") {
		t.Fatalf("the loader of %s is %q: %v", program, loader, err)
	}
	rules, err := Policy{Read: []string{filepath.Join(dir, "missing"), dir, file}, Write: []string{dir}, Program: program}.rules()
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, r := range rules {
		rule, ok := r.(landlock.FSRule)
		if !ok {
			t.Fatalf("%v is no rule of files", r)
		}
		got = append(got, rule.String())
	}
	for _, r := range []landlock.FSRule{
		landlock.PathAccess(readAll, dir), landlock.PathAccess(readFile, file), landlock.PathAccess(writeAll, dir),
		landlock.PathAccess(execute, program), landlock.PathAccess(execute, loader),
	} {
		want = append(want, r.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rules\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := (Policy{Program: file}).rules(); err == nil {
		t.Error("an empty file is a program")
	}
}

// TestFilter runs the filter of calls, instruction by instruction, as the kernel does.
func TestFilter(t *testing.T) {
	t.Parallel()
	const deny, missing, allow = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS), unix.SECCOMP_RET_ALLOW
	run := func(p Policy, arch, call uint32, args []uint32) uint32 {
		data := make([]uint32, 16)
		data[callAt/4], data[archAt/4] = call, arch
		for i, arg := range args {
			data[argsAt/4+2*i] = arg
		}
		var a uint32
		filter := p.filter()
		for pos := 0; ; pos++ {
			switch i := filter[pos]; i.Code {
			case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
				a = data[i.K/4]
			case unix.BPF_RET | unix.BPF_K:
				return i.K
			default:
				holds := map[uint16]bool{unix.BPF_JEQ: a == i.K, unix.BPF_JSET: a&i.K != 0}[i.Code&0xf0]
				if holds {
					pos += int(i.Jt)
				} else {
					pos += int(i.Jf)
				}
			}
		}
	}
	none, read, write, start := Policy{}, Policy{Read: []string{"/a"}}, Policy{Write: []string{"/a"}}, Policy{Program: "/a"}
	const x32 = 0x40000000
	for _, c := range []struct {
		policy     Policy
		arch, call uint32
		args       []uint32
		want       uint32
	}{
		{none, machine, unix.SYS_READ, nil, allow}, {none, machine, unix.SYS_SOCKET, nil, deny}, {none, machine, unix.SYS_SHMGET, nil, deny},
		{start, machine ^ 1, unix.SYS_READ, nil, deny}, {start, machine, x32 | unix.SYS_READ, nil, deny},
		{start, machine, unix.SYS_CLONE3, nil, missing},
		{none, machine, unix.SYS_CLONE, []uint32{unix.CLONE_THREAD | unix.CLONE_VM}, allow}, {start, machine, unix.SYS_CLONE, []uint32{unix.CLONE_VM}, deny},
		{none, machine, unix.SYS_PRLIMIT64, []uint32{0, 9}, allow}, {start, machine, unix.SYS_PRLIMIT64, []uint32{9, 0}, deny},
		{none, machine, unix.SYS_FCNTL, []uint32{0, unix.F_SETFL}, allow}, {none, machine, unix.SYS_FCNTL, []uint32{0, unix.F_SETOWN}, deny},
		{none, machine, unix.SYS_OPENAT, nil, deny}, {read, machine, unix.SYS_OPENAT, nil, allow}, {start, machine, unix.SYS_OPENAT, nil, allow},
		{read, machine, unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDWR}, deny}, {write, machine, unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDWR}, allow},
		{read, machine, unix.SYS_UNLINKAT, nil, deny}, {write, machine, unix.SYS_UNLINKAT, nil, allow}, {write, machine, unix.SYS_FCHMODAT, nil, deny},
		{write, machine, unix.SYS_EXECVE, nil, deny}, {start, machine, unix.SYS_EXECVE, nil, allow},
	} {
		if got := run(c.policy, c.arch, c.call, c.args); got != c.want {
			t.Errorf("%+v: call %d%v of machine %#x: %#x, want %#x", c.policy, c.call, c.args, c.arch, got, c.want)
		}
	}
}

// envSecret names a file, and makes this test binary confine itself and print what it still can do to the file and to
// its parent.
const envSecret = "VIGUEUR_CONFINE_TEST_SECRET"

func TestMain(m *testing.M) {
	if secret := os.Getenv(envSecret); secret != "" {
		harm(secret)
	}
	os.Exit(m.Run())
}

// TestHarm checks that a child with folders of its own, and then without, changes nothing of its parent and leaves
// nothing behind.
func TestHarm(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), envSecret+"="+secret)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "tried\ntried\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// harm prints what the confined process could do that it must not, and « tried », before and after NoFiles.
func harm(secret string) {
	parent := os.Getppid()
	number := func(_, _ uintptr, errno syscall.Errno) error {
		if errno != 0 {
			return errno
		}
		return nil
	}
	var core unix.CPUSet
	core.Set(0)
	tries := map[string]func() error{
		"chmod":             func() error { return os.Chmod(secret, 0o666) },
		"utimes":            func() error { return os.Chtimes(secret, time.Unix(1, 0), time.Unix(1, 0)) },
		"setxattr":          func() error { return unix.Setxattr(secret, "user.x", nil, 0) },
		"truncate":          func() error { return os.Truncate(secret, 0) },
		"prlimit":           func() error { return unix.Prlimit(parent, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: 3}, nil) },
		"sched_setaffinity": func() error { return unix.SchedSetaffinity(parent, &core) },
		"setpriority":       func() error { return unix.Setpriority(unix.PRIO_PROCESS, parent, 19) },
		"tgkill":            func() error { return unix.Tgkill(parent, parent, 0) },
		"owner of a pipe":   func() error { return errOf(unix.FcntlInt(0, unix.F_SETOWN, parent)) },
		"shmget":            func() error { return number(unix.Syscall(unix.SYS_SHMGET, 0, 4096, 0o1600)) },
		"memfd_create":      func() error { return errOf(unix.MemfdCreate("x", 0)) },
	}
	policy := Policy{Write: []string{os.TempDir()}, MoreAddressSpace: 4 << 30, CPUSeconds: 900, OpenFiles: 64}
	for _, confine := range []func() error{policy.Apply, NoFiles} {
		if err := confine(); err != nil {
			fmt.Println(err)
		}
		for name, try := range tries {
			if try() == nil {
				fmt.Println(name)
			}
		}
		fmt.Println("tried")
		tries["open"] = func() error { return errOf(os.Open(secret)) }
		tries["stat"] = func() error { return errOf(os.Stat(secret)) }
	}
	os.Exit(0)
}

func errOf[T any](_ T, err error) error { return err }
