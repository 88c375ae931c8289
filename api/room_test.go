package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRoomForConnectionsFollowsTheMemory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		bytes int
	}{
		"a machine":             {map[string]string{"proc/meminfo": "MemTotal:        8388608 kB\nMemFree:  1 kB\n"}, 8 << 30},
		"a container":           {map[string]string{"proc/meminfo": "MemTotal:        8388608 kB\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		"a container, older":    {map[string]string{"proc/meminfo": "MemTotal:        8388608 kB\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"a container unbounded": {map[string]string{"proc/meminfo": "MemTotal:        8388608 kB\n", "sys/fs/cgroup/memory.max": "max\n"}, 8 << 30},
		"nothing known":         {nil, 1 << 30},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for path, text := range c.files {
				path = filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := memory(root); got != c.bytes {
				t.Errorf("%s: %d bytes, want %d", name, got, c.bytes)
			}
			if got := roomForConnections(root); got < fewest || got > max(fewest, c.bytes/2/perConnection) {
				t.Errorf("%s: room for %d connections", name, got)
			}
		})
	}
}
