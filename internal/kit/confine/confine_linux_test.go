package confine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	filter := program(unix.AUDIT_ARCH_X86_64, forbidden)
	run := func(arch, call, flags uint32) uint32 {
		var a uint32
		for pos := 0; ; pos++ {
			switch i := filter[pos]; i.Code {
			case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
				a = map[uint32]uint32{callAt: call, archAt: arch, argsAt: flags}[i.K]
			case unix.BPF_RET | unix.BPF_K:
				return i.K
			default:
				holds := map[uint16]bool{unix.BPF_JEQ: a == i.K, unix.BPF_JGE: a >= i.K, unix.BPF_JSET: a&i.K != 0}[i.Code&0xf0]
				if holds {
					pos += int(i.Jt)
				} else {
					pos += int(i.Jf)
				}
			}
		}
	}
	type call struct{ arch, number, flags, want uint32 }
	const here = unix.AUDIT_ARCH_X86_64
	calls := []call{
		{here, unix.SYS_READ, 0, allow}, {here, unix.SYS_EXECVE, 0, allow}, // execve is in no list of this filter
		{unix.AUDIT_ARCH_AARCH64, unix.SYS_READ, 0, deny}, {here, x32 | unix.SYS_READ, 0, deny},
		{here, unix.SYS_CLONE3, 0, missing}, {here, unix.SYS_CLONE, unix.CLONE_THREAD | unix.CLONE_VM, allow}, {here, unix.SYS_CLONE, unix.CLONE_VM, deny},
	}
	for _, number := range forbidden {
		calls = append(calls, call{here, number, 0, deny})
	}
	for _, c := range calls {
		if got := run(c.arch, c.number, c.flags); got != c.want {
			t.Errorf("call %d with flags %#x of machine %#x: %#x, want %#x", c.number, c.flags, c.arch, got, c.want)
		}
	}
}
