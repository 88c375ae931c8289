package conversations

import "time"

// questionLimit is the maximum length of a question in code points.
const questionLimit = 4000

// The page of the list of conversations.
const (
	conversationsDefault = 50
	conversationsMost    = 200
)

// renamedLimit is the maximum length of a title, in code points.
const renamedLimit = 255

// commentLimit is the maximum length of a comment, in code points.
const commentLimit = 2000

const (
	// rowsEvery is the interval of reading the rows of all streams, in case the relay
	// missed an end or a draft.
	rowsEvery = 2 * time.Second
	// rowsBatch is the maximum number of rows per statement.
	rowsBatch = 5000
	// rowsTimeout limits a statement, relayTimeout a check of the relay.
	rowsTimeout, relayTimeout = 1500 * time.Millisecond, time.Second
	// blindTime is the maximum time for which the state of a stream's answer may be
	// unknown. With up to two intervals of looking in addition, a blind stream ends within
	// 10 s.
	blindTime = 6 * time.Second
)

// streamsOfAnswer is the maximum number of streams of one answer that a process keeps open.
// A further stream replaces the oldest, because a client with a bad network reconnects long
// before the server knows that its old connections are dead.
const streamsOfAnswer = 8

// hearAgain is the delay before a lost relay is tried again.
const hearAgain = time.Second
