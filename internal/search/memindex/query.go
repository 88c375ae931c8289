package memindex

import (
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/rank"
)

// Query is one search. Its zero value with a Limit finds nothing.
type Query struct {
	Text      string         // the question
	Earlier   string         // earlier turns that it leans on; their words weigh less
	Countries []country.Code // whose law is asked about, by the question or those turns; nil: it does not say
	Filters   law.Filters    // Date is not read: Day is
	Day       time.Time      // only what is law on that day; the zero time: whenever
	Repealed  bool           // texts whose status is repealed are found too
	Limit     int            // at most so many hits
	All       bool           // all that was looked at more closely is given, whatever Limit says; not for Limit 0

	Vector     []float32 // of the question, length 1; nil: by words alone
	Generation uuid.UUID // that the vector is of
}

// Hit is a passage found.
type Hit struct {
	PassageID  uuid.UUID
	ArticleID  uuid.UUID
	DocumentID uuid.UUID
	Score      float64        // of the ranking's first step, comparable within one search only
	Features   rank.Features  // what the index knows of it
	Semantic   bool           // the search went by meaning too
	Countries  []country.Code // whose law the text is, as far as it tells
	NewWording bool           // it words an article of another text anew
	Amended    []uuid.UUID    // those of the catalogue that are meant
	Local      bool           // the index has law of a country that the question names
}
