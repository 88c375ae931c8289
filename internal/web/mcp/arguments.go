package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/verify"
)

// Maximum lengths of arguments, in code points.
const (
	mostQuery    = 200
	mostQuote    = 4000
	mostQuestion = 4000
	mostNumber   = 80
)

// checkText returns the fault of a required text of at most most code points, "" if it has none.
func checkText(name, value string, most int) string {
	switch n := utf8.RuneCountInString(value); {
	case strings.TrimSpace(value) == "":
		return fmt.Sprintf("L’argument « %s » manque.", name)
	case n > most:
		return fmt.Sprintf("L’argument « %s » a %d caractères ; %d au plus.", name, n, most)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return fmt.Sprintf("L’argument « %s » n’est pas un texte.", name)
	}
	return ""
}

// checkID returns the fault of the id of a text, "" if it has none.
func checkID(name, value string) string {
	if _, err := uuid.Parse(value); err != nil {
		return fmt.Sprintf("L’argument « %s » n’est pas l’identifiant d’un texte : search_articles et resolve_reference les donnent.", name)
	}
	return ""
}

// checkDay returns the fault of an optional day, "" if it has none.
func checkDay(value string) string {
	if _, err := time.Parse(time.DateOnly, value); value != "" && err != nil {
		return "L’argument « date » attend un jour de la forme AAAA-MM-JJ."
	}
	return ""
}

// checkCountry returns the fault of an optional country, "" if it has none.
func checkCountry(value string) string {
	if _, ok := country.Parse(value); value != "" && !ok {
		return fmt.Sprintf("L’argument « pays » ne peut pas valoir « %.40s » : coverage donne les pays.", value)
	}
	return ""
}

// checkType returns the fault of an optional type of text, "" if it has none.
func checkType(value string) string {
	if value != "" && !slices.Contains(law.DocTypes(), law.DocType(value)) {
		return fmt.Sprintf("L’argument « doc_type » ne peut pas valoir « %.40s ».", value)
	}
	return ""
}

// parseDay parses a day that checkDay has accepted; nil if it is absent.
func parseDay(value string) *time.Time {
	at, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return nil
	}
	return &at
}

// parseCountry parses a country that checkCountry has accepted; "" if it is absent.
func parseCountry(value string) string {
	code, ok := country.Parse(value)
	if !ok {
		return ""
	}
	return string(code)
}

type searchArguments struct {
	Query   string `json:"query" jsonschema:"mots cherchés, ou expressions entre guillemets"`
	Date    string `json:"date,omitempty" jsonschema:"jour où l’article est en vigueur, AAAA-MM-JJ"`
	Country string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
	Type    string `json:"doc_type,omitempty" jsonschema:"loi, decret, arrete, circulaire, code ou constitution"`
	Limit   int    `json:"limit,omitempty" jsonschema:"articles au plus, 1 à 20 ; 10 sans lui"`
}

func (a searchArguments) fault() string {
	limit := ""
	if a.Limit < 0 || a.Limit > 20 {
		limit = "L’argument « limit » va de 1 à 20."
	}
	return cmp.Or(checkText("query", a.Query, mostQuery), checkDay(a.Date), checkCountry(a.Country), checkType(a.Type), limit)
}

type articleArguments struct {
	Document string `json:"document_id" jsonschema:"identifiant du texte"`
	Article  string `json:"article" jsonschema:"numéro de l’article : 36, 1er, L. 1224-1"`
	Date     string `json:"date,omitempty" jsonschema:"jour où l’article est lu, AAAA-MM-JJ ; aujourd’hui sans lui"`
}

func (a articleArguments) fault() string {
	return cmp.Or(checkID("document_id", a.Document), checkText("article", a.Article, mostNumber), checkDay(a.Date))
}

type statusArguments struct {
	Document string `json:"document_id" jsonschema:"identifiant du texte"`
}

func (a statusArguments) fault() string { return checkID("document_id", a.Document) }

type referenceArguments struct {
	Reference string `json:"reference" jsonschema:"ce qui nomme le texte, avec ou sans article"`
	Date      string `json:"date,omitempty" jsonschema:"jour du droit demandé, AAAA-MM-JJ"`
	Country   string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
}

func (a referenceArguments) fault() string {
	return cmp.Or(checkText("reference", a.Reference, mostQuery), checkDay(a.Date), checkCountry(a.Country))
}

type citationArguments struct {
	articleArguments
	Quote string `json:"quote" jsonschema:"les mots cités"`
}

func (a citationArguments) fault() string {
	return cmp.Or(a.articleArguments.fault(), checkText("quote", a.Quote, mostQuote))
}

type verifyArguments struct {
	Text    string `json:"text" jsonschema:"le texte à vérifier, tel qu’il est écrit : mémoire, contrat, réponse"`
	Date    string `json:"date,omitempty" jsonschema:"jour du droit, AAAA-MM-JJ ; aujourd’hui sans lui"`
	Country string `json:"pays,omitempty" jsonschema:"code du pays dont parle le texte là où il n’en nomme pas : bj, sn…"`
}

func (a verifyArguments) fault() string {
	return cmp.Or(checkText("text", a.Text, verify.MostCharacters), checkDay(a.Date), checkCountry(a.Country))
}

type coverageArguments struct{}

func (coverageArguments) fault() string { return "" }

// Question is a question and the filters of its answer.
type Question struct {
	Question string `json:"question" jsonschema:"la question, en français"`
	Date     string `json:"date,omitempty" jsonschema:"jour du droit demandé, AAAA-MM-JJ"`
	Country  string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
}

func (q Question) fault() string {
	return cmp.Or(checkText("question", q.Question, mostQuestion), checkDay(q.Date), checkCountry(q.Country))
}

// Filters returns the filters of the answer.
func (q Question) Filters() law.Filters {
	return law.Filters{Date: parseDay(q.Date), Country: parseCountry(q.Country)}
}
