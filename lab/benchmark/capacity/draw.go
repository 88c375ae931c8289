package main

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strings"
	"time"
)

// html is the dashboard as a page: panels where Grafana has them, each with its queries, unit and thresholds.
func (b board) html(all []seen, from, to time.Time) string {
	const cell, row = 58, 30 // pixels of a column and of a row of the grid
	var out strings.Builder
	fmt.Fprintf(&out, "<!doctype html><meta charset=utf-8><title>%s</title><style>body{font:12px sans-serif;background:#fff;position:relative;margin:8px}"+
		".p{position:absolute;border:1px solid #ccc;overflow:hidden;box-sizing:border-box;padding:4px}.p b{display:block}.q{color:#888;font-size:8px;height:20px;overflow:hidden}"+
		".s{font-size:18px}.l{font-size:9px;line-height:11px;max-height:66px;overflow:hidden}</style>", html.EscapeString(b.Title))
	for i, p := range b.Panels {
		g := p.GridPos
		fmt.Fprintf(&out, `<div class=p style="left:%dpx;top:%dpx;width:%dpx;height:%dpx"><b>%s</b>`, g.X*cell, g.Y*row, g.W*cell, g.H*row, html.EscapeString(p.Title))
		if len(p.Targets) > 0 {
			p.write(&out, all[i], from, to, float64(g.W*cell-12), float64(g.H*row-84))
		}
		out.WriteString("</div>")
	}
	return out.String()
}

var label = regexp.MustCompile(`{{\s*(\w+)\s*}}`)

// legend is what a series is called.
func legend(format string, of series) string {
	return label.ReplaceAllStringFunc(format, func(l string) string { return of.Metric[label.FindStringSubmatch(l)[1]] })
}

var colors = []string{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"}

func (p panel) write(out *strings.Builder, of seen, from, to time.Time, width, height float64) {
	unit := p.FieldConfig.Defaults.Unit
	queries := make([]string, len(p.Targets))
	for i, t := range p.Targets {
		queries[i] = t.Expr
	}
	var marks []string
	for _, step := range p.FieldConfig.Defaults.Thresholds.Steps {
		if step.Value != nil {
			marks = append(marks, fmt.Sprintf("%s from %s", step.Color, written(*step.Value, unit)))
		}
	}
	fmt.Fprintf(out, "<div class=q>%s [%s] %s</div>", html.EscapeString(strings.Join(queries, " ; ")), unit, strings.Join(marks, ", "))
	most := 0.0
	for _, list := range of {
		for _, s := range list {
			for _, v := range s.Values {
				if !math.IsNaN(v.value) && !math.IsInf(v.value, 0) {
					most = max(most, v.value)
				}
			}
		}
	}
	if p.Type == "stat" {
		for i, list := range of {
			for _, s := range list {
				fmt.Fprintf(out, "<div class=s>%s %s</div>", html.EscapeString(legend(p.Targets[i].LegendFormat, s)), written(s.Values[len(s.Values)-1].value, unit))
			}
		}
		return
	}
	fmt.Fprintf(out, `<svg width=%.0f height=%.0f style="background:#fafafa"><text x=2 y=9 font-size=9>%s</text>`, width, height, written(most, unit))
	var names strings.Builder
	n := 0
	span := to.Sub(from).Seconds()
	for i, list := range of {
		for _, s := range list {
			color := colors[n%len(colors)]
			n++
			fmt.Fprintf(out, `<polyline fill=none stroke="%s" points="%s"/>`, color, plotted(s, float64(from.UnixMilli())/1000, span, most, width, height))
			fmt.Fprintf(&names, `<span style="color:%s">— %s %s</span> `, color, html.EscapeString(legend(p.Targets[i].LegendFormat, s)), written(s.Values[len(s.Values)-1].value, unit))
		}
	}
	fmt.Fprintf(out, "</svg><div class=l>%s</div>", names.String())
}

// plotted are the points of a series in a picture of that size.
func plotted(s series, from, span, most, width, height float64) string {
	var b strings.Builder
	for _, v := range s.Values {
		if !math.IsNaN(v.value) && !math.IsInf(v.value, 0) {
			fmt.Fprintf(&b, "%.1f,%.1f ", (v.at-from)/span*width, height-2-(height-12)*v.value/max(most, 1e-12))
		}
	}
	return b.String()
}

// written is a value in one of Grafana's units that the dashboard uses.
func written(v float64, unit string) string {
	switch unit {
	case "s":
		if v < 1 {
			return fmt.Sprintf("%.3g ms", 1000*v)
		}
		return fmt.Sprintf("%.3g s", v)
	case "bytes":
		return fmt.Sprintf("%.0f MiB", v/(1<<20))
	case "percentunit":
		return fmt.Sprintf("%.2g %%", 100*v)
	case "bool_on_off":
		return map[bool]string{true: "On", false: "Off"}[v != 0]
	case "reqps":
		return fmt.Sprintf("%.3g req/s", v)
	case "ops":
		return fmt.Sprintf("%.3g ops/s", v)
	}
	return fmt.Sprintf("%.4g", v)
}
