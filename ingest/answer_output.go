package main

import (
	"fmt"
	"strings"
	"time"

	"vigueur/internal/answer/why"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

// citation is a citation of an answer.
type citation = law.Citation

// answered is an answer in JSON, for --json.
type answered struct {
	Question  string  `json:"question"`
	Date      *string `json:"date"`
	Answer    string  `json:"answer"`
	Abstained bool    `json:"abstained"`
	final
	State          chat.State `json:"state"`
	Error          string     `json:"error"`
	ConversationID string     `json:"conversation_id"`
	MessageID      string     `json:"message_id"`
	Why            *why.Why   `json:"why,omitempty"` // only with --explain
}

// answered returns the answer that was heard.
func (l *listening) answered() answered {
	out := answered{Question: l.asked.Question, Answer: l.shown.String(), final: l.end,
		State: chat.Done, Error: l.failed, ConversationID: l.conversation, MessageID: l.message}
	out.Citations = append([]citation{}, out.Citations...) // not null
	if l.failed != "" {
		out.State = chat.Failed
	}
	out.Abstained = out.State == chat.Done && len(out.Citations) == 0
	if day := l.asked.Filters["date"]; day != "" {
		out.Date = &day
	}
	return out
}

// printSources prints the sources of an answer, its warning and its model.
func (a *app) printSources(m answered) error {
	var b strings.Builder
	if m.Answer != "" {
		b.WriteString("\n")
	}
	if len(m.Citations) > 0 {
		b.WriteString("\nSources :\n")
	}
	for _, c := range m.Citations {
		fmt.Fprintf(&b, "  [%d] %s\n", c.Index, terminal.Line(source(c)))
	}
	if len(m.SeeAlso) > 0 {
		b.WriteString("\nÀ lire aussi :\n")
	}
	for _, c := range m.SeeAlso {
		fmt.Fprintf(&b, "  - %s\n", terminal.Line(source(c)))
	}
	if m.Abstained {
		b.WriteString("\nSans réponse : aucun texte du catalogue n’est cité.\n")
	}
	if v := m.Validation; v != nil && v.Warning != nil && *v.Warning != "" {
		fmt.Fprintf(&b, "\nAttention : %s\n", terminal.Clean(*v.Warning))
	}
	if m.LatencyMS != nil && m.Model != nil {
		grade := ""
		if m.Certainty != nil {
			grade = certainties[*m.Certainty] + ", "
		}
		fmt.Fprintf(&b, "\n(%s%s, en %s s)\n", grade, terminal.Line(*m.Model), strings.Replace(fmt.Sprintf("%.2f", float64(*m.LatencyMS)/1000), ".", ",", 1))
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

// certainties are the words for how surely an answer answers.
var certainties = map[chat.Grade]string{chat.Sure: "réponse sûre", chat.Likely: "réponse possible", chat.Unsure: "réponse possible", chat.Refused: "sans réponse"}

// source formats a citation: « Code du travail, article 14, p. 5 (Loi n° 2023-04) ».
func source(c citation) string {
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
		kind := c.DocType
		if kind == law.Code { // a code has the number of the law that enacted it
			kind = law.Loi
		}
		s += " (" + law.CallText(kind, c.OfficialNumber, "", time.Time{}) + ")"
	}
	if c.Status == law.Repealed {
		s += " — texte abrogé"
	}
	return s
}
