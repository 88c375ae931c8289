package form

const (
	// echoLimit is the maximum size of the input in a fault, and of a name in its location, in
	// bytes.
	echoLimit = 256
	// mostFaults is the maximum number of faults in a response, so that a response is never
	// much larger than its request. If there are more, the last one says so.
	mostFaults = 50
)

// EmailLimit is the longest e-mail address in characters (RFC 5321).
const EmailLimit = 254

// TokenLimit is the maximum length of a refresh token in a request: longer than any that
// was issued.
const TokenLimit = 512

// FarthestPage is beyond any catalogue and prevents the offset from overflowing.
const FarthestPage = 1_000_000_000
