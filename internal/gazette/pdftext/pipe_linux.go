package pdftext

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen gives a pipe room for the pages that the child reads ahead, as far as the
// system lets us: with less it only waits earlier.
func widen(pipe *os.File) {
	const room = 1 << 20
	if raw, err := pipe.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, room) })
	}
}
