package queue

import "time"

// Kind names a kind of job and the queue of its own that its hints go through. Workers,
// metrics and the doctor take what they say of a kind from here.
type Kind struct {
	Name  string // in logs, metrics and traces: « answer »
	Queue string // « answers »
	Task  string // the type of its tasks in asynq
	// Limit is the longest a task may run before its context ends. It stops a job that
	// hangs; a worker that crashed is noticed by its lease.
	Limit time.Duration
	// Label is how operators call its rows, in French: « questions ».
	Label string
	// Late is how long a row may wait before the doctor warns that something blocks it; 0:
	// nothing counts the rows that wait.
	Late time.Duration
	// Needs is the setting without which no worker runs the kind; "": every worker does.
	Needs string
}

// The kinds.
var (
	Answers       = Kind{Name: "answer", Queue: "answers", Task: "answer:run", Limit: 10 * time.Minute, Label: "questions", Late: time.Minute}
	Ingestions    = Kind{Name: "ingestion", Queue: "ingestions", Task: "ingestion:run", Limit: 24 * time.Hour, Label: "gazettes", Late: 24 * time.Hour}
	Notifications = Kind{Name: "notification", Queue: "notifications", Task: "notification:run", Limit: 5 * time.Minute, Label: "messages", Late: 24 * time.Hour}
	Titles        = Kind{Name: "title index", Queue: "titles", Task: "titles:run", Limit: time.Hour, Label: "index des titres", Late: time.Hour, Needs: "VIGUEUR_MEILI_URL"}
	Embeddings    = Kind{Name: "embedding", Queue: "embeddings", Task: "embedding:run", Limit: 24 * time.Hour, Label: "vecteurs"}
	Sentences     = Kind{Name: "sentences", Queue: "sentences", Task: "sentences:run", Limit: 24 * time.Hour, Label: "vecteurs de phrases"}
	Passages      = Kind{Name: "passage index", Queue: "passages", Task: "passages:run", Limit: 24 * time.Hour, Label: "index des passages", Needs: "VIGUEUR_MILVUS_URL"}
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{Answers, Ingestions, Notifications, Titles, Embeddings, Sentences, Passages}
}
