//go:build amd64 || arm64

package confine

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls that a child may make; all others fail. None reaches another process, changes the
// mode, owner or times of a file, or makes memory that outlives the child.
var (
	// calls are for memory, threads, time, what is open already, and another filter.
	calls = slices.Concat(ownCalls, []uint32{
		unix.SYS_BRK, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_MMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MUNMAP,
		unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_FUTEX, unix.SYS_GETCPU, unix.SYS_GETTID, unix.SYS_MEMBARRIER,
		unix.SYS_RSEQ, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_YIELD, unix.SYS_SET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS,
		unix.SYS_RESTART_SYSCALL, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
		unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_GETTIMEOFDAY, unix.SYS_NANOSLEEP,
		unix.SYS_GETEGID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETRANDOM,
		unix.SYS_GETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_GETUID, unix.SYS_SYSINFO, unix.SYS_UNAME,
		unix.SYS_CLOSE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT,
		unix.SYS_EVENTFD2, unix.SYS_FSTAT, unix.SYS_LSEEK, unix.SYS_PPOLL, unix.SYS_PREAD64, unix.SYS_PSELECT6,
		unix.SYS_PWRITE64, unix.SYS_READ, unix.SYS_READV, unix.SYS_SECCOMP, unix.SYS_WRITE, unix.SYS_WRITEV,
	})
	// looks find files, within what Landlock allows.
	looks = slices.Concat(ownLooks, []uint32{
		unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_FADVISE64, unix.SYS_FSTATFS, unix.SYS_GETCWD, unix.SYS_GETDENTS64,
		unix.SYS_READLINKAT, unix.SYS_STATFS, unix.SYS_STATX,
	})
	// writes make and remove files, within what Landlock allows.
	writes = []uint32{unix.SYS_FSYNC, unix.SYS_MKDIRAT, unix.SYS_OPENAT, unix.SYS_RENAMEAT, unix.SYS_UNLINKAT}
	// starts run a program in the place of this one.
	starts = []uint32{unix.SYS_EXECVE, unix.SYS_EXECVEAT}
)

// condition is a call that depends on its argument arg, counted from 0: allowed or not if test
// holds for one of values, the opposite if for none.
type condition struct {
	call, arg uint32
	test      uint16 // BPF_JEQ: equals; BPF_JSET: has a bit of
	allowed   bool
	values    []uint32
}

// changing are the flags of a file that is opened not only to be read.
const changing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC

// conditions are those of every child: threads but no processes, limits and signals of itself
// alone, and no owner of a descriptor, whom the kernel would signal.
var conditions = []condition{
	{unix.SYS_CLONE, 0, unix.BPF_JSET, true, []uint32{unix.CLONE_THREAD}},
	{unix.SYS_PRLIMIT64, 0, unix.BPF_JEQ, true, []uint32{0}},
	{unix.SYS_TGKILL, 0, unix.BPF_JEQ, true, []uint32{uint32(os.Getpid())}},
	{unix.SYS_FCNTL, 1, unix.BPF_JEQ, true, []uint32{unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC}},
	{unix.SYS_PRCTL, 0, unix.BPF_JEQ, true, []uint32{unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA}},
}

// Offsets in the kernel's struct seccomp_data. That of an argument is the lower half of its eight
// bytes on a little-endian machine, which both are.
const (
	callAt = 0
	archAt = 4
	argsAt = 16
)

// NoFiles takes from this process, with all its threads, the calls that open and find files, even
// where there is no Landlock. It is for a child that was set up; open files stay open.
func NoFiles() error { return Policy{}.filterCalls() }

// filterCalls makes all calls but those that p needs fail in all threads of this process for good.
// It works where an account may make no namespaces, as in most containers. A kernel without such
// filters does without: a child gets no socket from its parent in any case.
func (p Policy) filterCalls() error {
	filter := p.filter()
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

// filter returns the instructions that allow the calls that p needs. All others fail with EPERM,
// among them those of another machine and of x32, whose numbers are in no list; but clone3, whose
// flags a filter cannot see, with ENOSYS, after which libraries try clone.
func (p Policy) filter() []unix.SockFilter {
	allowed, some := calls, conditions
	if len(p.Read) > 0 || len(p.Write) > 0 || p.Program != "" {
		allowed = slices.Concat(allowed, looks)
		some = slices.Concat(some, ownOpens, []condition{{unix.SYS_OPENAT, 2, unix.BPF_JSET, false, []uint32{changing}}})
	}
	if len(p.Write) > 0 {
		allowed = slices.Concat(allowed, writes)
	}
	if p.Program != "" {
		allowed = slices.Concat(allowed, starts)
	}
	load := func(pos uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: pos}
	}
	jump := func(test uint16, k uint32, yes, no int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: uint8(yes), Jf: uint8(no), K: k}
	}
	end := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	allow, deny := end(unix.SECCOMP_RET_ALLOW), end(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))
	out := []unix.SockFilter{
		load(archAt), jump(unix.BPF_JEQ, machine, 1, 0), deny, load(callAt),
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1), end(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)),
	}
	for _, call := range allowed {
		out = append(out, jump(unix.BPF_JEQ, call, 0, 1), allow)
	}
	for _, c := range some {
		n := len(c.values)
		out = append(out, jump(unix.BPF_JEQ, c.call, 0, n+3), load(argsAt+8*c.arg))
		for i, value := range c.values {
			out = append(out, jump(c.test, value, n-i, 0))
		}
		if c.allowed {
			out = append(out, deny, allow)
		} else {
			out = append(out, allow, deny)
		}
	}
	return append(out, deny)
}
