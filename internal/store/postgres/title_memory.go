package postgres

import (
	"container/list"
	"sync"

	"github.com/google/uuid"

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

// titleResults is an LRU cache of searches. The zero value is ready to use, and safe for
// use by many goroutines.
type titleResults struct {
	mu      sync.Mutex
	byKey   map[titleKey]*list.Element
	recent  list.List // of titleResult, most recent first
	room    int       // 0: titleMemory
	holding int
}

type titleResult struct {
	key   titleKey
	found found
}

// size is the approximate memory of a result, in bytes.
func (r titleResult) size() int { return 16*len(r.found.ids) + len(r.key.title) + 256 }

func (t *titleResults) get(key titleKey) (found, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[key]
	if !ok {
		return found{}, false
	}
	t.recent.MoveToFront(e)
	return resultOf(e).found, true
}

// put caches a result, replacing an earlier one.
func (t *titleResults) put(key titleKey, f found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey == nil {
		t.byKey = map[titleKey]*list.Element{}
	}
	if e, ok := t.byKey[key]; ok {
		t.drop(e)
	}
	r := titleResult{key, f}
	t.byKey[key] = t.recent.PushFront(r)
	t.holding += r.size()
	room := t.room
	if room == 0 {
		room = titleMemory
	}
	for t.holding > room {
		t.drop(t.recent.Back())
	}
}

func (t *titleResults) drop(e *list.Element) {
	r := resultOf(e)
	t.recent.Remove(e)
	delete(t.byKey, r.key)
	t.holding -= r.size()
}

// resultOf is the value of a list element, always a titleResult.
func resultOf(e *list.Element) titleResult {
	r, _ := e.Value.(titleResult)
	return r
}
