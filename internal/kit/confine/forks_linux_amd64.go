package confine

import "golang.org/x/sys/unix"

// forks are the calls, besides clone, that start a process.
var forks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
