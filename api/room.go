package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// perConnection is the memory reserved for a connection, in bytes: an idle stream takes
	// about 30 KiB, an active request takes the size of its header, body and response.
	perConnection = 128 << 10
	// otherFiles is the number of file descriptors that are needed besides connections: for
	// stores, downloads of PDF files and uploads.
	otherFiles = 512
	// fewest is the minimum number of connections, even on a small machine.
	fewest = 256
)

// roomForConnections returns the number of connections that the process can accept: they
// may take half of the memory of the machine (or of its container), and must stay below the
// limit of open files. root is the directory that contains proc and sys.
func roomForConnections(root string) int {
	room := memory(root) / 2 / perConnection
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil && files.Cur < math.MaxInt32 {
		room = min(room, int(files.Cur)-otherFiles)
	}
	return max(room, fewest)
}

// memory returns the number of bytes that the process may use: the limit of its control
// group, or else the machine's memory; 1 GiB if neither can be read.
func memory(root string) int {
	bytes := 1 << 30
	if info, err := os.ReadFile(filepath.Join(root, "proc/meminfo")); err == nil {
		for line := range strings.Lines(string(info)) {
			if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemTotal:" {
				if n, err := strconv.Atoi(fields[1]); err == nil {
					bytes = n << 10
				}
			}
		}
	}
	for _, path := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil { // « max » means no limit
			bytes = min(bytes, n)
		}
	}
	return bytes
}
