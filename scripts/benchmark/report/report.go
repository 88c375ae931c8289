// Package report prints what a benchmark found, for people and for programs.
//
// A report is opened with the benchmark's name, filled with figures, the goals they are held against and the
// same figures of a peer, and printed once: first the machine, then a line for each figure with its goal and
// the peers', and as the last line one JSON object
//
//	{"bench": name, "figures": {name: value}, "peer": {peer: {name: value}}, "machine": {…}}
//
// Goals stand in "peer" under the name "goal". A report is used by one goroutine.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// goalName is the peer under which goals are told.
const goalName = "goal"

// Report collects the figures of one benchmark.
type Report struct {
	bench   string
	machine Machine
	figures []figure
	peers   []string
	others  map[string]map[string]float64
	limits  map[string]Limit
}

type figure struct {
	name  string
	value float64
	unit  string
}

// Limit says on which side of its goal a figure is good.
type Limit string

// The two sides.
const (
	AtMost  Limit = "at most"
	AtLeast Limit = "at least"
)

// New opens a report of the benchmark called name, on machine (see ThisMachine).
func New(name string, machine Machine) *Report {
	return &Report{bench: name, machine: machine, others: map[string]map[string]float64{}, limits: map[string]Limit{}}
}

// Figure records a measured value. Its name carries the unit the JSON reader needs (p50_ms, pages_per_s); unit
// is what people read behind the number.
func (r *Report) Figure(name string, value float64, unit string) {
	r.figures = append(r.figures, figure{name, value, unit})
}

// Goal records what the figure called name is held against.
func (r *Report) Goal(name string, limit Limit, value float64) {
	r.limits[name] = limit
	r.Peer(goalName, name, value)
}

// Peer records the same figure of something else: another program, another setting, a limit of the machine.
func (r *Report) Peer(peer, name string, value float64) {
	if r.others[peer] == nil {
		r.others[peer] = map[string]float64{}
		r.peers = append(r.peers, peer)
	}
	r.others[peer][name] = value
}

// Missed returns the names of the figures that do not reach their goal, and of the goals without a figure.
func (r *Report) Missed() []string {
	measured := map[string]float64{}
	for _, f := range r.figures {
		measured[f.name] = f.value
	}
	var missed []string
	for name, limit := range r.limits {
		value, found := measured[name]
		goal := r.others[goalName][name]
		if !found || (limit == AtMost && value > goal) || (limit == AtLeast && value < goal) {
			missed = append(missed, name)
		}
	}
	slices.Sort(missed)
	return missed
}

// Print writes the whole report to out.
func (r *Report) Print(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s on %s\n", r.bench, r.machine)
	for _, f := range r.figures {
		fmt.Fprintf(&text, "  %-28s %12s %s%s\n", f.name, number(f.value), f.unit, r.beside(f.name))
	}
	for _, name := range r.Missed() {
		fmt.Fprintf(&text, "  goal missed: %s\n", name)
	}
	last, err := json.Marshal(r.object())
	if err != nil {
		return fmt.Errorf("report of %s: %w", r.bench, err)
	}
	text.Write(last)
	text.WriteByte('\n')
	_, err = io.WriteString(out, text.String())
	return err
}

// beside tells the goal and the peers of one figure.
func (r *Report) beside(name string) string {
	var parts []string
	for _, peer := range r.peers {
		value, found := r.others[peer][name]
		switch {
		case !found:
		case peer == goalName:
			parts = append(parts, fmt.Sprintf("%s: %s %s", peer, r.limits[name], number(value)))
		default:
			parts = append(parts, fmt.Sprintf("%s: %s", peer, number(value)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "   (" + strings.Join(parts, "; ") + ")"
}

// object is the last line. Its field names are what readers of the line rely on.
func (r *Report) object() any {
	figures := map[string]float64{}
	for _, f := range r.figures {
		figures[f.name] = f.value
	}
	return struct {
		Bench   string                        `json:"bench"`
		Figures map[string]float64            `json:"figures"`
		Peer    map[string]map[string]float64 `json:"peer"`
		Machine Machine                       `json:"machine"`
	}{r.bench, figures, r.others, r.machine}
}

// number writes a value with at least three digits that count.
func number(v float64) string {
	switch {
	case v >= 100 || v <= -100 || v == float64(int64(v)):
		return fmt.Sprintf("%.0f", v)
	case v >= 10 || v <= -10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1 || v <= -1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
