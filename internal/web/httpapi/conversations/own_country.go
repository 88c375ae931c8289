package conversations

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/search/question"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// everyCountry is the value of filters.pays for the law of every country, whatever the country
// of the account.
const everyCountry = "tous"

// asked is a question as it was read.
type asked struct {
	postgres.Turn
	everywhere bool // the asker wants the law of every country
}

// narrowToHome narrows a question to the law of the asker's own country, "" if there is none. It does
// nothing if the question or what it depends on names a country, the asker chose one or a text,
// or nothing is asked.
func (s *Handlers) narrowToHome(ctx context.Context, user uuid.UUID, home string, turn *asked) error {
	if f := turn.Filters; home == "" || turn.everywhere || f.Country != "" || f.DocumentID != nil {
		return nil
	}
	var previous question.Conversation
	for _, t := range turn.Earlier {
		previous.Asked, previous.Answers = append(previous.Asked, t.Question), append(previous.Answers, t.Answer)
	}
	if turn.ConversationID != nil {
		history, err := s.DB.History(ctx, user, *turn.ConversationID)
		if err != nil {
			return err
		}
		previous.Asked, previous.Answers = chat.Contents(history, chat.User), chat.Contents(history, chat.Assistant)
	}
	q := question.Read(turn.Question, previous)
	if q.Empty || q.Courtesy != question.NoCourtesy || len(q.AskedCountries()) > 0 {
		return nil
	}
	turn.Filters.Country = home
	return nil
}
