package queue

import "time"

// Kind names a kind of job and the queue that carries its hints. Workers, metrics and the
// doctor take these names from here.
type Kind struct {
	Name  string // name in logs, metrics and traces: « answer »
	Queue string // name of its queue in asynq: « answers »
	Task  string // type of its tasks in asynq
	// Limit is the time after which the context of a task ends, so that a job that hangs is
	// stopped. A worker that crashed is noticed by its lease.
	Limit time.Duration
	// Label is the French name of its rows, for operators: « questions ».
	Label string
	// Late is the time that a row may wait before the doctor warns that something blocks
	// it; 0: waiting rows of this kind are not counted.
	Late time.Duration
}

// The kinds of jobs that workers run.
var (
	Answers       = Kind{Name: "answer", Queue: "answers", Task: "answer:run", Limit: 10 * time.Minute, Label: "questions", Late: time.Minute}
	Ingestions    = Kind{Name: "ingestion", Queue: "ingestions", Task: "ingestion:run", Limit: 24 * time.Hour, Label: "gazettes", Late: 24 * time.Hour}
	Notifications = Kind{Name: "notification", Queue: "notifications", Task: "notification:run", Limit: 5 * time.Minute, Label: "messages", Late: 24 * time.Hour}
	Titles        = Kind{Name: "title index", Queue: "titles", Task: "titles:run", Limit: time.Hour, Label: "index des titres", Late: time.Hour}
	Embeddings    = Kind{Name: "embedding", Queue: "embeddings", Task: "embedding:run", Limit: 24 * time.Hour, Label: "vecteurs"}
	Sentences     = Kind{Name: "sentences", Queue: "sentences", Task: "sentences:run", Limit: 24 * time.Hour, Label: "vecteurs de phrases"}
	Passages      = Kind{Name: "passage index", Queue: "passages", Task: "passages:run", Limit: 24 * time.Hour, Label: "index des passages"}
	Versions      = Kind{Name: "versions", Queue: "versions", Task: "versions:run", Limit: 24 * time.Hour, Label: "versions des articles", Late: time.Hour}
	Alerts        = Kind{Name: "alerts", Queue: "alerts", Task: "alerts:run", Limit: time.Hour, Label: "alertes", Late: time.Hour}
	Digests       = Kind{Name: "digest", Queue: "digests", Task: "digest:run", Limit: 5 * time.Minute, Label: "résumés d’alertes", Late: 24 * time.Hour}
	Webhooks      = Kind{Name: "webhook", Queue: "webhooks", Task: "webhook:run", Limit: 5 * time.Minute, Label: "envois aux webhooks", Late: 24 * time.Hour}
)

// KindOf returns the kind of job that uses a queue.
func KindOf(name string) Kind {
	for _, k := range Kinds() {
		if k.Queue == name {
			return k
		}
	}
	return Kind{Queue: name, Label: name}
}

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{Answers, Ingestions, Notifications, Titles, Embeddings, Sentences, Passages, Versions, Alerts, Digests, Webhooks}
}
