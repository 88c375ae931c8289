package memindex

import (
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/rank"
)

// Query is one search. With the zero value and a Limit it finds nothing.
type Query struct {
	Text      string         // the question
	Earlier   string         // earlier turns that it depends on; their words weigh less
	Countries []country.Code // countries whose law is asked about, by the question or those turns; nil if none is named
	Filters   law.Filters    // Date is ignored in favor of Day; with a Country, law that is known to be of others than Countries is excluded
	Day       time.Time      // only what is law on that day; the zero time admits any day
	Repealed  bool           // also find texts whose status is repealed
	Limit     int            // the maximum number of hits
	All       bool           // return the whole pool, whatever Limit says, unless it is 0

	Vector     []float32 // vector of the question, of length 1; nil searches by words alone
	Generation uuid.UUID // generation of the vector
}

// Hit is a passage that was found.
type Hit struct {
	PassageID  uuid.UUID
	ArticleID  uuid.UUID
	DocumentID uuid.UUID
	Score      float64        // score of the ranking's first step, comparable only within one search
	Features   rank.Features  // what the index knows about it
	Semantic   bool           // the search also went by meaning
	Countries  []country.Code // countries that the text belongs to, as far as known
	NewWording bool           // it is a new wording of an article of another text
	Amended    []uuid.UUID    // for a new wording, the texts of the catalogue that it may amend
	Local      bool           // the index has law of a country that the question names
}
