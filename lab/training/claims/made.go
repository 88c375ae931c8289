package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/work/answering"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// The sets of sentences.
const (
	inFreeWords = iota
	planted     // made of these
	ofTheLaw    // sentences of the law, and what was made of them
)

var sets = []string{"in free words,", "made of these,", "of the law,"}

// row is a sentence with its signs.
type row struct {
	set         int
	id          string // of the question
	group, kind string
	true        bool
	facts       bool // its facts alone contradict it
	signs       map[string]float64
}

// add adds a sentence to rows unless it says nothing.
func add(rows []row, r row, question, answer, text string, passages []llm.Passage) []row {
	if r.signs, r.facts = answering.Signs(question, answer, text, passages); r.signs == nil {
		return rows
	}
	return append(rows, r)
}

var mark = regexp.MustCompile(`\[(\d+)`)

// written returns the sentences of an answer, and those that are made of its true ones.
func written(c *judged.Claimed) (rows []row) {
	right := c.Answer(true)
	seen := make(map[string]bool)
	for _, span := range french.Sentences(right) {
		text := right[span.Start:span.End]
		if seen[text] || !mark.MatchString(text) {
			continue
		}
		seen[text] = true
		rows = add(rows, row{set: inFreeWords, id: c.ID, group: c.Group, kind: "0", true: true}, c.Question, right, text, c.Passages)
		for _, v := range append(plant(text, c.Passages), judge.Variants(text)...) {
			if v.Kind == judge.Bound {
				v.Kind = "7"
			} else if v.True {
				continue // as it is
			}
			rows = add(rows, row{set: planted, group: c.Group, kind: v.Kind, true: v.True}, c.Question, strings.Replace(right, text, v.Text, 1), v.Text, c.Passages)
		}
	}
	if c.False != "" {
		rows = add(rows, row{set: inFreeWords, id: c.ID, group: c.Group, kind: strconv.Itoa(c.Kind)}, c.Question, c.Answer(false), c.False, c.Passages)
	}
	return rows
}

// ofLaw returns the sentences of one in so many articles of a file, and what is made of them.
func ofLaw(path string) (rows []row, err error) {
	const every, shortest, longest, least, most = 20, 200, 1500, 50, 400
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var a struct {
			ID, Jurisdiction, Number, Body string
			Title                          string `json:"text_title"`
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if chance(a.ID)%every != 0 || len(a.Body) < shortest || len(a.Body) > longest {
			continue
		}
		passages := []llm.Passage{{N: 1, Title: a.Title, Article: a.Number, Text: a.Body}}
		for _, s := range french.Sentences(a.Body) {
			text := strings.Join(strings.Fields(a.Body[s.Start:s.End]), " ")
			if len(text) < least || len(text) > most || !strings.HasSuffix(text, ".") || strings.ContainsAny(text, "«»[]*") {
				continue
			}
			for _, v := range append(plant(text, passages), judge.Variants(text)...) {
				cited := strings.TrimSuffix(v.Text, ".") + " [1]."
				rows = add(rows, row{set: ofTheLaw, group: a.Jurisdiction, kind: v.Kind, true: v.True}, "", cited, cited, passages)
			}
		}
	}
	return rows, lines.Err()
}

// chance is a number that is always the same for a text.
func chance(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum32()
}

const noun = `\pL{4,}(?: (?:de la |de l['’]|du |des |de |d['’])\pL{4,})?`

var (
	modals    = regexp.MustCompile(`\b(peut|peuvent|doit|doivent)\b`)
	subject   = regexp.MustCompile(`^((?:Oui|Non)[,.:] )?(L[ea] |L['’]|Les |Un |Une )(\pL+(?: (?:de|du|des|d['’]) ?\pL+| \pL+(?:al|el|if|ique|aire))?)\b`)
	anyNoun   = regexp.MustCompile(`(?i)\b(l[ea] |l['’])(` + noun + `)`)
	verbs     = regexp.MustCompile(`\b(est|sont|a|ont)\b`)
	condition = regexp.MustCompile(`(?i)(?:, |^| )((?:si|s['’]il|lorsque?|quand|sauf|à moins|sous réserve|à condition|en cas de|hormis)\b[^,;:.\[]*)`)
	agent     = regexp.MustCompile(`\bpar (l[ea] |l['’])(` + noun + `)`)
	negation  = regexp.MustCompile(`\b(?:ne |n['’])(\pL+)( pas)?\b`)
	opening   = regexp.MustCompile(`^(Les|Le|La|Un|Une) (\pL{4,})`)
	passive   = regexp.MustCompile(`^(L[ea]s? |L['’])([^,;:.]{3,80}?) (?:est|sont) (\pL+é)(?:e?s?) par (l[ea]s? |l['’]|un |une )([^,;:.\[]{3,80})( \[1\])?\.?$`)
	reference = regexp.MustCompile(`,? (?:prévue?s?|mentionnée?s?|visée?s?|énoncée?s?) (?:à|aux|au|par) (?:l['’]article|les articles|articles|l['’]alinéa) [^,;:.\[]*`)
	swapped   = map[string]string{"peut": "doit", "peuvent": "doivent", "doit": "peut", "doivent": "peuvent"}
	widened   = map[string]string{"Les": "Tous les ", "Un": "Tout ", "Une": "Toute ", "Le": "Seul le ", "La": "Seule la "}
)

// plant makes one thing false in a sentence, in each way that its form allows, and says it in other words where it can. Kinds
// are those of models/ in the folder.
func plant(s string, passages []llm.Passage) (out []judge.Variant) {
	const shortest = 20
	add := func(kind, text string, right bool) {
		if text != s && len(text) > shortest {
			out = append(out, judge.Variant{Kind: kind, Text: text, True: right})
		}
	}
	if m := modals.FindStringIndex(s); len(m) > 0 {
		if verb := s[m[0]:m[1]]; !strings.HasSuffix(s[:m[0]], "ne ") {
			add("6", s[:m[0]]+swapped[verb]+s[m[1]:], false)
			add("5", s[:m[0]]+"ne "+verb+" pas"+s[m[1]:], false)
		}
	} else if m := verbs.FindStringIndex(s); len(m) > 0 && !strings.HasSuffix(s[:m[0]], "y ") {
		verb := s[m[0]:m[1]]
		add("5", s[:m[0]]+map[bool]string{true: "ne ", false: "n’"}[verb[0] == 's']+verb+" pas"+s[m[1]:], false)
		if verb == "est" || verb == "sont" {
			add("13", s[:m[0]]+verb+" toujours"+s[m[1]:], false)
		}
	}
	if m := negation.FindStringSubmatchIndex(s); m != nil {
		add("4", s[:m[0]]+s[m[2]:m[3]]+strings.TrimPrefix(s[m[3]:], " pas"), false)
	}
	if m := opening.FindStringSubmatchIndex(s); m != nil {
		add("13", widened[s[m[2]:m[3]]]+s[m[4]:], false)
	}
	if m := condition.FindStringSubmatchIndex(s); m != nil {
		rest := strings.TrimLeft(strings.TrimSuffix(strings.TrimRight(s[:m[2]], " "), ",")+s[m[3]:], ", ")
		if len(rest) > 2*shortest {
			add("9", upper(rest), false)
		}
	}
	nouns := otherNouns(s, passages)
	pick := func(salt string) string { return nouns[int(chance(s+salt))%len(nouns)] }
	who := subject.FindStringSubmatchIndex(s)
	if len(nouns) > 0 {
		if who != nil {
			add("8", s[:who[4]]+upper(pick("8"))+s[who[7]:], false)
		}
		if m := agent.FindStringSubmatchIndex(s); m != nil {
			add("14", s[:m[2]]+pick("14")+s[m[5]:], false)
		}
	}
	if who != nil {
		if m := anyNoun.FindStringSubmatchIndex(s[who[7]:]); m != nil {
			add("8", s[:who[4]]+upper(s[who[7]+m[2]:who[7]+m[5]])+s[who[7]:who[7]+m[2]]+lower(s[who[4]:who[7]])+s[who[7]+m[5]:], false)
		}
	}
	if m := passive.FindStringSubmatch(s); m != nil {
		verb, what, by := strings.TrimSuffix(m[3], "é")+"e", lower(m[1])+m[2], m[4]+m[5]
		add("0", "C’est "+by+" qui "+verb+" "+what+" [1].", true)
		add("0", upper(by)+" "+verb+" "+what+" [1].", true)
		add("14", "C’est "+what+" qui "+verb+" "+by+" [1].", false)
		if len(nouns) > 0 {
			add("14", "C’est "+pick("c’est")+" qui "+verb+" "+what+" [1].", false)
		}
	}
	if shorter := reference.ReplaceAllString(s, ""); len(shorter) > 2*shortest {
		add("0", shorter, true)
	}
	return out
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// otherNouns returns the nouns with their articles that the passages cited have and the sentence has not.
func otherNouns(s string, passages []llm.Passage) (out []string) {
	cited := 1
	if m := mark.FindStringSubmatch(s); m != nil {
		cited, _ = strconv.Atoi(m[1])
	}
	said := law.Fold(s)
	for _, p := range passages {
		if p.N != cited {
			continue
		}
		for _, m := range anyNoun.FindAllStringSubmatch(p.Text, -1) {
			if found := lower(m[1]) + m[2]; !strings.Contains(said, law.Fold(m[2])) && !slices.Contains(out, found) {
				out = append(out, found)
			}
		}
	}
	return out
}
