package main

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// answered is an answer in JSON, for --json.
type answered struct {
	Question       string           `json:"question"`
	Date           *string          `json:"date"`
	Answer         string           `json:"answer"`
	Abstained      bool             `json:"abstained"`
	Citations      []law.Citation   `json:"citations"`
	Validation     *chat.Validation `json:"validation"`
	Certainty      *chat.Grade      `json:"certainty"`
	Probability    *float64         `json:"probability"`
	LatencyMS      *int             `json:"latency_ms"`
	Model          *string          `json:"model"`
	State          chat.State       `json:"state"`
	Error          string           `json:"error"`
	ConversationID uuid.UUID        `json:"conversation_id"`
	MessageID      uuid.UUID        `json:"message_id"`
	Reading        *refer.Reading   `json:"reading,omitempty"` // only with --explain
	Why            *why.Why         `json:"why,omitempty"`     // only with --explain
}

// printAnswer prints what follows the text of an answer, or the whole answer as JSON.
func (a *app) printAnswer(t postgres.Turn, m chat.Message, read *refer.Reading, became *why.Why) error {
	if a.json {
		out := answerOf(t, m)
		out.Reading, out.Why = read, became
		if err := writeJSON(a.out, out); err != nil {
			return err
		}
	} else if err := a.printSources(m); err != nil {
		return err
	}
	if m.State == chat.Done {
		return nil
	}
	if !a.json {
		reason := m.Error
		if reason == "" {
			reason = "La réponse a été interrompue."
		}
		fmt.Fprintln(a.always, clean(reason))
	}
	return quiet{exitFailed}
}

func answerOf(t postgres.Turn, m chat.Message) answered {
	out := answered{Question: t.Question, Answer: m.Content, Abstained: abstained(m), Citations: append([]law.Citation{}, m.Citations...),
		Validation: m.Validation, LatencyMS: m.LatencyMS, Model: m.Model, State: m.State, Error: m.Error,
		ConversationID: m.ConversationID, MessageID: m.ID}
	out.Certainty, out.Probability = m.Certainty.Fields()
	if t.Filters.Date != nil {
		day := isoDay(*t.Filters.Date)
		out.Date = &day
	}
	return out
}

// abstained reports whether the answer is an abstention, that is, cites nothing.
func abstained(m chat.Message) bool { return m.State == chat.Done && len(m.Citations) == 0 }

// printSources prints the sources of an answer, its warning and its model.
func (a *app) printSources(m chat.Message) error {
	var b strings.Builder
	if m.Content != "" {
		b.WriteString("\n")
	}
	if len(m.Citations) > 0 {
		b.WriteString("\nSources :\n")
	}
	for _, c := range m.Citations {
		fmt.Fprintf(&b, "  [%d] %s\n", c.Index, cleanLine(source(c)))
	}
	if len(m.SeeAlso) > 0 {
		b.WriteString("\nÀ lire aussi :\n")
	}
	for _, c := range m.SeeAlso {
		fmt.Fprintf(&b, "  - %s\n", cleanLine(source(c)))
	}
	if abstained(m) {
		b.WriteString("\nSans réponse : aucun texte du catalogue n’est cité.\n")
	}
	// For a failed answer, the reason is enough: the warning that it is incomplete would add
	// nothing.
	if v := m.Validation; v != nil && v.Warning != nil && *v.Warning != "" && m.State != chat.Failed {
		fmt.Fprintf(&b, "\nAttention : %s\n", clean(*v.Warning))
	}
	if m.LatencyMS != nil && m.Model != nil {
		grade := ""
		if c := m.Certainty; c != nil {
			grade = certainties[c.Grade] + ", "
		}
		fmt.Fprintf(&b, "\n(%s%s, en %s s)\n", grade, cleanLine(*m.Model), strings.Replace(fmt.Sprintf("%.2f", float64(*m.LatencyMS)/1000), ".", ",", 1))
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

// certainties are the words for how surely an answer answers.
var certainties = map[chat.Grade]string{chat.Sure: "réponse sûre", chat.Likely: "réponse possible", chat.Unsure: "réponse possible", chat.Refused: "sans réponse"}

// source formats a citation: « Code du travail, article 14, p. 5 (Loi n° 2023-04) ».
func source(c law.Citation) string {
	s := c.Title
	if r := c.Replaces; r != nil { // the amended text comes first, because the question was about it
		s = r.Title + ", article " + r.Article + " nouveau, " + r.By() + " : " + s
	}
	if c.Article != nil && *c.Article != "" {
		s += ", article " + *c.Article
	}
	if c.Page != nil {
		s += fmt.Sprintf(", p. %d", *c.Page)
	}
	if c.OfficialNumber != "" && !strings.Contains(c.Title, c.OfficialNumber) {
		s += fmt.Sprintf(" (%s n° %s)", typeName(c.DocType), c.OfficialNumber)
	}
	if c.Status == law.Repealed {
		s += " — texte abrogé"
	}
	return s
}

// typeName returns the usual French name of a text's type.
func typeName(t law.DocType) string {
	switch t {
	case law.Loi, law.Code: // a code has the number of the law that enacted it
		return "Loi"
	case law.Decret:
		return "Décret"
	case law.Arrete:
		return "Arrêté"
	case law.Circulaire:
		return "Circulaire"
	case law.Constitution:
		return "Constitution"
	}
	return string(t)
}
