package httpapi

import (
	"regexp"
	"time"
)

// What the rooms of the server promise, as clients see it.
const (
	onceHeader     = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
	badKeyText     = "Clé d’API inconnue, révoquée ou expirée."
	noKeyHereText  = "Cette adresse n’admet pas de clé d’API : connectez-vous."

	mostFaults = 50       // faults that a response lists
	formLimit  = 1 << 20  // bytes of a form besides its file
	fieldLimit = 64 << 10 // bytes of a field of a form
	partsLimit = 64       // parts of a form
	smallReply = 64 << 10 // bytes of a response that is not counted
	firstPiece = 4 << 10  // bytes of the first buffer for a body
	nameLimit  = 120      // code points of the name of a file
)

// requestID matches the id of a request in a response.
var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// Lengths that the contract states, in code points.
const (
	questionLimit          = 4000
	renamedLimit           = 255
	commentLimit           = 2000
	domainCodeLimit        = 40
	domainLabelLimit       = 255
	domainDescriptionLimit = 2000
	titleLimit             = 2000
	numberLimit            = 100
	clientLimit            = 200
	returnLimit            = 512
)

// Counts and times of the areas.
const (
	statsDays     = 30          // of the figures without parameters
	decisionsMost = 50          // texts that one request settles
	ownPage       = 50          // conversations that an export reads at a time
	codeLife      = time.Minute // of an authorization code
)

// Cookies, and sentences that end a stream.
const (
	refreshCookie = "vigueur_refresh"
	attemptCookie = "vigueur_provider"
	attemptPath   = "/api/v1/auth/providers"
	publicCache   = "public, max-age=60"
	lostText      = "Le service est momentanément interrompu. La réponse n’est pas perdue : revenez à la conversation dans quelques instants."
	deletedText   = "Cette réponse a été supprimée."
)
