package backup

import (
	"fmt"
	"time"
)

// Keep is which backups a pruning leaves: of the Last, and of the Daily, Weekly and Monthly
// last days, weeks (from Monday) and months with a backup, in UTC, the newest each. 0 is none.
type Keep struct {
	Last, Daily, Weekly, Monthly int
}

// Reason is a rule by which a backup stays.
type Reason string

// The reasons to keep a backup.
const (
	KeptLast    Reason = "last"
	KeptDaily   Reason = "daily"
	KeptWeekly  Reason = "weekly"
	KeptMonthly Reason = "monthly"
	// KeptFuture is a backup whose beginning is still to come: its clock was wrong, so
	// nothing is said of its age.
	KeptFuture Reason = "future"
	// KeptWhole is one that goes by the count of all backups, but not by that of whole ones.
	KeptWhole Reason = "whole"
)

// rules are how a kept backup takes the place of others of the same period.
func (k Keep) rules() []rule {
	return []rule{
		{KeptLast, k.Last, func(t time.Time) string { return t.Format(time.RFC3339Nano) }},
		{KeptDaily, k.Daily, func(t time.Time) string { return t.Format(time.DateOnly) }},
		{KeptWeekly, k.Weekly, func(t time.Time) string {
			year, week := t.ISOWeek()
			return fmt.Sprint(year, week)
		}},
		{KeptMonthly, k.Monthly, func(t time.Time) string { return t.Format("2006-01") }},
	}
}

type rule struct {
	reason Reason
	count  int
	period func(time.Time) string
}

// none reports whether nothing would be kept.
func (k Keep) none() bool { return k.Last <= 0 && k.Daily <= 0 && k.Weekly <= 0 && k.Monthly <= 0 }

// chosen returns the reasons to keep each backup, by its note. all is in the order of age, the
// oldest first, and holds no backup of the future.
func (k Keep) chosen(all []notedManifest) map[string][]Reason {
	kept := map[string][]Reason{}
	for _, r := range k.rules() {
		seen := map[string]bool{}
		for i := len(all) - 1; i >= 0 && len(seen) < r.count; i-- {
			period := r.period(all[i].Begun.UTC())
			if r.reason == KeptLast {
				period = all[i].note // two may have begun at once
			}
			if seen[period] {
				continue
			}
			seen[period] = true
			kept[all[i].note] = append(kept[all[i].note], r.reason)
		}
	}
	return kept
}
