//go:build unix

package postings

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// mapMemory returns memory that is mapped to a file of a folder. The file has no name, so it disappears with the
// memory, and with the process however that ends.
func mapMemory(dir string, size int) (*arena, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "register-*")
	if err != nil {
		return nil, err
	}
	// The disk space is allocated at once, because a write to a full disk would kill the process later.
	err = errors.Join(os.Remove(f.Name()), allocate(f, size))
	var bytes []byte
	if err == nil {
		bytes, err = syscall.Mmap(int(f.Fd()), 0, max(size, 1), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	}
	return &arena{bytes: bytes}, errors.Join(err, f.Close())
}

// allocate writes so many bytes.
func allocate(f *os.File, size int) error {
	zeros := make([]byte, min(max(size, 1), 1<<20))
	for left := max(size, 1); left > 0; left -= len(zeros) {
		zeros = zeros[:min(left, len(zeros))]
		if _, err := f.Write(zeros); err != nil {
			return err
		}
	}
	return nil
}

// releaseWith unmaps the memory when the segment is garbage. Users of a part of the memory must keep the segment
// alive.
func (g *arena) releaseWith(x *Segment) {
	runtime.AddCleanup(x, func(bytes []byte) { _ = syscall.Munmap(bytes) }, g.bytes) // it was mapped
}

// MapFile returns the bytes of a file, to be read until done is called. The error is
// fs.ErrNotExist if there is no such file.
func MapFile(path string) (bytes []byte, done func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		bytes, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	}
	return bytes, func() { _ = syscall.Munmap(bytes) }, errors.Join(err, f.Close()) // it was mapped, or is empty
}
