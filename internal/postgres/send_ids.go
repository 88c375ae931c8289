package postgres

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// sendIDsAsBytes has a connection send ids as the 16 bytes that they are. A uuid.UUID is
// a driver.Valuer, of which pgx asks its text, to read the bytes from it again: of a list of
// 2,500 ids that took four milliseconds instead of a fifth of one. How ids are read is left
// as it is.
func sendIDsAsBytes(m *pgtype.Map) {
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapID}, m.TryWrapEncodePlanFuncs...)
}

func wrapID(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	id, ok := value.(uuid.UUID)
	return new(idPlan), [16]byte(id), ok
}

// idPlan encodes a uuid.UUID as next does an array of bytes.
type idPlan struct{ next pgtype.EncodePlan }

// SetNext sets the plan that does it.
func (p *idPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode appends value, which is a uuid.UUID, to buf.
func (p *idPlan) Encode(value any, buf []byte) ([]byte, error) {
	id, _ := value.(uuid.UUID) // the plan was made for this type
	return p.next.Encode([16]byte(id), buf)
}
