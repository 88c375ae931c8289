package answering

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// Answer is an answer that belongs to no conversation.
type Answer struct {
	Content    string
	Citations  []law.Citation
	Validation chat.Validation
	Certainty  *chat.Certainty // nil: nothing was asked
}

// Once answers a question that nobody waits for, as Runner does: nothing is stored, streamed or
// counted. Errors are those of search and model.
func Once(ctx context.Context, search Searcher, model llm.Generator, question string) (Answer, error) {
	const name = "once"
	j := &job{
		Runner: &Runner{Search: search, Models: map[string]llm.Generator{name: model}, Default: name, Log: slog.New(slog.DiscardHandler)},
		leased: postgres.Work{ID: uuid.Nil, Question: question}, stream: silent{},
	}
	if err := j.Work(ctx); err != nil {
		return Answer{}, err
	}
	o := j.outcome(chat.Done)
	return Answer{Content: o.Content, Citations: o.Citations, Validation: o.Validation, Certainty: o.Certainty}, nil
}

// silent is a Stream that nobody follows.
type silent struct{}

func (silent) Text(context.Context, string)                {}
func (silent) ChunkEnds(context.Context) []int             { return nil }
func (silent) End(context.Context, chat.EventKind, []byte) {}
func (silent) Unheard() (string, []int, bool)              { return "", nil, false }
