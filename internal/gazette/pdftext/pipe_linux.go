package pdftext

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen enlarges the buffer of a pipe, so that the pages that the child reads ahead
// fit. Errors are ignored: with a smaller buffer the child only waits earlier.
func widen(pipe *os.File) {
	const room = 1 << 20
	if raw, err := pipe.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, room) })
	}
}
