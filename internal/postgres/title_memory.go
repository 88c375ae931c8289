package postgres

import (
	"container/list"
	"sync"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// titleMemory is how many bytes of results the searches by title may keep, in
// each process: four million texts.
const titleMemory = 64 << 20

// titleKey is a search by title.
type titleKey struct {
	domain  string
	docType law.DocType
	status  law.Status
	title   string
}

// found is what a search gave: the texts in the order of the catalogue, and the
// stamp of the catalogue that had them.
type found struct {
	stamp   int64
	ids     []uuid.UUID
	foreign bool // from the title index, which may know more in a moment
}

// page is the part of what was found that a query asks for.
func (f found) page(q DocumentQuery) []uuid.UUID {
	from := min(q.offset(), int64(len(f.ids)))
	return f.ids[from:min(from+int64(q.PageSize), int64(len(f.ids)))]
}

// titleResults remembers searches; what was not asked for longest goes first.
// The zero value is ready, and safe for use by many goroutines.
type titleResults struct {
	mu      sync.Mutex
	byKey   map[titleKey]*list.Element
	recent  list.List // of titleResult, the latest first
	room    int       // 0: titleMemory
	holding int
}

type titleResult struct {
	key   titleKey
	found found
}

// size is what a result takes, with what holds it.
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

// put remembers a result in the place of an earlier one.
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

// resultOf is the value of an element; the list holds no others.
func resultOf(e *list.Element) titleResult {
	r, _ := e.Value.(titleResult)
	return r
}
