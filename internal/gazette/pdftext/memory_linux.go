package pdftext

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// withMemory lets engines keep their memory outside of Go's heap: address space for all that an engine may
// have is reserved at once and filled by the system where it is used. In Go's heap the memory would be
// cleared for each file, and copied whenever it grows, with both copies held meanwhile.
func withMemory(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(reserve))
}

// reserve reserves most bytes. Where the system gives no such address space, memory is of Go's heap.
func reserve(_, most uint64) experimental.LinearMemory {
	whole, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return &heapMemory{}
	}
	return &reserved{whole}
}

// reserved is memory of the system.
type reserved struct{ whole []byte }

// Reallocate returns the first size bytes. They never move, and new ones are zero.
func (m *reserved) Reallocate(size uint64) []byte {
	if size > uint64(len(m.whole)) {
		return nil
	}
	return m.whole[:size:size]
}

// Free gives the memory back to the system.
func (m *reserved) Free() {
	if m.whole != nil {
		_ = unix.Munmap(m.whole) // fails only for memory that is not mapped
		m.whole = nil
	}
}

// heapMemory is memory of Go's heap.
type heapMemory struct{ used []byte }

// Reallocate returns size bytes that begin with those in use.
func (m *heapMemory) Reallocate(size uint64) []byte {
	if more := int(size) - len(m.used); more > 0 {
		m.used = append(m.used, make([]byte, more)...)
	}
	return m.used
}

// Free leaves the memory to the garbage collector.
func (m *heapMemory) Free() { m.used = nil }
