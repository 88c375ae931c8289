package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// The disk of Redis fills up in the middle of an answer: the answer comes whole,
// and what is asked meanwhile is answered as soon as there is room again.
func TestDiskOfRedisFills(t *testing.T) {
	t.Parallel()
	disk := ""
	c := rehearse(t, stage.Pace{First: 20 * time.Millisecond, Each: 15 * time.Millisecond, Tokens: 100}, func(s *stage.Stage) {
		disk = smallDisk(t, s)
	})
	startWorker(t, c.Stage)
	c.whole(t, "with room", <-c.ask(t, c.client, nil))
	end := c.askUntil(t, 3)
	filler := fill(t, disk)
	await(t, "the refusal of Redis to write", func() bool { return c.Redis.Write() != nil })
	c.whole(t, "the disk fills in mid-answer", <-end)

	end = c.ask(t, c.client, nil)
	pause(time.Second)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	c.whole(t, "asked while the disk was full", <-end)
	t.Logf("answered %v after there was room again", time.Since(freed).Round(time.Millisecond))
	c.whole(t, "with room again", <-c.ask(t, c.client, nil))
}

// smallDisk returns the stage's Redis a disk of its own of a few MiB, which takes
// root.
func smallDisk(t *testing.T, s *stage.Stage) string {
	t.Helper()
	dir := filepath.Join(s.Dir, "redis")
	s.Redis.Stop()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("no small disk can be mounted here (root can): %v", err)
	}
	t.Cleanup(func() {
		s.Redis.Stop()
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := s.Redis.Start(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fill writes a file until the disk has no more room, and gives its path.
func fill(t *testing.T, dir string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 16; size > 0; {
		if _, err = f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
