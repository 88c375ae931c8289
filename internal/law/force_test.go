package law_test

import (
	"testing"
	"time"

	"vigueur/internal/law"
)

func TestForceOn(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	end := day(20)
	for name, c := range map[string]struct {
		status   law.Status
		repealed *time.Time
		day      int
		want     law.Force
	}{
		"before its first day":            {law.InForce, nil, 9, law.NotYet},
		"on its first day":                {law.InForce, nil, 10, law.Current},
		"before it is repealed":           {law.Repealed, &end, 19, law.Current},
		"on the day of its repeal":        {law.InForce, &end, 20, law.NoLonger},
		"repealed, nobody knows when":     {law.Repealed, nil, 15, law.NoLonger},
		"repealed before it was in force": {law.Repealed, nil, 9, law.NotYet},
	} {
		if got := (law.Document{Status: c.status, EntersInForce: day(10)}).ForceOn(day(c.day), c.repealed); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
