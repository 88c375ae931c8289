package transport

import "time"

// unbelievedPause is the minimum interval between warnings about untrusted proxies.
const unbelievedPause = time.Hour

// mostValues is the maximum number of values, fields and elements, of a body. A decoded value
// takes many times the bytes that it has in JSON. The largest correction has some thousands.
const mostValues = 20_000

const (
	// firstByte is how long the first byte of a body may take. It is short, because the HTTP
	// server waits for it before the request is counted for its client; clients send it right
	// after the head.
	firstByte = 5 * time.Second
	// bodyWait is how long a body may take besides the time that its bytes take at the
	// slowest rate.
	bodyWait = 10 * time.Second
	// firstPiece is the size of the first buffer for a body. Most questions fit.
	firstPiece = 4 << 10
)

// How long the rest of a body is still read, so that the client, which sends before it
// reads, gets the response.
const (
	lingerTime = 5 * time.Second
	lingerIdle = 500 * time.Millisecond
)

// widening is the factor by which the limit of a network exceeds that of the network within it.
// Neighbors share a network and must not use up each other's limit.
const widening = 2

// preflightLife is how long a browser may cache a preflight, in seconds.
const preflightLife = 600

// RetryAfter is the value of Retry-After while a store is down, in seconds.
const RetryAfter = 5

// slowest is the rate, in bytes per second, below which a client's connection is closed.
const slowest = 32 << 10

// BodyLimit is the maximum size of a JSON body, in bytes.
const BodyLimit = 1 << 20

// Limits of one request.
const (
	readLimit    = 4 << 20          // bytes of a body that are read and dropped: the client of a slightly too large one still gets the response
	HeaderLimit  = 16 << 10         // bytes of the request line and headers
	readTimeout  = 30 * time.Second // for the whole request to arrive
	idleTimeout  = 75 * time.Second // between two requests of a connection
	patience     = time.Second      // for a client that sends nothing, if all places are taken
	WorkTimeout  = 10 * time.Second // for a handler, except streams
	drainTimeout = 8 * time.Second  // for running requests at shutdown; a supervisor kills after 10
)

// Limits override the defaults unless zero, so that tests do not wait, nor fail on a busy
// machine.
type Limits struct {
	Read   time.Duration // readTimeout
	Pace   time.Duration // readTimeout, for clients that read slowly
	Work   time.Duration // workTimeout
	Check  time.Duration // checkTimeout
	Linger time.Duration // lingerTime and lingerIdle
	Send   time.Duration // sendLimit

	Patience time.Duration // patience
}

const (
	// requestRate is how many requests a second a network may send. It is twice what an API
	// key may have (postgres.KeyPerMinuteMost); beyond it, answering would take the time of
	// others, however cheap the requests are.
	requestRate = 200
	// requestBurst is how many requests a network may send at once after a pause: some twenty
	// people behind one address who open the page at the same time.
	requestBurst = 2 * requestRate
	// sweepEvery is after how many requests buckets that are full again are dropped.
	sweepEvery = 4096
)

// smallReply is the size up to which a response is not counted: memory for it is reserved
// with its connection.
const smallReply = 64 << 10

const (
	// slotsUsual is how many slots the zero value of slots has.
	slotsUsual = 2
	// slotPatience is how long a request waits for a slot. Together with the time that it may
	// then take (drawTimeout) it is less than a handler's timeout.
	slotPatience = 2 * time.Second
)

// sendLimit is the maximum time that a client may take to read what was sent.
const sendLimit = 10 * time.Second

// KeepAlive is the interval of comments on a silent stream.
const KeepAlive = 10 * time.Second

// RowTimeout limits a read of the row that a stream is about.
const RowTimeout = 3 * time.Second

// The limits of a form with a file.
const (
	formLimit  = 1 << 20          // bytes of everything else in the form
	fieldLimit = 64 << 10         // bytes of one metadata field
	partsLimit = 64               // parts of the form; the metadata has seven fields
	uploadIdle = 30 * time.Second // between two reads, and besides the time that the bytes take at uploadPace
	uploadPace = 16 << 10         // bytes a second that must arrive
)
