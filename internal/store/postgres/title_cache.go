package postgres

import (
	"cmp"
	"math"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"vigueur/internal/law"
)

// titleMemory is the maximum number of bytes of cached search results by title in a process: enough for four million
// ids.
const titleMemory = 64 << 20

// titleKey is a search by title, used as the key of the cache.
type titleKey struct {
	domain  string
	docType law.DocType
	status  law.Status
	title   string
}

// found is the result of a search: the texts in catalogue order, and the stamp that the catalogue had.
type found struct {
	stamp   int64
	ids     []uuid.UUID
	foreign bool // the ids come from the title index, whose result may change without the stamp
}

// page returns the page of the result that a query selects.
func (f found) page(q DocumentQuery) []uuid.UUID {
	from := min(q.offset(), int64(len(f.ids)))
	return f.ids[from:min(from+int64(q.PageSize), int64(len(f.ids)))]
}

// titleResults is an LRU cache of search results, limited by their memory. The zero value is ready to use, and safe
// for use by many goroutines.
type titleResults struct {
	mu      sync.Mutex
	recent  *simplelru.LRU[titleKey, found]
	room    int // maximum of holding, in bytes; 0: titleMemory
	holding int
}

// sizeOf returns the approximate memory of a result, in bytes.
func sizeOf(key titleKey, f found) int { return 16*len(f.ids) + len(key.title) + 256 }

func (t *titleResults) get(key titleKey) (found, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent == nil {
		return found{}, false
	}
	return t.recent.Get(key)
}

// put caches a result; it replaces an earlier result of the same search.
func (t *titleResults) put(key titleKey, f found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent == nil {
		t.recent, _ = simplelru.NewLRU(math.MaxInt, func(key titleKey, f found) { t.holding -= sizeOf(key, f) }) // NewLRU fails only for a size below 1
	}
	t.recent.Remove(key) // Add would replace the old result without calling the function that subtracts its size
	t.recent.Add(key, f)
	t.holding += sizeOf(key, f)
	for t.holding > cmp.Or(t.room, titleMemory) {
		t.recent.RemoveOldest()
	}
}
