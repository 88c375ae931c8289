package postgres

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
)

func TestSearchesKeepToTheirRoom(t *testing.T) {
	t.Parallel()
	one := found{stamp: 1, ids: make([]uuid.UUID, 10)}
	size := sizeOf(titleKey{title: "a"}, one)
	memory := titleResults{room: 3 * size}
	for _, title := range []string{"a", "b", "c", "a"} {
		memory.put(titleKey{title: title}, one)
	}
	if _, ok := memory.get(titleKey{title: "b"}); !ok {
		t.Fatal("b is forgotten though there is room")
	}
	memory.put(titleKey{title: "d"}, one) // c was used least recently
	for title, want := range map[string]bool{"a": true, "b": true, "c": false, "d": true} {
		if _, got := memory.get(titleKey{title: title}); got != want {
			t.Errorf("%s is remembered: %v", title, got)
		}
	}
	memory.put(titleKey{title: "b"}, found{stamp: 2})
	if got, _ := memory.get(titleKey{title: "b"}); got.stamp != 2 {
		t.Errorf("b is still of stamp %d", got.stamp)
	}
	memory.put(titleKey{title: "e"}, found{ids: make([]uuid.UUID, 1000)}) // larger than the whole cache
	if memory.holding != 0 || memory.recent.Len() != 0 {
		t.Errorf("%d left, holding %d", memory.recent.Len(), memory.holding)
	}
}

func TestPagesOfWhatWasFound(t *testing.T) {
	t.Parallel()
	f := found{ids: make([]uuid.UUID, 5)}
	for query, want := range map[DocumentQuery]int{
		{Page: 1, PageSize: 2}: 2, {Page: 3, PageSize: 2}: 1, {Page: 4, PageSize: 2}: 0, {Page: 1_000_000_000, PageSize: 100}: 0, {Page: 1, PageSize: 5}: 5,
	} {
		if got := len(f.page(query)); got != want {
			t.Errorf("%s: %d, want %d", fmt.Sprint(query.Page, query.PageSize), got, want)
		}
	}
}
