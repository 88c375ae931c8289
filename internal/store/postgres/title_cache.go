package postgres

import (
	"cmp"
	"math"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"vigueur/internal/law"
)

// titleMemory limits the bytes of cached results of searches by title, per process: enough
// for four million texts.
const titleMemory = 64 << 20

// titleKey is a search by title, as a cache key.
type titleKey struct {
	domain  string
	docType law.DocType
	status  law.Status
	title   string
}

// found is the result of a search: the texts in catalogue order, and the stamp of the
// catalogue at which it was found.
type found struct {
	stamp   int64
	ids     []uuid.UUID
	foreign bool // from the title index, whose result may be different a moment later
}

// page is the page of the result that a query asks for.
func (f found) page(q DocumentQuery) []uuid.UUID {
	from := min(q.offset(), int64(len(f.ids)))
	return f.ids[from:min(from+int64(q.PageSize), int64(len(f.ids)))]
}

// titleResults is an LRU cache of searches, limited by the memory that they take. The zero value is ready to use, and
// safe for use by many goroutines.
type titleResults struct {
	mu      sync.Mutex
	recent  *simplelru.LRU[titleKey, found]
	room    int // 0: titleMemory
	holding int
}

// sizeOf is the approximate memory of a result, in bytes.
func sizeOf(key titleKey, f found) int { return 16*len(f.ids) + len(key.title) + 256 }

func (t *titleResults) get(key titleKey) (found, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent == nil {
		return found{}, false
	}
	return t.recent.Get(key)
}

// put caches a result, replacing an earlier one.
func (t *titleResults) put(key titleKey, f found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent == nil {
		t.recent, _ = simplelru.NewLRU(math.MaxInt, func(key titleKey, f found) { t.holding -= sizeOf(key, f) }) // the number is good
	}
	t.recent.Remove(key) // a replaced result would not be subtracted
	t.recent.Add(key, f)
	t.holding += sizeOf(key, f)
	for t.holding > cmp.Or(t.room, titleMemory) {
		t.recent.RemoveOldest()
	}
}
