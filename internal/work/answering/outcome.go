package answering

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/answer/prompt"
	"vigueur/internal/answer/why"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// Warnings about an answer as a whole; Check warns of single sentences.
const (
	warnNothing = "Aucun texte du catalogue ne répond à cette question."
	warnUnsure  = "Il n’est pas sûr que les articles cités répondent à la question."
	warnUndated = "La question est au passé et ne dit pas de quel jour : la réponse est celle du droit d’aujourd’hui."
	warnCut     = "La réponse a été interrompue avant la fin."
	warnLeft    = "Ce que le modèle écrivait à la place de " + leftOut + " n’est pas ce que disent les textes."
)

// excerptLimit is the maximum length in bytes of an excerpt that quotes no sentence.
const excerptLimit = 400

// outcome returns the answer as it is stored.
func (j *job) outcome(state chat.State) postgres.Outcome {
	o := postgres.Outcome{State: state, Content: j.text.String(), Model: j.Model,
		ChunkEnds: j.stream.ChunkEnds(context.Background()),
		LatencyMS: int((j.Waited + time.Since(j.began)).Milliseconds())}
	o.Citations = cite(o.Content, j.found.Result)
	if len(o.Citations) > 0 && j.found.Written == nil {
		o.SeeAlso = seeAlso(o.Citations, j.found.Result)
	}
	o.Validation = j.validate(o, state)
	o.Certainty = j.certainty(o.Citations)
	o.Why = j.why(o.Citations)
	return o
}

// why returns the explanation of the answer as it is stored, nil if nothing was searched.
func (j *job) why(citations []law.Citation) []byte {
	if j.looked.Day.IsZero() || j.looked.Asked == nil {
		return nil
	}
	return why.Of(*j.looked.Asked, &j.looked, j.search, citations, why.Writer{Model: j.Model, Instead: strings.TrimSpace(j.fallbackLead), Again: j.again, Remarks: j.remarks}).Pack()
}

// answeredOdds is by how much it raises the odds that an answer is right, over those of the search, that a model did not say that
// nothing answers: the cautious end of what was counted on 96 requests (scripts/eval model), of readers as strong models are.
const answeredOdds = 3.4

// The least probabilities of the grades of an answer of a model.
const (
	leastSure   = 0.95
	leastLikely = 0.70
)

// written returns the verdict on an answer that a model wrote from what the search found. What the search does not find by
// its evidence stays as it was.
func (j *job) written(v decide.Verdict) decide.Verdict {
	if !j.judged() || j.found.Written != nil || j.fallbackLead != "" || v.Why != decide.ByEvidence {
		return v
	}
	factor := answeredOdds * learned.Odds.Held
	switch {
	case j.left > 0:
		factor = answeredOdds * learned.Odds.Left
	case j.doubted:
		factor = answeredOdds * learned.Odds.Open
	}
	v.Probability = v.Probability * factor / (1 - v.Probability + v.Probability*factor)
	switch {
	case v.Probability >= leastSure && v.Grade >= decide.Likely && !j.again && !j.doubted:
		v.Grade = decide.Sure
	case v.Probability >= leastLikely:
		v.Grade = decide.Likely
	default:
		v.Grade = decide.Unsure
	}
	return v
}

// certainty returns how surely the answer answers: as the search found, except that an
// answer without a citation answers nothing, one with a citation is not refused, and one
// that cites words of a later day is unsure. It returns nil if no question was asked or
// nothing was searched.
func (j *job) certainty(citations []law.Citation) *chat.Certainty {
	v := j.found.Verdict
	if j.looked.Day.IsZero() || v.Why == decide.NoQuestion {
		return nil
	}
	if len(citations) == 0 {
		return &chat.Certainty{Grade: chat.Refused, Probability: v.Probability}
	}
	if len(consolidatedLater(citations, j.found.Result)) > 0 {
		return &chat.Certainty{Grade: chat.Unsure, Probability: v.Probability}
	}
	v = j.written(v.AtLeastUnsure())
	if j.left > 0 && v.Grade == decide.Sure {
		v.Grade = decide.Likely
	}
	return &chat.Certainty{Grade: map[decide.Grade]chat.Grade{decide.Unsure: chat.Unsure, decide.Likely: chat.Likely, decide.Sure: chat.Sure}[v.Grade],
		Probability: v.Probability}
}

func (j *job) validate(o postgres.Outcome, state chat.State) chat.Validation {
	var warnings []string
	switch {
	case state == chat.Cancelled, j.cut:
		warnings = append(warnings, warnCut)
	case j.found.Written != nil:
		warnings = append(warnings, j.found.Written.Warnings...)
	case !j.found.Verdict.Answers() && len(o.Citations) == 0:
		warnings = append(warnings, warnNothing)
	}
	if j.left > 0 {
		warnings = append(warnings, warnLeft)
	}
	if len(o.Citations) > 0 || j.found.Verdict.Answers() && state == chat.Done {
		warnings = append(warnings, warnRepealed(o.Citations, j.found.Result)...)
		warnings = append(warnings, consolidatedLater(o.Citations, j.found.Result)...)
		if v := Check(j.withoutNotes(o.Content), j.Question, prompt.Passages(&j.found.Result)); v.Warning != nil {
			j.doubted = true
			warnings = append(warnings, *v.Warning)
		}
	}
	v := j.written(j.found.Verdict.AtLeastUnsure())
	switch {
	case len(o.Citations) == 0:
	case v.Why == decide.DayUnsaid:
		warnings = append(warnings, warnUndated)
	case v.Doubtful():
		warnings = append(warnings, warnUnsure)
	}
	if len(warnings) == 0 {
		return chat.Validation{OK: true}
	}
	all := strings.Join(warnings, " ")
	return chat.Validation{Warning: &all}
}

// failure returns the outcome of a failed answer. It keeps the text that was streamed, so
// that the event numbers stay valid for a reader who resumes.
func (j *job) failure(err error) postgres.Outcome {
	cut := warnCut
	return postgres.Outcome{State: chat.Failed, Error: errs.Public(err), Model: j.Model, Content: j.text.String(),
		ChunkEnds: j.stream.ChunkEnds(context.Background()), Validation: chat.Validation{Warning: &cut},
		LatencyMS: int((j.Waited + time.Since(j.began)).Milliseconds())}
}

// cite makes a citation of each number that the text cites, in the order of first use. cite
// ignores numbers that no source has.
func cite(text string, found retrieve.Result) []law.Citation {
	citations, seen := []law.Citation{}, map[int]bool{}
	for _, m := range marks.FindAllStringSubmatchIndex(text, -1) {
		n, err := strconv.Atoi(text[m[2]:m[3]])
		if err != nil || n < 1 || n > len(found.Hits) || seen[n] {
			continue
		}
		seen[n] = true
		citations = append(citations, citation(n, found.Hits[n-1], quoteBefore(text[:m[0]])))
	}
	return citations
}

// readAlso is the maximum number of articles that an answer cites and points to.
const readAlso = 4

// seeAlso returns the best of the articles that the answer does not cite and that may be worth
// reading, as citations without a number.
func seeAlso(cited []law.Citation, found retrieve.Result) (out []law.Citation) {
	for _, h := range found.Hits {
		quoted := slices.ContainsFunc(cited, func(c law.Citation) bool { return c.ArticleID != nil && *c.ArticleID == h.Article.ID })
		if len(cited)+len(out) < readAlso && !quoted && !h.Support && h.Readable {
			out = append(out, citation(0, h, ""))
		}
	}
	return out
}

// quoteBefore returns the quotation « … » at the end of a text, where white space and
// punctuation after it are ignored; "" if the text does not end with a quotation.
func quoteBefore(text string) string {
	const space = " \u00a0\u202f\n"
	end, ok := strings.CutSuffix(strings.TrimRight(text, space+".,;"), "»")
	open := strings.LastIndex(end, "«")
	if !ok || open < 0 {
		return ""
	}
	return strings.Trim(end[open+len("«"):], space)
}

func citation(n int, h retrieve.Hit, quote string) law.Citation {
	if quote == "" {
		quote = law.Beginning(h.Passage.Text, excerptLimit)
	}
	page, regions, _ := h.Locate(quote)
	c := law.Citation{Index: n, DocumentID: h.Document.ID, ArticleID: &h.Article.ID, Title: h.Document.Title,
		DocType: h.Document.Type, OfficialNumber: h.Document.OfficialNumber, Status: h.Document.Status,
		Page: &page, Regions: regions, Excerpt: quote, Score: h.Score, RepealedBy: h.Document.RepealedBy, Relations: h.Relations,
		URL: fmt.Sprintf("/api/v1/documents/%s/file#page=%d", h.Document.ID, page)}
	for _, code := range h.Countries {
		c.Countries = append(c.Countries, string(code))
	}
	if h.Article.Number != "" {
		c.Article = &h.Article.Number
	}
	if as := h.Document.AsOf; as != nil && h.Assembled == nil {
		c.AsOf = as.Format(time.DateOnly)
	}
	if w := h.Article.Wording; w != nil { // the new words are printed in the amending article
		c.Article, c.Replaces = &w.WithinNumber, w.Replaced()
	}
	return c
}

// warnRepealed warns of cited articles that are not in force on the day asked about.
func warnRepealed(citations []law.Citation, found retrieve.Result) (warnings []string) {
	for _, c := range citations {
		h := found.Hits[c.Index-1]
		if h.To != nil && !found.Day.Before(*h.To) {
			warnings = append(warnings, fmt.Sprintf("La source [%d] n’est plus en vigueur depuis le %s.", c.Index, h.To.Format("02/01/2006")))
		}
	}
	return warnings
}

// consolidatedLater warns of cited articles whose words are those of a consolidated edition
// as of a day after the day asked about: what acts changed in between is in these words, and
// nothing tells which. The wording that an act made has a day of its own.
func consolidatedLater(citations []law.Citation, found retrieve.Result) (warnings []string) {
	for _, c := range citations {
		h := found.Hits[c.Index-1]
		if time := h.Document.AsOf; h.Assembled == nil && h.Document.LaterThan(found.Day) {
			warnings = append(warnings, fmt.Sprintf("La source [%d] est une version consolidée au %s, et l’état du texte au %s n’est pas connu.",
				c.Index, time.Format("02/01/2006"), found.Day.Format("02/01/2006")))
		}
	}
	return warnings
}
