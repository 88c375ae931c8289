package confine

import "golang.org/x/sys/unix"

const machine = unix.AUDIT_ARCH_AARCH64

// Calls that other machines have under another name or do without.
var (
	ownCalls []uint32
	ownLooks = []uint32{unix.SYS_FSTATAT}
	ownOpens []condition
)
