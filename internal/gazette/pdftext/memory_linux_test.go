package pdftext

import (
	"testing"

	"github.com/tetratelabs/wazero/experimental"
)

// Memory keeps its bytes when it grows, has zeros behind them, and is freed once.
func TestMemoryOfAnEngineGrows(t *testing.T) {
	t.Parallel()
	const page = 1 << 16
	for name, m := range map[string]experimental.LinearMemory{"reserved": reserve(0, 4*page), "of the heap": &heapMemory{}} {
		b := m.Reallocate(page)
		if len(b) != page {
			t.Fatalf("%s: %d bytes instead of %d", name, len(b), page)
		}
		b[page-1] = 7
		if b = m.Reallocate(3 * page); len(b) != 3*page || b[page-1] != 7 || b[page] != 0 || b[3*page-1] != 0 {
			t.Errorf("%s: %d bytes, %d and %d at the seam", name, len(b), b[page-1], b[page])
		}
		m.Free()
		m.Free()
	}
	m := reserve(0, page)
	defer m.Free()
	if b := m.Reallocate(page + 1); b != nil {
		t.Errorf("%d bytes of a memory that may have %d", len(b), page)
	}
}

// More address space than any machine has comes from nowhere: the memory is of Go's heap.
func TestMemoryWithoutAddressSpaceIsOfTheHeap(t *testing.T) {
	t.Parallel()
	m := reserve(0, 1<<62)
	defer m.Free()
	if _, ok := m.(*heapMemory); !ok {
		t.Errorf("%T", m)
	}
}
