// Package extractive writes answers without a language model: it quotes, word for word,
// the sentences of the found passages that best match the question. Each quotation is
// introduced by its article and text and followed by its « [n] ».
//
// It is deterministic, needs only the prompt and has no failure of its own. If the prompt
// says that nothing found answers, it says so in plain French, names the nearest texts
// for reading, and cites nothing. Unless the best article surely answers, it quotes as
// many of the first articles as it takes for one of them to answer most likely.
package extractive

import (
	"cmp"
	"context"
	_ "embed" // the weights
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
	read "vigueur/internal/search/question"
	"vigueur/internal/search/rank"
)

// Model is the id of this generator.
const Model = "extractif"

// Generator is an llm.Generator. Its fields are set once; it is safe for concurrent use.
type Generator struct {
	Lexicon *french.Lexicon
	Learned *Learned // nil means the embedded weights
}

func (g *Generator) weights() *Learned {
	if g.Learned != nil {
		return g.Learned
	}
	m, err := New()
	if err != nil {
		panic(err) // the program is broken
	}
	return m
}

// Generate writes the answer, with one call of yield per introduction and per quotation.
// Its error is that of yield or of ctx, or llm.ErrAbstained if no sentence of the
// passages answers.
func (g *Generator) Generate(ctx context.Context, p llm.Prompt, yield func(delta string) error) error {
	switch {
	case !p.Verdict.Answers():
		return abstain(p, yield)
	case !p.Verdict.Certain():
		return g.candidates(ctx, p, yield)
	}
	chosen := g.choose(p)
	if len(chosen) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	if err := yieldNotes(p, yield); err != nil {
		return err
	}
	if p.Country != "" {
		if err := yield(countryNote(p)); err != nil {
			return err
		}
	}
	return quote(ctx, joinSentences(chosen), yield)
}

// quote writes the chosen sentences, each with its introduction.
func quote(ctx context.Context, chosen []unit, yield func(string) error) error {
	for i, u := range chosen {
		if err := ctx.Err(); err != nil {
			return err
		}
		var previous *unit
		if i > 0 {
			previous = &chosen[i-1]
		}
		if err := yield(introduce(u, previous)); err != nil {
			return err
		}
		if err := yield(fmt.Sprintf("« %s » %s", u.quote(), Marks(*u.passage))); err != nil {
			return err
		}
	}
	return nil
}

// titleBefore returns the title of the text of before if p is of the same text, else "": codes
// of two countries may have one title.
func titleBefore(p, previous *llm.Passage) string {
	if p.Country != previous.Country || p.Number != previous.Number || p.Edition != previous.Edition {
		return ""
	}
	return owningTitle(*previous)
}

// yieldNotes says what of a request is not done, and which day's law is quoted if the question itself says it: of a month
// or a year it is the last day.
func yieldNotes(p llm.Prompt, yield func(string) error) error {
	q := p.Read()
	if note := undone[q.Request]; note != "" {
		if err := yield(note + " :\n\n"); err != nil {
			return err
		}
	}
	if day := q.Day; day != nil && p.Date.Equal(*day) {
		return yield("Date retenue : " + law.WriteDate(*day) + ".\n\n")
	}
	return nil
}

// countryNote returns the note that names the country whose law is quoted, and the other
// countries whose law may answer too. It precedes the quotations and cites nothing.
func countryNote(p llm.Prompt) string {
	others := ""
	if len(p.Others) > 0 {
		others = ", et des textes peuvent répondre aussi pour : " + strings.Join(p.Others, ", ")
	}
	return "Droit cité : " + p.Country + " (la " + naming(p) + others + ") :\n\n"
}

// naming says, behind « la », what the question names instead of one country.
func naming(p llm.Prompt) string {
	if comparing(p) {
		return "question nomme plusieurs pays"
	}
	return "question ne nomme pas de pays"
}

// comparing reports whether the question asks about several countries.
func comparing(p llm.Prompt) bool {
	q := p.Read()
	return q.Compares()
}

// joinSentences merges the sentences of an article into one quotation, with « […] » where
// text between them is omitted, such as the first items of a list, and on lines of their
// own where they are printed so.
func joinSentences(chosen []unit) []unit {
	var out []unit
	for _, u := range chosen {
		if n := len(out); n > 0 && out[n-1].passage == u.passage && out[n-1].quoted == u.quoted {
			previous := &out[n-1]
			gap := u.passage.Text[previous.to:max(previous.to, u.from)]
			if strings.TrimSpace(gap) != "" {
				previous.text += " […]"
			}
			if strings.Contains(gap, "\n") { // another alinéa, or another item of a list
				previous.text += "\n" + u.text
			} else {
				previous.text += " " + u.text
			}
			previous.to = max(previous.to, u.to)
			continue
		}
		out = append(out, u)
	}
	return out
}

// introduce returns the introduction of a quotation, which names its article. previous is
// the previous quotation, nil for the first.
func introduce(u unit, previous *unit) string {
	says := " dispose : "
	if u.quoted != "" {
		says = ", qui donne le texte de l’article " + u.quoted + ", dispose : "
	}
	switch {
	case previous == nil:
		return source(*u.passage, "") + says
	case previous.passage.N == u.passage.N:
		return "\nEt, pour l’article " + u.quoted + " : "
	}
	return "\n\n" + source(*u.passage, titleBefore(u.passage, previous.passage)) + says
}

//go:embed weights.json
var embeddedWeights []byte

// Learned holds the weights that choose sentences.
type Learned struct {
	Made    string        `json:"made"`
	Sources []rank.Source `json:"sources"`
	Best    Weights       `json:"best"` // by feature of a sentence; the weighted sum is its score, learned to compare sentences of one passage
}

// Weights are the weights of a linear model, by feature name.
type Weights map[string]float64

// inOrderOf returns the weights in the order of the names; 0 for a name without one.
func (w Weights) inOrderOf(names []string) []float64 {
	out := make([]float64, len(names))
	for i, name := range names {
		out[i] = w[name]
	}
	return out
}

// New returns the embedded model.
var New = sync.OnceValues(func() (*Learned, error) { return Read(embeddedWeights) })

// Read decodes a model. Errors are of kind errs.Invalid, also for a weight of an unknown
// feature.
func Read(data []byte) (*Learned, error) {
	m := new(Learned)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errs.Wrap(errs.Invalid, "extractive: the weights cannot be read", err)
	}
	if len(m.Best) == 0 {
		return nil, errs.New(errs.Invalid, "extractive: weights are missing")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Best)) {
		if !slices.Contains(featureNames[:], name) {
			return nil, errs.New(errs.Invalid, fmt.Sprintf("extractive: there is no feature %q", name))
		}
	}
	return m, nil
}

// sum returns the weighted sum of the features. It adds them in order, without fused
// operations, so that the same features give the same bits on every machine.
func sum(weights, features []float64) (total float64) {
	for i, x := range features {
		total += float64(weights[i] * x)
	}
	return total
}

// Limits of quotations. They are fixed, not learned: the amount of text that a reader
// gets.
const (
	passageLimit = 6    // passages of the prompt that are considered, best first: twice as many as candidates can be quoted
	wholeLimit   = 1200 // code points of an article that is quoted whole: a rule with its conditions and exceptions, about two screens of a telephone
)

// choose returns the units to quote, grouped by article: the rule of the first article, of
// the others that the question names with it, and of articles that the law itself relates
// to the first.
func (g *Generator) choose(p llm.Prompt) []unit {
	q, all := g.scoredUnits(p)
	if len(all) == 0 {
		return nil
	}
	bare := len(q.words) == 0 || q.bare && all[0].passage.Named
	var chosen []unit
	for i := range p.Passages {
		passage := &p.Passages[i]
		article := unitsOf(all, passage)
		if len(article) == 0 || len(chosen) > 0 && !(passage.Named && chosen[0].passage.Named) {
			continue
		}
		if !bare {
			article = byScore(article)
		}
		chosen = append(chosen, withIntroductions(rule(article))...)
	}
	if !bare {
		best := byScore(unitsOf(all, chosen[0].passage))[0]
		for _, u := range q.findRelated(best, all) {
			if !slices.ContainsFunc(chosen, func(c unit) bool { return c.passage == u.passage }) {
				chosen = append(chosen, withIntroductions(rule(byScore(unitsOf(all, u.passage))))...)
			}
		}
	}
	return inOrder(chosen)
}

// byScore returns the units by descending score.
func byScore(all []unit) []unit {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b unit) int { return cmp.Compare(b.score, a.score) })
	return out
}

// scoredUnits returns the analyzed question, and the units of the considered passages with
// their features and scores.
func (g *Generator) scoredUnits(p llm.Prompt) (question, []unit) {
	passages := p.Passages[:min(len(p.Passages), passageLimit)]
	all := make([]unit, 0, 8*len(passages))
	ends := make([]int, len(passages))
	for i := range passages {
		if !passages[i].Support && !passages[i].Apart {
			all = append(all, units(&passages[i])...)
		}
		ends[i] = len(all)
	}
	q := g.question(p, all)
	if len(q.words) == 0 {
		return q, all
	}
	for i := range all {
		all[i].cosine = q.cosine(all[i].text)
	}
	weights := g.weights().Best.inOrderOf(featureNames[:])
	start := 0
	for i, end := range ends {
		s := surroundingsOf(&passages[i], all[start:end])
		for k := start; k < end; k++ {
			all[k].features = q.features(all[k], &s)
			all[k].score = sum(weights, all[k].features[:])
		}
		start = end
	}
	return q, all
}

// withIntroductions adds to the chosen items of lists the lines that introduce them.
func withIntroductions(chosen []unit) []unit {
	for _, u := range slices.Clone(chosen) {
		if u.introduction != nil && !slices.ContainsFunc(chosen, u.introduction.same) {
			chosen = append(chosen, *u.introduction)
		}
	}
	return chosen
}

// inOrder groups the units by article, each article in its own order. An article that
// makes an exception to another comes after it.
func inOrder(chosen []unit) []unit {
	order := make(map[int]int)
	for i, u := range chosen {
		if _, known := order[u.passage.N]; !known {
			order[u.passage.N] = i
		}
	}
	for _, u := range chosen {
		for _, rule := range chosen {
			if order[u.passage.N] < order[rule.passage.N] && u.excepts(rule) && !rule.excepts(u) {
				moveBefore(order, rule.passage.N, u.passage.N)
			}
		}
	}
	slices.SortStableFunc(chosen, func(a, b unit) int {
		return cmp.Or(cmp.Compare(order[a.passage.N], order[b.passage.N]), cmp.Compare(a.at, b.at))
	})
	return chosen
}

// moveBefore moves a passage right before another one that now precedes it.
func moveBefore(order map[int]int, passage, previous int) {
	start, end := order[passage], order[previous]
	for n, pos := range order {
		if end <= pos && pos < start {
			order[n] = pos + 1
		}
	}
	order[passage] = end
}

func unitsOf(all []unit, p *llm.Passage) (out []unit) {
	for _, u := range all {
		if u.passage == p {
			out = append(out, u)
		}
	}
	return out
}

// quotable reports whether a passage is short enough to be quoted whole.
func quotable(whole []unit) bool {
	length := 0
	for _, u := range whole {
		length += utf8.RuneCountInString(u.text)
	}
	return length <= wholeLimit && whole[0].passage.Article != ""
}

// same reports whether two units are the same sentence of the same passage.
func (u unit) same(v unit) bool { return u.passage == v.passage && u.at == v.at }

// excepts reports whether a unit makes an exception to another article of the same text:
// « par dérogation à l’article 12 ».
func (u unit) excepts(rule unit) bool {
	return u.passage.Title == rule.passage.Title && rule.passage.Article != "" && exception.MatchString(u.text) &&
		slices.Contains(u.cites, rule.article)
}

// Articles are quoted until the right one is among them in enough of a hundred answers in
// which any of them is right, at most candidateLimit.
const (
	enough         = 0.85
	candidateLimit = 3
)

// articlesToQuote returns how many of the passages to quote, by their probabilities.
func articlesToQuote(passages []*llm.Passage) (n int) {
	all := 0.0
	for _, p := range passages {
		all += p.Score
	}
	for sum := 0.0; n < min(len(passages), candidateLimit) && sum < enough*all; n++ {
		sum += passages[n].Score
	}
	return max(n, 1)
}

// candidates writes the rules of the first articles that may answer.
func (g *Generator) candidates(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	best, articles := g.chooseCandidates(p)
	if len(best) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	if err := yieldNotes(p, yield); err != nil {
		return err
	}
	heading := "Réponses possibles :"
	if articles == 1 {
		heading = "Réponse possible :"
	}
	if p.Verdict.Why == decide.FalsePremise {
		heading = "L’article nommé ne donne pas ce qui est demandé ; voici ce qu’il dit, et ce qui peut répondre :"
	}
	if p.Verdict.Why == decide.DayUnsaid {
		heading = "La question est au passé et ne dit pas de quel jour est le droit demandé. De quel jour s’agit-il ? Voici ce que dit le droit d’aujourd’hui :"
	}
	names := countriesOf(best)
	several := len(names) > 1
	switch {
	case p.Country != "" && several:
		heading = strings.Replace(heading, "Réponses possibles :", "La "+naming(p)+" ; réponses possibles pour chacun de ceux-ci, "+strings.Join(names, ", ")+" :", 1)
	case p.Country != "":
		heading += "\n\n" + strings.TrimSpace(countryNote(p))
	case p.Verdict.Unplaced:
		heading = "Rien de sûr ne dit de quel pays est le premier texte cité. " + heading
	}
	if err := yield(heading); err != nil {
		return err
	}
	for i, u := range best {
		if err := ctx.Err(); err != nil {
			return err
		}
		var previous *unit
		if i > 0 && best[i-1].passage == u.passage {
			previous = &best[i-1]
		}
		text := introduce(u, previous)
		if previous == nil {
			if several && u.passage.Country != "" {
				text = "Droit cité : " + u.passage.Country + " – " + law.Small(text)
			}
			text = "\n\n" + text
		}
		if err := yield(text); err != nil {
			return err
		}
		if err := yield(fmt.Sprintf("« %s » %s", u.quote(), Marks(*u.passage))); err != nil {
			return err
		}
	}
	return nil
}

// countriesOf returns the countries of the quoted articles, in order; if there are several,
// the answer must name the country of each.
func countriesOf(quoted []unit) (names []string) {
	for _, u := range quoted {
		if c := u.passage.Country; c != "" && !slices.Contains(names, c) {
			names = append(names, c)
		}
	}
	return names
}

// onePerCountry returns the first passage of each country, in order: of a question that names
// no country and that the law of several may answer.
func onePerCountry(passages []llm.Passage) (out []*llm.Passage) {
	for i := range passages {
		p := &passages[i]
		if p.Country != "" && !slices.ContainsFunc(out, func(o *llm.Passage) bool { return o.Country == p.Country }) {
			out = append(out, p)
		}
	}
	return out
}

// chooseCandidates returns the quotations from the first passages that have any, in the
// order of the passages, and the number of passages; one of each country if the question names
// several, or none and several may answer. For a question that only names
// things, it quotes the beginnings of the passages.
func (g *Generator) chooseCandidates(p llm.Prompt) (chosen []unit, articles int) {
	q, all := g.scoredUnits(p)
	var candidates [][]unit
	var passages []*llm.Passage
	if len(p.Others) > 0 {
		passages = onePerCountry(p.Passages)
	} else {
		for i := range p.Passages {
			if !p.Passages[i].Apart {
				passages = append(passages, &p.Passages[i])
			}
		}
	}
	limit := articlesToQuote(passages)
	if len(p.Others) > 0 && comparing(p) {
		limit = min(len(passages), candidateLimit)
	}
	for _, passage := range passages {
		article := unitsOf(all, passage)
		if len(article) == 0 || len(candidates) == limit {
			continue
		}
		if len(q.words) > 0 {
			article = byScore(article)
		}
		candidates = addCandidate(candidates, inOrder(withIntroductions(rule(article))))
	}
	return joinSentences(inOrder(slices.Concat(candidates...))), len(candidates)
}

// addCandidate adds a candidate, unless another consists of the same words, as a decree and
// its annex sometimes do: the reader would get the same text twice and one candidate
// less. If one of the two is from an annex, the other is kept.
func addCandidate(candidates [][]unit, c []unit) [][]unit {
	for i, other := range candidates {
		if termsOf(other) != termsOf(c) {
			continue
		}
		if fromAnnex(other) && !fromAnnex(c) {
			candidates[i] = c
		}
		return candidates
	}
	return append(candidates, c)
}

// fromAnnex reports whether a candidate is from an annex.
func fromAnnex(c []unit) bool { return strings.HasPrefix(law.Fold(c[0].passage.Article), "annexe") }

// termsOf returns the terms of the units, in order.
func termsOf(units []unit) string {
	var terms []string
	for _, u := range units {
		terms = append(terms, u.order...)
	}
	return strings.Join(terms, " ")
}

// rule returns what is quoted of an article, whose units are sorted by score: all of it if
// it is short, else the best unit with what comes before it, from the beginning of the
// article if that fits, and then what comes after it. Nothing between them is left out.
func rule(ranked []unit) []unit {
	article := slices.Clone(ranked)
	slices.SortStableFunc(article, func(a, b unit) int { return cmp.Compare(a.at, b.at) })
	if quotable(article) {
		return article
	}
	best := slices.IndexFunc(article, ranked[0].same)
	start, end, length := best, best, utf8.RuneCountInString(article[best].text)
	fits := func(u unit) bool {
		n := utf8.RuneCountInString(u.text)
		if length+n > wholeLimit {
			return false
		}
		length += n
		return true
	}
	for start > 0 && fits(article[start-1]) {
		start--
	}
	for end+1 < len(article) && fits(article[end+1]) {
		end++
	}
	return article[start : end+1]
}

// relatedLimit is the maximum number of articles that are quoted because the law relates
// them to the first.
const relatedLimit = 2

// findRelated returns sentences of other articles, at most one of each, that the law relates
// to the best: an exception to its rule, the rule that it makes an exception to, or the
// figure for which it refers to another article.
func (q *question) findRelated(best unit, all []unit) (out []unit) {
	for _, u := range byScore(all) {
		if u.passage == best.passage || q.addedShare(u, nil) == 0 || slices.ContainsFunc(out, func(o unit) bool { return o.passage == u.passage }) {
			continue
		}
		if u.excepts(best) || best.excepts(u) || q.supplies(u, best) {
			if out = append(out, u); len(out) == relatedLimit {
				break
			}
		}
	}
	return out
}

// supplies reports whether a unit has the figure that is asked for, while the best unit
// has none and refers to its article: « le congé défini à l’article 232 ».
func (q *question) supplies(u, best unit) bool {
	return q.wanted&u.figures != 0 && q.wanted&best.figures == 0 && u.passage.Title == best.passage.Title &&
		slices.Contains(best.cites, u.article)
}

// undone are the introductions of answers to messages that want more done than the law quoted.
var undone = map[read.Request]string{
	read.Summary:     "Ce service ne résume ni ne reformule ; voici ce que disent les textes, mot pour mot",
	read.Draft:       "Ce service n’écrit ni lettre ni acte ; voici ce que les textes disent du sujet",
	read.Calculation: "Ce service ne fait pas le calcul ; voici la règle",
}

// lawless are the answers to messages that no law answers.
var lawless = map[read.Request]string{
	read.Prognosis:   "Aucun texte ne dit comment une affaire finira.",
	read.Advice:      "Ce service ne donne pas de conseil : il cite ce que les textes prévoient.",
	read.News:        "Le catalogue contient des textes, et non l’actualité ni le nom de qui exerce une fonction.",
	read.Opinion:     "Ce service n’a pas d’opinion : il cite ce que les textes prévoient.",
	read.Private:     "Le catalogue contient des textes officiels, et rien sur la vie, les biens ou les condamnations d’une personne.",
	read.Translation: "Ce service ne traduit pas.",
	read.Arithmetic:  "Ce service ne fait pas de calcul.",
	read.OtherWork:   "Ce service ne fait que citer des textes officiels.",
	read.Despair:     "Parlez-en tout de suite à un proche, à un médecin ou aux secours : aucun texte de loi ne répond à cela.",
}

// abstain writes that nothing found answers: what was understood of the question, which
// texts are near, and what to ask instead.
func abstain(p llm.Prompt, yield func(string) error) error {
	q := p.Read()
	near, nor := nearest(p.Passages, len(q.AskedCountries()) > 0), ""
	if len(near) == 0 {
		nor = ", ni aucun qui en soit assez proche pour être nommé"
	}
	sentences := []string{cmp.Or(lawless[q.Request], "Je n’ai trouvé dans le catalogue aucun texte qui réponde à cette question"+nor+".")}
	if not, _, undone := strings.Cut(undone[q.Request], " ;"); undone {
		sentences = append([]string{not + "."}, sentences...)
	}
	if len(p.Missing) > 0 {
		sentences = append(sentences, "Le catalogue n’a pas le texte demandé : "+strings.Join(p.Missing, " ; ")+".")
	}
	if subject := understood(q); subject != "" {
		sentences = append(sentences, "J’ai cherché : "+subject+".")
	}
	if q.Own && q.Request != read.Despair {
		sentences = append(sentences, "Pour un avis sur votre situation, adressez-vous à un avocat ou à un service d’aide juridique.")
	}
	for i, s := range sentences {
		if i > 0 {
			s = " " + s
		}
		if err := yield(s); err != nil {
			return err
		}
	}
	if len(near) > 0 && !q.Request.Lawless() {
		if err := yield("\n\nLes textes les plus proches, à lire sans certitude d’y trouver la réponse : " + strings.Join(near, " ; ") + "."); err != nil {
			return err
		}
	}
	return yield("\n\n" + advice(p, q))
}

// understood returns what the search was bound to: the countries, the day and the earlier
// question; "" if it was bound to nothing.
func understood(q read.Question) string {
	var parts []string
	for _, c := range q.AskedCountries() {
		if name := country.Name(c); name != "" {
			parts = append(parts, name)
		}
	}
	if len(parts) > 0 {
		parts = []string{"le droit de ce pays (" + strings.Join(parts, ", ") + ")"}
	}
	if q.Day != nil {
		parts = append(parts, "le droit en vigueur le "+q.Day.Format("02/01/2006"))
	}
	if q.Earlier != "" {
		parts = append(parts, "à la suite de votre question précédente")
	}
	return strings.Join(parts, " ; ")
}

// advice returns what to ask instead, which depends on why nothing answers.
func advice(p llm.Prompt, q read.Question) string {
	switch {
	case q.Request == read.Despair:
		return "Vous n’êtes pas seul."
	case p.Verdict.Why == decide.NotFrench:
		return "Posez la question en français."
	case p.Verdict.Why == decide.NoLaw:
		return "Demandez ce qu’un texte prévoit : une condition, un délai, une peine, une autorité, une procédure."
	case p.Verdict.Why == decide.TextAbsent || len(p.Missing) > 0:
		return "Vérifiez le numéro et la date du texte, ou posez la question sans le nommer."
	case p.Verdict.Why == decide.OtherCountry:
		return "Le catalogue ne semble rien avoir de ce pays à ce sujet : posez la question pour un autre pays, ou nommez un texte."
	case len(q.AskedCountries()) == 0:
		return "Précisez le pays, le texte ou l’article, ou posez la question avec les mots de la loi."
	}
	return "Précisez le texte ou l’article, ou posez la question avec les mots de la loi."
}

// nearestLimit is the maximum number of texts that an abstention names.
const nearestLimit = 3

// nearest names the texts that are worth reading although nothing answers; placed ones alone if the law of a country is asked about.
func nearest(passages []llm.Passage, placed bool) []string {
	var names []string
	seen := make(map[string]bool)
	for _, p := range passages {
		if p.Apart || !p.Readable || placed && p.Home == "" || seen[owningTitle(p)] || len(names) == nearestLimit {
			continue
		}
		seen[owningTitle(p)] = true
		name := law.Within(owningTitle(p))
		if p.Article != "" {
			name += ", " + strings.TrimPrefix(law.Small(articleName(p)), "l’")
		}
		names = append(names, name)
	}
	return names
}
