package confine

import "golang.org/x/sys/unix"

const machine = unix.AUDIT_ARCH_X86_64

// Calls that other machines have under another name or do without.
var (
	ownCalls = []uint32{
		unix.SYS_ARCH_PRCTL, unix.SYS_DUP2, unix.SYS_EPOLL_WAIT, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_TIME,
	}
	ownLooks = []uint32{unix.SYS_ACCESS, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_READLINK, unix.SYS_STAT}
	ownOpens = []condition{{unix.SYS_OPEN, 1, unix.BPF_JSET, false, []uint32{changing}}}
)
