package httpapi

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/law"
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

// atHome narrows a question to the law of the asker's own country, "" if there is none. It does
// nothing if the question or what it depends on names a country, the asker chose one or a text,
// or nothing is asked.
func (s *Server) atHome(ctx context.Context, user uuid.UUID, home string, turn *asked) error {
	if f := turn.Filters; home == "" || turn.everywhere || f.Country != "" || f.DocumentID != nil {
		return nil
	}
	var before question.Conversation
	for _, t := range turn.Earlier {
		before.Asked, before.Answers = append(before.Asked, t.Question), append(before.Answers, t.Answer)
	}
	if turn.ConversationID != nil {
		history, err := s.DB.History(ctx, user, *turn.ConversationID)
		if err != nil {
			return err
		}
		for _, m := range history {
			if m.Role == chat.User {
				before.Asked = append(before.Asked, m.Content)
			} else {
				before.Answers = append(before.Answers, m.Content)
			}
		}
	}
	q := question.Read(turn.Question, before)
	if q.Empty || q.Courtesy != question.NoCourtesy || len(q.AskedCountries()) > 0 {
		return nil
	}
	turn.Filters.Country = home
	return nil
}

// readFilters reads what limits the answer to a question, and whether the law of every country
// is asked for.
func readFilters(body *object) (filters law.Filters, everywhere bool) {
	f := body.object("filters")
	if f == nil {
		return filters, false
	}
	f.only("domaine", "pays", "doc_type", "statut", "date", "document_id")
	if everywhere = string(f.fields["pays"]) == `"`+everyCountry+`"`; everywhere {
		delete(f.fields, "pays")
	}
	return law.Filters{
		Domain:     f.word("domaine"),
		Country:    f.country("pays"),
		Type:       law.DocType(f.one("doc_type", texts(law.DocTypes()))),
		Status:     law.Status(f.one("statut", texts(law.Statuses()))),
		Date:       f.day("date"),
		DocumentID: f.id("document_id"),
	}, everywhere
}
