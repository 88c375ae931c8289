//go:build !unix

package doctor

import "io/fs"

// The service does not run on such a system, which a command may work from.

func freeBytes(string) (int64, bool) { return 0, false }

func isRoots(fs.FileInfo) bool { return false }
