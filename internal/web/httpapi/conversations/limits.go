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
	// rowEvery is the interval at which a stream that the relay tells nothing reads its row,
	// and at which a lost relay is tried again.
	rowEvery = 2 * time.Second
	// blindTime is how long a row may be unreadable before its stream ends.
	blindTime = 6 * time.Second
)
