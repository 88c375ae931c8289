package browser

import (
	"maps"
	"testing"
	"time"
)

// What a part of a task did is told without what is within it, of the page that did most.
func TestPartsAreToldWithoutWhatIsWithinThem(t *testing.T) {
	t.Parallel()
	event := func(tid int, name string, begun, took, worked float64) traced {
		return traced{Name: name, Phase: "X", PID: 1, TID: tid, Begun: begun, Took: took, Worked: worked}
	}
	main := func(tid int) traced {
		e := traced{Name: "thread_name", Phase: "M", PID: 1, TID: tid}
		e.Args.Name = "CrRendererMain"
		return e
	}
	tasks := tasksOf([]traced{
		main(1), main(2), event(2, "RunTask", 0, 100, 90), // another page
		event(3, "RunTask", 0, 9000, 9000), // no page
		event(1, "RunTask", 1000, 500, 400), event(1, "RunTask", 2000, 500, 300),
		event(1, "Layout", 1150, 100, 80), event(1, "FunctionCall", 1100, 300, 250), event(1, "Layout", 1260, 40, 30), event(1, "Paint", 1420, 50, 40),
		event(1, "Paint", 2000, 200, 150), event(1, "idle", 3000, 10, 10), // in no task
	})
	want := []map[string]time.Duration{
		{"FunctionCall": 140 * time.Microsecond, "Layout": 110 * time.Microsecond, "Paint": 40 * time.Microsecond},
		{"Paint": 150 * time.Microsecond},
	}
	if len(tasks) != len(want) {
		t.Fatalf("%d tasks", len(tasks))
	}
	for i, task := range tasks {
		if !maps.Equal(task.Parts, want[i]) {
			t.Errorf("task %d: %v, want %v", i, task.Parts, want[i])
		}
	}
}
