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

// written returns what is wrong with a required text.
func written(name, value string, most int) string {
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

// id returns what is wrong with the id of a text.
func id(name, value string) string {
	if _, err := uuid.Parse(value); err != nil {
		return fmt.Sprintf("L’argument « %s » n’est pas l’identifiant d’un texte : search_articles et resolve_reference les donnent.", name)
	}
	return ""
}

// day returns what is wrong with a day that may be left out.
func day(value string) string {
	if _, err := time.Parse(time.DateOnly, value); value != "" && err != nil {
		return "L’argument « date » attend un jour de la forme AAAA-MM-JJ."
	}
	return ""
}

// ofCountry returns what is wrong with a country that may be left out.
func ofCountry(value string) string {
	if _, ok := country.Parse(value); value != "" && !ok {
		return fmt.Sprintf("L’argument « pays » ne peut pas valoir « %.40s » : coverage donne les pays.", value)
	}
	return ""
}

// ofType returns what is wrong with a type of text that may be left out.
func ofType(value string) string {
	if value != "" && !slices.Contains(law.DocTypes(), law.DocType(value)) {
		return fmt.Sprintf("L’argument « doc_type » ne peut pas valoir « %.40s ».", value)
	}
	return ""
}

// on returns a day that was checked, nil if it is left out.
func on(value string) *time.Time {
	at, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return nil
	}
	return &at
}

// countryOf returns the code of a country that was checked.
func countryOf(value string) string {
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
	return cmp.Or(written("query", a.Query, mostQuery), day(a.Date), ofCountry(a.Country), ofType(a.Type), limit)
}

type articleArguments struct {
	Document string `json:"document_id" jsonschema:"identifiant du texte"`
	Article  string `json:"article" jsonschema:"numéro de l’article : 36, 1er, L. 1224-1"`
	Date     string `json:"date,omitempty" jsonschema:"jour où l’article est lu, AAAA-MM-JJ ; aujourd’hui sans lui"`
}

func (a articleArguments) fault() string {
	return cmp.Or(id("document_id", a.Document), written("article", a.Article, mostNumber), day(a.Date))
}

type statusArguments struct {
	Document string `json:"document_id" jsonschema:"identifiant du texte"`
}

func (a statusArguments) fault() string { return id("document_id", a.Document) }

type referenceArguments struct {
	Reference string `json:"reference" jsonschema:"ce qui nomme le texte, avec ou sans article"`
	Date      string `json:"date,omitempty" jsonschema:"jour du droit demandé, AAAA-MM-JJ"`
	Country   string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
}

func (a referenceArguments) fault() string {
	return cmp.Or(written("reference", a.Reference, mostQuery), day(a.Date), ofCountry(a.Country))
}

type citationArguments struct {
	articleArguments
	Quote string `json:"quote" jsonschema:"les mots cités"`
}

func (a citationArguments) fault() string {
	return cmp.Or(a.articleArguments.fault(), written("quote", a.Quote, mostQuote))
}

type verifyArguments struct {
	Text    string `json:"text" jsonschema:"le texte à vérifier, tel qu’il est écrit : mémoire, contrat, réponse"`
	Date    string `json:"date,omitempty" jsonschema:"jour du droit, AAAA-MM-JJ ; aujourd’hui sans lui"`
	Country string `json:"pays,omitempty" jsonschema:"code du pays dont parle le texte là où il n’en nomme pas : bj, sn…"`
}

func (a verifyArguments) fault() string {
	return cmp.Or(written("text", a.Text, verify.MostCharacters), day(a.Date), ofCountry(a.Country))
}

type coverageArguments struct{}

func (coverageArguments) fault() string { return "" }

// Question is a question with what limits its answer.
type Question struct {
	Question string `json:"question" jsonschema:"la question, en français"`
	Date     string `json:"date,omitempty" jsonschema:"jour du droit demandé, AAAA-MM-JJ"`
	Country  string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
}

func (q Question) fault() string {
	return cmp.Or(written("question", q.Question, mostQuestion), day(q.Date), ofCountry(q.Country))
}

// Filters returns what limits the answer.
func (q Question) Filters() law.Filters {
	return law.Filters{Date: on(q.Date), Country: countryOf(q.Country)}
}
