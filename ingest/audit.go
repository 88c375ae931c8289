package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/postgres"
)

// auditVerify runs « audit verify ».
func (a *app) auditVerify(ctx context.Context, in *input) error {
	head, err := readHead(in.text("head"))
	if err != nil {
		return err
	}
	return a.withDB(ctx, func(db *postgres.DB) error { return a.verifyAudit(ctx, db, head) })
}

// readHead parses NUMÉRO:EMPREINTE. For "" it returns nil.
func readHead(s string) (*postgres.AuditHead, error) {
	if s == "" {
		return nil, nil
	}
	number, sum, _ := strings.Cut(s, ":")
	seq, err := strconv.ParseInt(number, 10, 64)
	hash, malformed := hex.DecodeString(sum)
	if err != nil || malformed != nil || seq < 1 || len(hash) != 32 {
		return nil, usage("« %s » n’est pas une fin de chaîne : un numéro, deux-points et 64 chiffres hexadécimaux.", terminal.Line(s))
	}
	return &postgres.AuditHead{Seq: seq, Hash: hash}, nil
}

// auditView is the printed form of the result.
type auditView struct {
	Lines  int64       `json:"lines"`
	Head   *string     `json:"head"` // null if the log is empty
	Faults []faultView `json:"faults"`
}

type faultView struct {
	Number int64                `json:"number"` // number in the chain; 0 if the chain lacks the entry
	ID     int64                `json:"id"`
	At     *time.Time           `json:"at"`
	Reason postgres.AuditReason `json:"reason"`
}

// auditReasons are the French descriptions of faults.
var auditReasons = map[postgres.AuditReason]string{
	postgres.AuditChanged:  "la ligne a été changée",
	postgres.AuditRemoved:  "la ligne a été retirée",
	postgres.AuditSlipped:  "la ligne n’est pas dans la chaîne",
	postgres.AuditGap:      "des lignes d’avant manquent à la chaîne",
	postgres.AuditUnlinked: "la ligne ne porte pas l’empreinte de la précédente",
	postgres.AuditRewound:  "la fin de chaîne gardée n’y est pas : la chaîne a été réécrite ou coupée",
}

func (a *app) verifyAudit(ctx context.Context, db *postgres.DB, kept *postgres.AuditHead) error {
	head, lines, faults, err := db.VerifyAudit(ctx, kept)
	if err != nil {
		return err
	}
	view := auditView{Lines: lines, Faults: []faultView{}}
	if head.Seq > 0 {
		shown := fmt.Sprintf("%d:%x", head.Seq, head.Hash)
		view.Head = &shown
	}
	for _, f := range faults {
		v := faultView{Number: f.Seq, ID: f.ID, Reason: f.Reason}
		if !f.At.IsZero() {
			v.At = &f.At
		}
		view.Faults = append(view.Faults, v)
	}
	if err := a.printAudit(view); err != nil {
		return err
	}
	if len(faults) > 0 {
		return errs.Newf(errs.Conflict, "Le journal n’est pas intact : %s.", count(len(faults), "faute"))
	}
	return nil
}

func (a *app) printAudit(v auditView) error {
	if a.json {
		return writeJSON(a.out, v)
	}
	for _, f := range v.Faults {
		where := fmt.Sprintf("ligne %d", f.ID)
		if f.ID == 0 {
			where = fmt.Sprintf("place %d", f.Number)
		}
		if f.At != nil {
			where += " du " + moment(*f.At)
		}
		if _, err := fmt.Fprintf(a.out, "%s : %s\n", where, auditReasons[f.Reason]); err != nil {
			return err
		}
	}
	if v.Head == nil {
		_, err := fmt.Fprintln(a.outcome(), "Le journal est vide.")
		return err
	}
	_, err := fmt.Fprintf(a.outcome(), "%s, fin de la chaîne : %s\n", count(int(v.Lines), "ligne"), *v.Head)
	return err
}
