//go:build unix

package doctor

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// freeBytes returns the free space on the disk that contains a folder.
func freeBytes(path string) (free int64, seen bool) {
	var s unix.Statfs_t
	err := unix.Statfs(path, &s)
	return int64(s.Bavail) * int64(s.Bsize), err == nil //nolint:unconvert // the types differ among systems
}

// isRoots reports whether a file belongs to root.
func isRoots(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && owner.Uid == 0
}
