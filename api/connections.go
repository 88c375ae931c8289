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
	// perConnection is the memory that is reserved for one connection: an idle
	// stream takes about 30 KiB, a request in work its head, its body and its reply.
	perConnection = 128 << 10
	// otherFiles is how many files are opened beside connections: those of the
	// stores, of PDF files being sent and of uploads.
	otherFiles = 512
	// fewest connections are allowed however small the machine says it is.
	fewest = 256
)

// roomForConnections is how many connections the machine has room for: half its
// memory, or its container's, and the files that the process may open. root is
// where the files of the kernel are looked for.
func roomForConnections(root string) int {
	room := memory(root) / 2 / perConnection
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil && files.Cur < math.MaxInt32 {
		room = min(room, int(files.Cur)-otherFiles)
	}
	return max(room, fewest)
}

// memory is what the process may use, in bytes: its control group's limit, where
// it has one, else the machine's memory; 1 GiB where neither can be read.
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
		if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil { // « max » is no limit
			bytes = min(bytes, n)
		}
	}
	return bytes
}
