package guard

import "time"

const (
	// readsAtOnce is how many reads of its own conversations an account may have in progress
	// in one process. Each may search a long history, and holds a connection of the database
	// meanwhile; a page needs two.
	readsAtOnce = 4
	// readsWaiting is how many more may wait for their turn.
	readsWaiting = 16
)

// refusalWindow is how long repeated refusals of one account on one route are counted before
// they are one more line of the audit log.
const refusalWindow = 10 * time.Minute

// mostRefusals limits the refusals that are counted at the same time. Beyond it, all are
// written at once.
const mostRefusals = 10_000

// sessionsEvery is the interval of looking at the sessions of streams, sessionsTimeout limits
// one look.
const sessionsEvery, sessionsTimeout = 2 * time.Second, 1500 * time.Millisecond
