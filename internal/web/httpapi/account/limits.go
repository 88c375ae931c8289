package account

import "time"

// FullNameLimit is the maximum length of a person's name, in code points.
const FullNameLimit = 255

// pendingLimit is longer than any token of the first step.
const pendingLimit = 4096

// proofLimit is longer than any token of a fresh sign-in.
const proofLimit = 4096

// clientLimit is the maximum length of a stored program name, in code points.
const clientLimit = 200

// codeLife is the lifetime of an authorization code: a program exchanges it at once.
const codeLife = time.Minute

// Limits of a provider's redirect.
const (
	codeOfProviderLimit = 4096
	stateLimit          = 128
	returnLimit         = 512
)

// codeLimit is the maximum length of a code: longer than any code with the blanks that
// people type.
const codeLimit = 64
