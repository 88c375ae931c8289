package postgres

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// sendIDsAsBytes makes a connection send ids as 16 bytes. By default, pgx calls the
// driver.Valuer of a uuid.UUID, which formats the id as text, and parses this text: for
// 2,500 ids that took four milliseconds instead of 0.2. Reading ids is not changed.
func sendIDsAsBytes(m *pgtype.Map) {
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapID}, m.TryWrapEncodePlanFuncs...)
}

func wrapID(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	id, ok := value.(uuid.UUID)
	return new(idPlan), [16]byte(id), ok
}

// idPlan encodes a uuid.UUID with the plan for a byte array.
type idPlan struct{ next pgtype.EncodePlan }

// SetNext sets the plan that encodes the bytes.
func (p *idPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode appends value, which is a uuid.UUID, to buf.
func (p *idPlan) Encode(value any, buf []byte) ([]byte, error) {
	id, _ := value.(uuid.UUID) // the plan is only used for this type
	return p.next.Encode([16]byte(id), buf)
}
