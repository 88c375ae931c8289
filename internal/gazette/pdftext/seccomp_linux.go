package pdftext

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the calls that the child has no use for and code that broke into
// it would: sockets, other programs, other processes' memory.
var forbidden = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_BPF, unix.SYS_IO_URING_SETUP, unix.SYS_MOUNT, unix.SYS_UNSHARE, unix.SYS_SETNS,
}

// architectures are the machines whose numbers of calls this program was built
// with, as the kernel names them.
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Where a filter finds what is called, in the kernel's struct seccomp_data.
const (
	callAt = 0
	archAt = 4
	// x32 marks the calls of another table of the same machine.
	x32 = 0x40000000
)

// forbid makes the forbidden calls fail in all threads of this process, for ever.
// It works where namespaces of one's own are not allowed, as in most containers.
// A kernel or a machine that has no such filters does without: the descriptors
// that the child was given are no sockets in any case.
func forbid() error {
	arch, known := architectures[runtime.GOARCH]
	if !known {
		return nil
	}
	filter := program(arch)
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

// program is the filter: the wrong machine or a forbidden call fails with EPERM.
func program(arch uint32) []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(test uint16, k uint32, yes, no int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
	}
	end := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	n := len(forbidden)
	out := []unix.SockFilter{load(archAt), jump(unix.BPF_JEQ, arch, 0, n+3), load(callAt), jump(unix.BPF_JGE, x32, n+1, 0)}
	for i, call := range forbidden {
		out = append(out, jump(unix.BPF_JEQ, call, n-i, 0))
	}
	return append(out, end(unix.SECCOMP_RET_ALLOW), end(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
}
