//go:build unix

package doctor

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// diskOf returns the disk that contains a folder.
func diskOf(path string) (d disk, seen bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return d, false
	}
	return disk{free: int64(s.Bavail) * int64(s.Bsize), names: s.Files, left: s.Ffree}, true //nolint:unconvert // the types differ among systems
}

// mostFiles returns how many files a process may open.
func mostFiles() (most uint64, seen bool) {
	var files unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files)
	return files.Cur, err == nil
}

// isRoots reports whether a file belongs to root.
func isRoots(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && owner.Uid == 0
}
