package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// AuditHead is the end of the audit log's hash chain. A copy kept elsewhere can prove later
// that no entry up to it has changed.
type AuditHead struct {
	Seq  int64 // number of the last entry, 0 for an empty log
	Hash []byte
}

// AuditFault is an entry of the audit log that was tampered with.
type AuditFault struct {
	Seq    int64     // number of the entry in the chain; 0 if the chain lacks it
	ID     int64     // id of the entry; 0 if unknown
	At     time.Time // time of the entry
	Reason AuditReason
}

// AuditReason is the way in which an entry was tampered with.
type AuditReason string

// The ways in which an entry can be tampered with.
const (
	AuditChanged  AuditReason = "changed"  // the fields of the entry do not match its hash
	AuditRemoved  AuditReason = "removed"  // the log lacks the entry although the partition of its month exists
	AuditSlipped  AuditReason = "slipped"  // the chain lacks the entry
	AuditGap      AuditReason = "gap"      // the chain lacks numbers before the entry
	AuditUnlinked AuditReason = "unlinked" // the link of the entry does not contain the hash of the previous entry
	AuditRewound  AuditReason = "rewound"  // the chain lacks the head that was kept
)

// maxAuditFaults is the maximum number of faults that VerifyAudit reports.
const maxAuditFaults = 1000

// VerifyAudit recomputes the hash chain of the audit log. It returns the head of the chain,
// the number of entries, and the faults in order, at most maxAuditFaults. kept is a head
// that an earlier call returned; a chain without it is a fault. nil: no head was kept. The
// first entry refers to the hash of its predecessor, which cannot be checked if the
// predecessor's month was dropped.
func (db *DB) VerifyAudit(ctx context.Context, kept *AuditHead) (head AuditHead, lines int64, faults []AuditFault, err error) {
	v := &verification{kept: kept}
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil { // a log may be long
			return err
		}
		if err := v.months(ctx, tx); err != nil {
			return err
		}
		if err := v.chain(ctx, tx); err != nil {
			return err
		}
		return v.outside(ctx, tx)
	})
	return v.head, v.lines, v.faults, classify("verify audit", err)
}

// verification is one pass over the chain of the audit log.
type verification struct {
	kept   *AuditHead
	parts  map[string]bool // months that have a partition
	head   AuditHead
	lines  int64
	faults []AuditFault
}

func (v *verification) fault(f AuditFault) {
	if len(v.faults) < maxAuditFaults {
		v.faults = append(v.faults, f)
	}
}

// months reads for which months the log has a partition.
func (v *verification) months(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT relid::text FROM pg_partition_tree('audit') WHERE isleaf`)
	if err != nil {
		return err
	}
	v.parts = map[string]bool{}
	var name string
	_, err = pgx.ForEachRow(rows, []any{&name}, func() error { v.parts[name] = true; return nil })
	return err
}

// dropped reports whether the month of an entry at the given time was dropped as a whole.
func (v *verification) dropped(at time.Time) bool {
	return !v.parts["audit_"+at.UTC().Format("2006_01")] && at.Before(time.Now().AddDate(0, -1, 0))
}

// chain compares each entry with its link in the chain.
func (v *verification) chain(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT c.seq, c.line_id, c.line_at, c.prev, c.hash, a.id IS NOT NULL, a.user_id,
			coalesce(a.action, ''), coalesce(a.object, ''), coalesce(a.details::text, '')
		FROM audit_chain c LEFT JOIN audit a ON a.at = c.line_at AND a.id = c.line_id ORDER BY c.seq`)
	if err != nil {
		return err
	}
	var l chainedLine
	passed := v.kept == nil || v.kept.Seq == 0
	_, err = pgx.ForEachRow(rows, []any{&l.seq, &l.id, &l.at, &l.prev, &l.hash, &l.there, &l.user, &l.action, &l.object, &l.details}, func() error {
		v.check(l)
		v.head = AuditHead{l.seq, bytes.Clone(l.hash)}
		v.lines++
		if !passed && l.seq >= v.kept.Seq {
			passed = l.seq == v.kept.Seq && bytes.Equal(l.hash, v.kept.Hash)
			if !passed {
				v.fault(AuditFault{l.seq, l.id, l.at, AuditRewound})
			}
			passed = true
		}
		l = chainedLine{} // a new value, because pgx fills slices in place
		return nil
	})
	if err == nil && !passed {
		v.fault(AuditFault{Seq: v.kept.Seq, Reason: AuditRewound})
	}
	return err
}

func (v *verification) check(l chainedLine) {
	found := func(reason AuditReason) { v.fault(AuditFault{l.seq, l.id, l.at, reason}) }
	switch {
	case v.lines == 0 && l.seq == 1 && !bytes.Equal(l.prev, make([]byte, sha256.Size)):
		found(AuditUnlinked)
	case v.lines == 0 && l.seq > 1 && !v.dropped(l.at.AddDate(0, -1, 0)):
		found(AuditGap)
	case v.lines > 0 && l.seq != v.head.Seq+1:
		found(AuditGap)
	case v.lines > 0 && !bytes.Equal(l.prev, v.head.Hash):
		found(AuditUnlinked)
	}
	switch {
	case !l.there && !v.dropped(l.at):
		found(AuditRemoved)
	case l.there && !bytes.Equal(l.sum(), l.hash):
		found(AuditChanged)
	}
}

// outside looks for entries that the chain lacks.
func (v *verification) outside(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT id, at FROM audit a
		WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.line_at = a.at AND c.line_id = a.id) ORDER BY at, id LIMIT $1`, maxAuditFaults)
	if err != nil {
		return err
	}
	f := AuditFault{Reason: AuditSlipped}
	_, err = pgx.ForEachRow(rows, []any{&f.ID, &f.At}, func() error { v.fault(f); return nil })
	return err
}

// chainedLine is an entry of the log with its link in the chain.
type chainedLine struct {
	seq, id                 int64
	at                      time.Time
	prev, hash              []byte
	there                   bool
	user                    *uuid.UUID
	action, object, details string
}

// sum computes the hash of an entry as audit_sum in the schema does: over the previous
// hash, the number and the fields, each preceded by its length in bytes.
func (l chainedLine) sum() []byte {
	user := ""
	if l.user != nil {
		user = l.user.String()
	}
	var fields []string
	for _, f := range []string{strconv.FormatInt(l.seq, 10), strconv.FormatInt(l.id, 10), strconv.FormatInt(l.at.UnixMicro(), 10), user, l.action, l.object, l.details} {
		fields = append(fields, fmt.Sprintf("%d:%s", len(f), f))
	}
	sum := sha256.Sum256(append(bytes.Clone(l.prev), strings.Join(fields, ",")...))
	return sum[:]
}
