package memindex

import (
	"sync/atomic"
	"testing"
)

// Each task runs once, on any scorer, and the tasks of each scorer are in order.
func TestEachRunsTasksOnce(t *testing.T) {
	t.Parallel()
	c := &scorers{all: []*scorer{{view: -1}, {view: -1}, {view: -1}}}
	var done [1000]atomic.Int32
	c.runTasks(len(done), func(h *scorer, task int) {
		if task <= h.view {
			t.Errorf("task %d after %d", task, h.view)
		}
		h.view = task
		done[task].Add(1)
	})
	for task := range done {
		if n := done[task].Load(); n != 1 {
			t.Errorf("task %d done %d times", task, n)
		}
	}
}
