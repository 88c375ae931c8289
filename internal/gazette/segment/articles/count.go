package articles

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// following is how the number of an article follows the number before it.
type following int

const (
	nextNumber  following = iota // the next number, or the same with a suffix
	beginsAnew                   // back to one, after the head of an annex or the name of a code
	beginsAgain                  // back to one, although no annex or code begins
	leavesOut                    // numbers are skipped
	comesBack                    // an earlier number
	unlike                       // lettered after plain, or not comparable
	unread                       // illegible, and assumed to be the next one
	reworded                     // any number, after « … ainsi rédigé : »
	followings
)

// candidate is a line that reads as the head of an article.
type candidate struct {
	line   int
	number string
	end    int     // byte of its text at which the head ends
	unread bool    // the number is illegible, and assumed to be the next one
	logit  float64 // log-odds of being a head, by the chain of labels
	apart  int     // how many annexes and codes have begun before it
	words  int     // how many wordings for other texts have been announced before it
	signs  []sign
}

// sign is a feature that a candidate has or lacks, beside how its number follows.
type sign int

const (
	calledNew sign = iota // « Article 6 (nouveau) », of a text that is no code
	inQuotes
	runsOn // not set apart from the line before
	worded // a new wording was announced for its number
	signs  // number of signs
)

// countHeads decides which candidates begin articles: it takes the most probable of all choices, by the
// chain's log-odds for each line and by how the chosen numbers follow one another. It also sets b.chances.
func (b *Body) countHeads(rules judgment.Judgment) map[int]heads.Head {
	all := b.candidates()
	out := map[int]heads.Head{}
	b.Chances = map[int]float64{}
	chosen := choose(rules, all) // first, because it fills in the illegible numbers that the chances depend on
	for i, p := range headChances(rules, all) {
		b.Chances[all[i].line] = p
	}
	last := ""
	for _, i := range chosen {
		last = heads.Unglue(all[i].number, last)
		out[all[i].line] = heads.Head{Line: all[i].line, Number: last, End: all[i].end}
	}
	return out
}

// choiceSums are logarithms of sums over all choices of candidates, by the forward-backward algorithm.
type choiceSums struct {
	before []float64 // over choices that end with a candidate
	after  []float64 // over choices of what follows it
	total  float64   // over all choices
}

func sumChoices(j judgment.Judgment, all []candidate) choiceSums {
	s := choiceSums{before: make([]float64, len(all)), after: make([]float64, len(all))}
	for i, c := range all {
		s.before[i] = score(j, c, nil)
		for k := max(0, i-candidateReach); k < i; k++ {
			s.before[i] = logAdd(s.before[i], s.before[k]+score(j, c, &all[k]))
		}
		s.total = logAdd(s.total, s.before[i])
	}
	for i := len(all) - 1; i >= 0; i-- {
		for k := i + 1; k < len(all) && k <= i+candidateReach; k++ {
			s.after[i] = logAdd(s.after[i], score(j, all[k], &all[i])+s.after[k])
		}
	}
	return s
}

// logAdd returns log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// headChances returns the probability of each candidate to be a head, over all choices.
func headChances(j judgment.Judgment, all []candidate) []float64 {
	s := sumChoices(j, all)
	out := make([]float64, len(all))
	for i := range all {
		out[i] = math.Exp(s.before[i] + s.after[i] - s.total)
	}
	return out
}

// choose returns the indexes of the candidates in the most probable choice. It also fills in the illegible numbers of
// the candidates in all.
func choose(j judgment.Judgment, all []candidate) []int {
	best, source := make([]float64, len(all)), make([]int, len(all))
	end, top := -1, 0.0
	for i, c := range all {
		best[i], source[i] = score(j, c, nil), -1
		for k := i - 1; k >= 0 && k >= i-candidateReach; k-- {
			if s := best[k] + score(j, c, &all[k]); s > best[i] {
				best[i], source[i] = s, k
			}
		}
		if best[i] > top {
			end, top = i, best[i]
		}
		if c.unread {
			all[i].number = "1er"
			if source[i] >= 0 {
				n, _ := heads.LeadingNumber(all[source[i]].number)
				all[i].number = strconv.Itoa(n + 1)
			}
		}
	}
	var out []int
	for i := end; i >= 0; i = source[i] {
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// candidateReach is the maximum number of candidates in a row that are passed over. A quoted law has fewer
// articles, and without a limit codes with thousands of articles would take too long.
const candidateReach = 200

// signNames are the names of signs in Judgment.Numbering.
var signNames = [signs]string{"called new", "in quotes", "runs on", "announced"}

// score returns the log-odds that c is a head, given the head before c, which is last, or nil if there is none.
func score(j judgment.Judgment, c candidate, last *candidate) float64 {
	how := c.follows(last)
	logit := c.logit
	if how == nextNumber && last != nil && len(c.signs) == 0 && c.words == last.words && hasSuffix(c.number) {
		logit = max(logit, 0)
	}
	odds := j.Trust*logit + j.Numbering[followingNames[how]]
	for _, s := range c.signs {
		if s == calledNew && how != nextNumber {
			return impossible // a wording for another text
		}
		odds += j.Numbering[signNames[s]]
	}
	return odds
}

// hasSuffix reports whether a number has a suffix: « 11 bis ». The chain knows such numbers only from wordings for other texts.
func hasSuffix(number string) bool { return strings.Contains(number, " ") && !heads.Lettered(number) }

// impossible is the log-odds of a choice that is ruled out.
const impossible = -1e6

// signsOf returns the signs of line i, which reads as a head up to byte end.
func (b *Body) signsOf(i, end int) []sign {
	var out []sign
	l := b.Lines[i]
	if !b.code && heads.MarksNew(l.Text, end) {
		out = append(out, calledNew)
	}
	if b.Quoted[i] {
		out = append(out, inQuotes)
	}
	if !line.MayHead(line.Before(b.Lines, i), l) {
		out = append(out, runsOn)
	}
	if b.awaited[i] {
		out = append(out, worded)
	}
	return out
}

// candidates returns the lines that read as heads of articles.
func (b *Body) candidates() []candidate {
	var out []candidate
	apart, words := 0, 0
	for i, l := range b.Lines {
		if i > 0 && line.Announces(b.Lines[:i]) {
			words++
		}
		if line.AnnexHead.MatchString(l.Text) && (l.Centered || l.Opens) || b.opensAnnex(i) || line.WholeCode.MatchString(l.Text) && line.AllCaps(l.Text) {
			apart++
		}
		number, end, ok := l.Article("")
		unread := false
		if m := annexedHead.FindStringSubmatch(l.Text); m != nil && b.isAnnexedHead(i) {
			number, ok = law.ArticleNumber(m[1]), true
		}
		if !ok && b.Views[i].Label == label.Article {
			var h heads.Head
			h, ok = heads.Misread(l.Text)
			number, end, unread = h.Number, h.End, h.Number == ""
		}
		if !ok {
			continue
		}
		p := b.Views[i].ArticleProb
		if p < 0 {
			p = 0.02
			if !b.Quoted[i] && line.MayHead(line.Before(b.Lines, i), l) {
				p = 0.98
			}
		}
		out = append(out, candidate{line: i, number: number, end: end, unread: unread, logit: logit(p), apart: apart, words: words, signs: b.signsOf(i, end)})
	}
	return dropAwaitedTwins(out)
}

// dropAwaitedTwins removes the candidates of a wording for another text whose number occurs again after it: an act has
// each number once, and its own numbers come after those that it quotes.
func dropAwaitedTwins(all []candidate) []candidate {
	own := map[string]int{} // by number and part, the last candidate that is not awaited
	key := func(c candidate) string { return law.ArticleKey(c.number) + "/" + strconv.Itoa(c.apart) }
	for i, c := range all {
		if !slices.Contains(c.signs, worded) && !slices.Contains(c.signs, inQuotes) && !slices.Contains(c.signs, calledNew) {
			own[key(c)] = i
		}
	}
	out := all[:0]
	for i, c := range all {
		if !slices.Contains(c.signs, worded) || own[key(c)] <= i {
			out = append(out, c)
		}
	}
	return out
}

// leastChance bounds probabilities, and so keeps their log-odds finite.
const leastChance = 0.002

func logit(p float64) float64 {
	p = min(max(p, leastChance), 1-leastChance)
	return math.Log(p / (1 - p))
}

// follows returns how the candidate's number follows the number of the head last, which is nil if there is no head
// before.
func (c candidate) follows(last *candidate) following {
	left := ""
	if last != nil {
		left = last.number
	}
	if c.unread {
		return unread
	}
	number := heads.Unglue(c.number, left)
	n, ok := heads.LeadingNumber(number)
	m, ok2 := heads.LeadingNumber(left)
	switch {
	case heads.MayFollow(number, left) && (last == nil || heads.Lettered(number) == heads.Lettered(left) || number == afterFirst):
		return nextNumber
	case last == nil:
		return leavesOut
	case (n == 1 || number == "unique") && c.apart > last.apart:
		return beginsAnew
	case c.words > last.words:
		return reworded
	case !ok || !ok2 || heads.Lettered(number) != heads.Lettered(left):
		return unlike
	case n > m:
		return leavesOut
	case n == 1:
		return beginsAgain
	}
	return comesBack
}

// afterFirst is the number after the first, « Ier », which is read as « 1er », in Roman figures.
const afterFirst = "II"

// followingNames are the names of followings in Judgment.Numbering.
var followingNames = [followings]string{"next", "anew", "again", "left out", "back", "unlike", "unread", "reworded"}

// isAnnexedHead reports whether line i, which reads « Article ANNEXE, art. 5 », is a head.
func (b *Body) isAnnexedHead(i int) bool {
	return !b.Quoted[i] && line.MayHead(line.Before(b.Lines, i), b.Lines[i])
}
