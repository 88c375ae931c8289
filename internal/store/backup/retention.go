package backup

import (
	"fmt"
	"time"
)

// Keep selects the backups that a pruning leaves: the newest Last backups, and the newest
// backup of each of the newest Daily days, Weekly weeks (from Monday) and Monthly months
// that have a backup. Days, weeks and months are those of UTC. 0 selects none.
type Keep struct {
	Last, Daily, Weekly, Monthly int
}

// Reason is the rule that keeps a backup.
type Reason string

// The rules.
const (
	KeptLast    Reason = "last"
	KeptDaily   Reason = "daily"
	KeptWeekly  Reason = "weekly"
	KeptMonthly Reason = "monthly"
	// KeptFuture: the backup seems to begin in the future, so the clock was wrong and its age
	// is unknown.
	KeptFuture Reason = "future"
	// KeptWhole: the backup is complete, and the rules would select it if incomplete backups
	// did not exist.
	KeptWhole Reason = "whole"
)

// rules returns the rules. For each rule, period maps the time of a backup to a period of
// which only the newest backup is kept.
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

// none reports whether Keep selects no backup.
func (k Keep) none() bool { return k.Last <= 0 && k.Daily <= 0 && k.Weekly <= 0 && k.Monthly <= 0 }

// choose returns the reasons to keep each backup, by the name of its note. all must be
// sorted from the oldest to the newest, without backups from the future.
func (k Keep) choose(all []notedManifest) map[string][]Reason {
	kept := map[string][]Reason{}
	for _, r := range k.rules() {
		seen := map[string]bool{}
		for i := len(all) - 1; i >= 0 && len(seen) < r.count; i-- {
			period := r.period(all[i].Begun.UTC())
			if r.reason == KeptLast {
				period = all[i].note // two backups may have begun at the same time
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
