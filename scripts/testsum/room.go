package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// errNoRoom is the cause of a context that watchRoom ended.
var errNoRoom = errors.New("no room on the disk")

// watchRoom returns a context that ends, with a cause that wraps errNoRoom, once a file system that holds one of the
// folders has less than least bytes left. A test that meets a full disk does not fail at once: stores stop answering, and
// each test that awaits them waits its whole time. Free tells the bytes left at a folder; a folder it cannot tell of is
// passed over.
func watchRoom(ctx context.Context, folders []string, least int64, free func(string) (int64, error), every time.Duration) (context.Context, context.CancelFunc) {
	watched, end := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			if err := roomIn(folders, least, free); err != nil {
				end(err)
				return
			}
			select {
			case <-watched.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return watched, func() { end(context.Canceled) }
}

// roomIn returns an error that wraps errNoRoom for the first folder with less than least bytes left.
func roomIn(folders []string, least int64, free func(string) (int64, error)) error {
	for _, folder := range folders {
		if left, err := free(folder); err == nil && left < least {
			return fmt.Errorf("%w: %d MiB left at %s, and %d MiB are the least", errNoRoom, left>>20, folder, least>>20)
		}
	}
	return nil
}

// freeBytes returns what an ordinary user may still write to the file system that holds a folder.
func freeBytes(folder string) (int64, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, err
	}
	return int64(fs.Bavail) * fs.Bsize, nil
}
