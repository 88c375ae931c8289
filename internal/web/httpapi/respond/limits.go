package respond

// worthwhile is the minimum size of a body that is compressed, in bytes: a smaller body
// fits into one packet.
const worthwhile = 1200

// nameLimit is the maximum length of a file name in code points, without .pdf.
const nameLimit = 120

// Page sizes of the administrators' lists.
const (
	PageDefault = 50
	PageMost    = 200
)
