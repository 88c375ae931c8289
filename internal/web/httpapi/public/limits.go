package public

import "time"

// longestNumber bounds the number of an article in an address.
const longestNumber = 100

// TypedLimit is the maximum length of a searched title, in code points.
const TypedLimit = 200

const (
	textsOnAPage = 100
	feedLength   = 100
)

// publicFound is how many texts a search shows.
const publicFound = 50

const (
	publicMemory = 64 << 20 // for the pages of one process
	publicLife   = time.Minute
	versionLife  = time.Second
)
