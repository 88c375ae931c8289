package gazettes

import (
	"time"

	"vigueur/internal/work/admission"
)

// waitingMost is the maximum number of operations on a page.
const waitingMost = 200

// mendedMost is the maximum number of characters of an article's wording that a person gives.
const mendedMost = 500_000

// lookEvery is the interval at which the row of a followed file is read.
const lookEvery = 500 * time.Millisecond

// missingMost is the maximum number of missing texts that are shown.
const missingMost = 1000

// uncertainMost is the maximum number of relations on the page.
const uncertainMost = 1000

// Length limits of a text's metadata, in code points.
const (
	titleLimit  = admission.MaxTitle
	numberLimit = admission.MaxNumber

	versionLimit = 64
	groupLimit   = 500
)

// Page sizes of the reviews, and the maximum number of texts that one request settles: they
// fit into its time limit even if each links many relations.
const (
	reviewsDefault = 20
	reviewsMost    = 100
	decisionsMost  = 50
)

// The limits of a gazette that arrives.
const (
	UploadLimit = admission.MaxSize // bytes of the file
	uploadTime  = time.Hour         // for a gazette to arrive
	storeTime   = time.Minute       // to store a file that has arrived
)
