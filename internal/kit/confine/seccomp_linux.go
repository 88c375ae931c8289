package confine

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are calls that no child needs and that code that broke into it would make: sockets,
// other processes and their memory, the machine.
var forbidden = append([]uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KILL, unix.SYS_PIDFD_OPEN,
	unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_IO_URING_SETUP, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_MOUNT, unix.SYS_UNSHARE, unix.SYS_SETNS,
}, forks...)

// starting are the calls that start a program.
var starting = []uint32{unix.SYS_EXECVE, unix.SYS_EXECVEAT}

// architectures are the machines for whose numbers of calls this program was built, by GOARCH.
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Offsets in the kernel's struct seccomp_data, and x32, which marks the calls of another table of
// the same machine.
const (
	callAt = 0
	archAt = 4
	argsAt = 16 // the lower half of the first argument on a little-endian machine, which both are
	x32    = 0x40000000
)

// filterCalls makes the forbidden calls fail in all threads of this process for good. Threads can
// still be started, processes cannot; and programs only with mayStart, in the place of this one.
// It works where an account may make no namespaces, as in most containers. A kernel or a machine
// without such filters does without: a child gets no socket from its parent in any case.
func filterCalls(mayStart bool) error {
	arch, known := architectures[runtime.GOARCH]
	if !known {
		return nil
	}
	calls := forbidden
	if !mayStart {
		calls = slices.Concat(forbidden, starting)
	}
	filter := program(arch, calls)
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog))) //nolint:gosec // the kernel takes the filter by its address
	runtime.KeepAlive(filter)
	switch errno {
	case 0, unix.ENOSYS, unix.EINVAL:
		return nil
	}
	return fmt.Errorf("seccomp: %w", errno)
}

// program returns the filter. A call for another machine, a forbidden one, and clone without
// CLONE_THREAD fail with EPERM; clone3, whose flags a filter cannot see, with ENOSYS, after which
// libraries try clone.
func program(arch uint32, calls []uint32) []unix.SockFilter {
	load := func(pos uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: pos}
	}
	jump := func(test uint16, k uint32, yes, no int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
	}
	end := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	n := len(calls)
	// The last six instructions are, counted from the end of the list of calls: 0 clone3?, 1 clone?,
	// 2 load the flags, 3 CLONE_THREAD?, 4 allow, 5 EPERM, 6 ENOSYS.
	out := []unix.SockFilter{load(archAt), jump(unix.BPF_JEQ, arch, 0, n+7), load(callAt), jump(unix.BPF_JGE, x32, n+5, 0)}
	for i, call := range calls {
		out = append(out, jump(unix.BPF_JEQ, call, n-i-1+5, 0))
	}
	return append(out,
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 5, 0),
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 2),
		load(argsAt),
		jump(unix.BPF_JSET, unix.CLONE_THREAD, 0, 1),
		end(unix.SECCOMP_RET_ALLOW),
		end(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)),
		end(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)))
}
