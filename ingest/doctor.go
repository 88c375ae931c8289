package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/doctor"
)

// doctor runs « doctor ».
func (a *app) doctor(ctx context.Context, in *input) error {
	limit := sure(in.flags.GetDuration("timeout"))
	if in.flags.Changed("timeout") && (limit < 100*time.Millisecond || limit > 10*time.Minute) {
		return usage("--timeout va de 100ms à 10m.")
	}
	found := doctor.Doctor{Environ: a.environ, Limit: limit}.Examine(ctx)
	if err := a.writeFindings(found); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if doctor.Worst(found) == doctor.Fail {
		return quiet{exitFailed}
	}
	return nil
}

// stateNames are the French names of states.
var stateNames = map[doctor.State]string{doctor.OK: "ok", doctor.Unseen: "non vu", doctor.Warn: "attention", doctor.Fail: "échec"}

// writeFindings prints the findings by area: the state, what was found and, below it, what
// to do. With --quiet, those that need nothing are left out.
func (a *app) writeFindings(found []doctor.Finding) error {
	if a.json {
		return writeList(a.out, found, len(found))
	}
	if a.silent {
		found = slices.DeleteFunc(slices.Clone(found), func(f doctor.Finding) bool { return f.State == doctor.OK || f.State == doctor.Unseen })
	}
	const indent = 13
	area := ""
	for i, f := range found {
		if f.Area != area || i == 0 {
			area = f.Area
			fmt.Fprintln(a.out, terminal.Line(area))
		}
		terminal.Field(a.out, indent, "  "+stateNames[f.State], terminal.Line(f.Found))
		if f.Do != "" {
			terminal.Field(a.out, indent+2, strings.Repeat(" ", indent)+"→", terminal.Line(f.Do))
		}
	}
	return nil
}
