package read

import (
	_ "embed" // the short names
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
)

// production is a way to name a text or articles.
type production struct {
	name    string
	printed bool            // whether laws name texts so; the others are only typed
	begins  map[string]bool // words with which it begins; nil: any
	read    func(r *reader, at int) []Reference
}

// productions lists all ways to name the law, the surest first: what one has read is not read again by the next.
var productions = sync.OnceValue(func() []production {
	kinds := "loi lois ordonnance ordonnances decret decrets arrete arretes arretee arretees circulaire circulaires dahir dahirs instruction instructions " +
		"directive directives decision decisions deliberation deliberations reglement reglements avis note notes"
	titled := " acte actes traite traites charte chartes convention conventions protocole protocoles"
	return []production{
		{"articles", true, set("art articles article arts"), (*reader).articles},
		{"code", true, set("code"), (*reader).code},
		{"constitution", true, set("constitution"), (*reader).constitution},
		{"signed", true, set(kinds + titled + " code codes"), (*reader).signed},
		{"branch", false, set("convention"), (*reader).branch},
		{"listed", false, set("idcc"), (*reader).listed},
		{"short name", false, nil, (*reader).shortName},
		{"lettered", false, set("l r d lp lo"), (*reader).lettered},
		{"unsigned", false, set(kinds), (*reader).unsigned},
		{"alone", false, set("n numero"), (*reader).signedAlone},
		{"number", false, set("0"), (*reader).numberAlone},
		{"dated", false, set(kinds + titled), (*reader).dated},
		{"yeared", false, set(kinds), (*reader).yeared},
		{"about", false, set(kinds + titled), (*reader).about},
		{"annex", false, set("annexe"), (*reader).annex},
	}
})

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// one returns the reference to a place, if it is free.
func (r *reader) one(start, end int, ref Reference) []Reference {
	if !r.take(start, end) {
		return nil
	}
	ref.Start, ref.End = int(r.source[start]), r.ending(end)
	return []Reference{ref}
}

// number returns the number of a text that stands between two places.
func (r *reader) number(start, end int) string {
	written := r.written(start, end)
	if year, rest, parted := strings.Cut(strings.TrimSpace(written), " "); parted && !strings.ContainsFunc(written, law.Dash) {
		return law.TextNumber(year + "-" + rest) // « 2023 07 »
	}
	return law.TextNumber(written)
}

// articles reads « article 14 », « art. 26 bis et 28 », « articles 3 à 7 (nouveaux) ».
func (r *reader) articles(start int) []Reference {
	m := r.match("articles", start)
	if m == nil {
		return nil
	}
	several := m[2] >= 0 || m[4] >= 0
	var ref Reference
	end, joint := m[1], ""
	pos := end
	for {
		number, next := r.article(pos)
		if next < 0 || len(ref.Articles) > 0 && (r.match("ordinal", pos) != nil || !strings.ContainsAny(number, "0123456789") && strings.ContainsAny(ref.Articles[0], "0123456789")) {
			break // « article 621, 2ème alinéa », « articles 3 et 4. II. – … »
		}
		if n := len(ref.Articles); n > 0 && (joint == "a" || joint == "au") {
			known := r.inRange(ref.Articles[n-1], number)
			ref.Articles = append(ref.Articles, known...)
		}
		end = next
		ref.Articles = append(ref.Articles, number)
		if p := r.match("point", end); p != nil && r.written(p[2], p[3]) == strings.ToUpper(r.written(p[2], p[3])) { // « 79-IV »
			ref.Parts, end = append(ref.Parts, number), p[3]
		} else if p := r.match("part", end); p != nil && !r.namesText(p[0], p[1]) {
			if !strings.HasPrefix(strings.TrimLeft(r.folded[p[0]:p[1]], " ("), "nouve") {
				ref.Parts = append(ref.Parts, number)
			}
			end = p[1]
		}
		s := r.match("among", end)
		if aged := r.match("aged", end); aged != nil { // « articles 5 ancien et 6 nouveau »
			s = r.match("among", aged[1])
		}
		if s == nil {
			break
		}
		joint, pos = strings.TrimSpace(strings.TrimRight(r.folded[s[0]:s[1]], " n@")), s[1]
	}
	if len(ref.Articles) == 0 {
		return nil
	}
	if several && len(ref.Articles) == 1 { // « articles 36-38 »: the word is in the plural
		ref.Articles = r.spread(ref.Articles[0])
	}
	if n := r.match("new", end); n != nil {
		end = n[1]
	}
	if s := r.match("self", end); s != nil {
		ref.Self, end = true, s[1]
	} else if s := r.match("same", end); s != nil {
		ref.Same, end = true, s[1]
	}
	return r.one(start, end, ref)
}

// namesText reports whether brackets behind an article hold the name of a text: « article 36 (code du travail) ».
func (r *reader) namesText(start, end int) bool {
	words := strings.TrimLeft(r.folded[start:end], " ")
	return strings.HasPrefix(words, "(") && namesBegin[r.wordAt(end-len(words)+1)]
}

// goesOn are words that stand behind a number without a blank, where one was lost.
var goesOn = set("et ou du de des au aux la le les ci")

var namesBegin = set("code loi decret ordonnance constitution arrete c dahir acte")

// article reads the number of an article at a place, and returns the place behind it, -1 if there is none. Whatever is written
// in one with the number belongs to it, so that no other article is meant: « 26x ».
func (r *reader) article(pos int) (number string, end int) {
	m := r.match("article", pos)
	if m == nil || r.folded[pos] == 'a' && r.text[r.source[pos]]|0x20 != 'a' { // « à 100 »
		return r.otherArticle(pos)
	}
	end = m[1]
	if c := r.after(end); c != 0 && digit(r.folded[end-1]) && !goesOn[r.wordAt(end)] && (asciiWord(c) || c == '/' && digit(r.after(end+1))) {
		for asciiWord(r.after(end)) || r.after(end) == '/' {
			end++
		}
	} else if next := end + 1; (c == ' ' || c == '-') && r.capital(next) {
		end = next + 1 // « 5 A », « 199-B »
	}
	return law.ArticleNumber(r.written(pos, end)), end
}

// otherArticle reads a Roman number, which only capitals tell from a word, or what people type: « article deux ».
func (r *reader) otherArticle(pos int) (number string, end int) {
	if m := r.match("roman", pos); m != nil {
		written := r.written(m[0], m[1])
		if letters, _, _ := strings.Cut(strings.NewReplacer("-", " ", "(", " ", ".", " ").Replace(written), " "); letters == strings.ToUpper(letters) && r.after(m[1]) != '\'' {
			return law.ArticleNumber(written), m[1]
		}
	}
	if m := r.match("spelled", pos); m != nil && r.typed {
		if value := french.Terms(r.written(m[0], m[1])); len(value) == 1 {
			if suffix := r.match("inserted", m[1]); suffix != nil { // « douze bis »
				return law.ArticleNumber(value[0] + r.written(suffix[0], suffix[1])), suffix[1]
			}
			return law.ArticleNumber(value[0]), m[1]
		}
	}
	return "", -1
}

// after returns the byte at a place, 0 at the end.
func (r *reader) after(pos int) byte {
	if pos < len(r.folded) {
		return r.folded[pos]
	}
	return 0
}

// capital reports whether a capital letter stands alone at a place.
func (r *reader) capital(pos int) bool {
	next := r.after(pos + 1)
	return pos < len(r.folded) && !wordByte(next) && next != '\'' && next != '.' && r.text[r.source[pos]] >= 'A' && r.text[r.source[pos]] <= 'H'
}

// spread returns the articles of « articles 36-38 », where the two are a range and no number of one article.
func (r *reader) spread(number string) []string {
	first, last, two := strings.Cut(number, "-")
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(last)
	if !two || errA != nil || errB != nil || b <= a {
		return []string{number}
	}
	first = law.ArticleNumber(first)
	return append(append([]string{first}, r.inRange(first, last)...), last)
}

// inRange returns the numbers strictly between two numbers: for « 3 » and « 7 » these are 4, 5 and 6; for « L. 12-1 » and
// « L. 12-4 » they are L. 12-2 and L. 12-3. It returns none if the two differ in more than their last number, or if they
// are too many.
func (r *reader) inRange(source, target string) (out []string) {
	a, x, okA := counted(source)
	b, y, okB := counted(target)
	if !okA || !okB || a != b || y-x > min(rangeLimit, r.room) {
		return nil
	}
	for n := x + 1; n < y; n++ {
		out = append(out, a+strconv.Itoa(n))
	}
	r.room -= len(out)
	return out
}

// counted splits a number into its last group of digits, as a value, and what precedes it; « 1er » has the value 1.
func counted(number string) (left string, n int, ok bool) {
	number = strings.TrimSuffix(number, "er")
	i := len(number)
	for i > 0 && digit(number[i-1]) {
		i--
	}
	n, err := strconv.Atoi(number[i:])
	return number[:i], n, err == nil
}

// lettered reads articles of codes that are named without the word « article »: « L. 1224-1 ».
func (r *reader) lettered(start int) []Reference {
	number, end := r.article(start)
	if end < 0 || !strings.Contains(number, "-") || !strings.ContainsAny(number, "0123456789") {
		return nil
	}
	return r.one(start, end, Reference{Articles: []string{number}})
}

// annex reads « annexe 2 », « annexe II »; letters and Roman numbers are capitals.
func (r *reader) annex(start int) []Reference {
	m := r.match("annex", start)
	if m == nil || strings.ToUpper(r.written(m[2], m[3])) != r.written(m[2], m[3]) {
		return nil
	}
	return r.one(start, m[1], Reference{Articles: []string{"Annexe " + r.written(m[2], m[3])}})
}

// countryOnly reports whether words are the name of a country, or none.
func countryOnly(words string) bool {
	terms, countries := country.Content(words)
	return strings.TrimSpace(words) == "" || len(terms) == 0 && len(countries) > 0
}

// code reads the name of a code: « code du travail », « code béninois de procédure pénale », « code pénal ». Where a sentence
// goes on behind it, the name may be too long.
func (r *reader) code(start int) []Reference {
	m := r.match("code", start)
	if m == nil || !countryOnly(r.folded[m[2]:m[3]]) {
		return nil
	}
	end := m[1]
	for i := start; i < end; i++ {
		if r.taken[i] { // the number of an article, or « article » behind the name
			end = i
		}
	}
	end = m[3] + len(codeName(r.folded[m[3]:end]))
	if end <= m[3]+1 {
		return nil
	}
	title := strings.ToLower(strings.Join(strings.Fields("code"+r.written(m[3], end)), " "))
	return r.pinpointed(start, end, Reference{Type: law.Code, Title: title})
}

// edition reads the year behind the name of a code or a constitution, and whether the name is that of a draft. It returns the
// end of the name.
func (r *reader) edition(start, end int, ref *Reference) int {
	if !r.typed {
		return end
	}
	ref.Draft = expression("draft").MatchString(r.folded[max(0, start-draftRoom):start])
	if m := r.match("edition", end); m != nil {
		words := strings.Fields(r.folded[start:m[3]])
		last := words[len(words)-1]
		if timed[last] || law.MonthOf(last[strings.LastIndexByte(last, '-')+1:]) != 0 || m[2] != m[3] && !countryOnly(r.folded[m[2]:m[3]]) || strings.HasPrefix(r.folded[m[1]:], " a ") {
			return end
		}
		ref.Year, _ = strconv.Atoi(r.folded[m[4]:m[5]]) // four digits
		end = m[1]
	}
	return end
}

// draftRoom is a length in bytes that is larger than any words for a draft.
const draftRoom = 40

// timed are words before a year that is no part of a name.
var timed = set("en avant apres depuis vers jusqu'en fin debut courant annee l'annee pendant")

// pinpointed returns the reference to a code with the number behind its name, if there is one: « C. trav., 36 ». A year is none.
func (r *reader) pinpointed(start, end int, code Reference) []Reference {
	end = r.edition(start, end, &code)
	m := r.match("pinpoint", end)
	if m == nil || !r.typed || yearOf(r.folded[m[2]:m[3]]) != 0 {
		return r.one(start, end, code)
	}
	code.Name = strings.TrimSpace(r.written(start, end))
	code.Articles = []string{law.ArticleNumber(r.written(m[2], m[3]))}
	return r.one(start, m[3], code)
}

// afterCode are the words that end the name of a code in a sentence: « le code du travail est modifié », « le code du travail
// relatif … ».
var afterCode = set(`est sont a ont relatif relatifs relative relatives dans par pour sur qui que dont ne peut peuvent sera seront modifie modifiee
	susvise precite promulgue entre comporte approuve annexe promulguee mentionne vise s'applique s'appliquent prevoit fixe ainsi notamment tel ou il
	telles doit doivent avant apres lorsque si n'est portant applicable applicables sauf sans sous comme selon tout toute institue demeure demeurent reste restent
	dispose definit regit interdit impose lequel alinea alineas premier deuxieme paragraphe chapitre titre livre section et en au aux le la les un une avec`)

// joins are words that no name ends with.
var joins = set("de d du des la le les l et a au aux")

// withCode are the words that continue the name of a code after « et »: « code des pensions civiles et militaires ».
var withCode = set("militaires de des du d'arbitrage commerciale sociale administrative fiscales familiale")

// codeName returns the name of a code at the beginning of folded words, without the word « code ».
func codeName(words string) string {
	fields, pos := strings.Fields(words), 0
	for i, f := range fields {
		start := pos + strings.Index(words[pos:], f)
		if i > 0 && !(f == "la" && fields[i-1] == "de" && (i == 1 || fields[i-2] == "et")) && !(f == "et" && i+1 < len(fields) && withCode[fields[i+1]]) && afterCode[f] {
			words = words[:start]
			break
		}
		pos = start + len(f)
	}
	for words = strings.TrimRight(words, " ,;'-"); ; words = strings.TrimRight(words[:len(words)-len(fields[len(fields)-1])], " ,;'-") {
		if fields = strings.FieldsFunc(words, func(c rune) bool { return c == ' ' || c == '\'' }); len(fields) < 2 || !joins[fields[len(fields)-1]] {
			return words
		}
	}
}

func (r *reader) constitution(start int) []Reference {
	if m := r.match("constitution", start); m != nil {
		ref := Reference{Type: law.Constitution, Title: "constitution"}
		return r.one(start, r.edition(start, m[1], &ref), ref)
	}
	return nil
}

// signed reads a kind and a number after « n° », with up to two words between them when typed: « la loi sénégalaise n°
// 2020-12 ». Behind a kind in the plural further numbers may follow: « lois n°s 2010-05 et 2011-06 ».
func (r *reader) signed(start int) []Reference {
	m := r.match("signed", start)
	if m == nil {
		return nil
	}
	kind := r.folded[m[2]:m[3]]
	if !r.typed && (m[4] != m[5] || law.TypeOf(kind) == "") {
		return nil
	}
	end, first := m[7], Reference{Type: law.TypeOf(kind), Number: r.number(m[6], m[7])}
	end = r.dateBehind(end, &first)
	out := r.one(start, end, first)
	if len(out) == 0 || !strings.HasSuffix(strings.Fields(kind)[0], "s") {
		return out
	}
	// A number with a single group of digits counts only after « n° », or after « n°s »: it may otherwise count something
	// else (« les lois n° 2010-05 et 30 jours »).
	plain := strings.HasSuffix(strings.TrimRight(r.folded[m[5]:m[6]], ". "), "s")
	for {
		f := r.match("further", end)
		if f == nil {
			return out
		}
		number := r.folded[f[4]:f[5]]
		if f[2] < 0 && !plain && !strings.ContainsAny(number, "-/") {
			return out
		}
		next := Reference{Type: first.Type, Number: r.number(f[4], f[5])}
		end = r.dateBehind(f[5], &next)
		out = append(out, r.one(f[4], end, next)...)
	}
}

// dateBehind reads the date behind the number of a text, and returns its end.
func (r *reader) dateBehind(end int, ref *Reference) int {
	if d := r.match("day", end); d != nil {
		if day, next := r.day(d[1]); next > 0 {
			ref.Date = day
			return next
		}
	}
	return end
}

// day reads a date at a place, and returns the place behind it, 0 if there is none.
func (r *reader) day(pos int) (time.Time, int) {
	start := int(r.source[pos])
	day, first, n, ok := law.FindDate(r.text[start:min(len(r.text), start+dateRoom)])
	if !ok || first > 0 {
		return day, 0
	}
	return day, r.place(start + n)
}

// dateRoom is a length in bytes that is larger than any written date.
const dateRoom = 48

// place returns the place in the folded text of what begins at a place of the text.
func (r *reader) place(pos int) int {
	begin, _ := slices.BinarySearch(r.source, int32(pos))
	return begin
}

// unsigned reads a number of two or more groups after the kind of a text, with at most a country between them.
func (r *reader) unsigned(start int) []Reference {
	m := r.match("unsigned", start)
	if m == nil || !countryOnly(r.folded[m[4]:m[5]]) {
		return nil
	}
	ref := Reference{Type: law.TypeOf(r.folded[m[2]:m[3]]), Number: r.number(m[6], m[7])}
	return r.one(start, r.dateBehind(m[7], &ref), ref)
}

// signedAlone reads a number without a kind: « n° 2023-07 ».
func (r *reader) signedAlone(start int) []Reference {
	if m := r.match("alone", start); m != nil {
		return r.one(start, m[1], Reference{Number: r.number(m[2], m[3])})
	}
	return nil
}

// numberAlone reads a number without a kind and « n° »: « 2023-07 ».
func (r *reader) numberAlone(start int) []Reference {
	if start > 0 && (wordByte(r.folded[start-1]) || strings.IndexByte("-/.", r.folded[start-1]) >= 0) {
		return nil
	}
	end := start
	for end < len(r.folded) && (wordByte(r.folded[end]) || r.folded[end] == '-' || r.folded[end] == '/') {
		end++
	}
	for _, t := range french.Analyze(r.written(start, end)) {
		if t.Kind == french.Text && t.Start == 0 {
			end = r.place(int(r.source[start]) + t.End)
			return r.one(start, end, Reference{Alone: true, Number: r.number(start, end)})
		}
	}
	return nil
}

// dated reads a text that is named by its date: « l'arrêté du 10 septembre 2004 ».
func (r *reader) dated(start int) []Reference {
	m := r.match("dated", start)
	if m == nil || !countryOnly(r.folded[m[4]:m[5]]) {
		return nil
	}
	day, end := r.day(m[1])
	if end == 0 {
		return nil
	}
	return r.one(start, end, Reference{Type: law.TypeOf(r.folded[m[2]:m[3]]), Date: day})
}

// yeared reads a text that is named by its year: « la loi béninoise de 2024 contre l'usure ». Its subject may follow. A finance
// law is named by the year that it is for, which is in its title. Without the definite article or in the plural (« une loi
// de 2024 », « les lois de 2024 ») none is named for certain.
func (r *reader) yeared(start int) []Reference {
	m := r.match("yeared", start)
	if m == nil || !countryOnly(r.folded[m[4]:m[5]]) {
		return nil
	}
	kind := r.folded[m[2]:m[3]]
	year, err := strconv.Atoi(r.folded[m[6]:m[7]])
	if err != nil {
		return nil
	}
	left := strings.TrimRight(r.folded[max(0, start-4):start], " ")
	one := slices.ContainsFunc([]string{" la", " le", "l'", " du", " au"}, func(a string) bool { return strings.HasSuffix(" "+left, a) })
	ref := Reference{Type: law.TypeOf(kind), Year: year, Loose: !one || strings.HasPrefix(kind, "lois")}
	if strings.Contains(kind, "finances") {
		ref.Title = kind + " " + r.folded[m[6]:m[7]]
	}
	if s := r.match("subject", m[1]); s != nil {
		ref.Phrase = r.written(s[2], s[3])
	}
	return r.one(start, m[1], ref)
}

// about reads words that may be the title of a text: « l'acte uniforme sur l'arbitrage ».
func (r *reader) about(start int) []Reference {
	m := r.match("about", start)
	if m == nil {
		return nil
	}
	return r.one(start, m[2], Reference{Phrase: r.written(start, m[1])})
}

// anyBranch are words that name no branch of the economy.
var anyBranch = set("travail entreprise entreprises etablissement etablissements branche branches secteur secteurs profession professions metier salarie salaries employeur employeurs employe employes pays lieu")

// branch reads a collective agreement that is named after its branch (« la convention collective de la métallurgie ») or by a
// name of its own (« la convention collective Syntec »). Behind « de » without an article, or before a word for any branch,
// no agreement is named: « une convention collective de branche ».
func (r *reader) branch(start int) []Reference {
	m := r.match("branch", start)
	if m == nil || anyBranch[r.folded[m[6]:m[7]]] || m[4] < 0 && strings.ToLower(r.written(m[6], m[6]+1)) == r.written(m[6], m[6]+1) {
		return nil
	}
	return r.one(start, m[1], Reference{Title: strings.ToLower("convention collective " + r.written(m[6], m[7]))})
}

// listed reads a collective agreement that is named by the number under which France lists it: « IDCC 3248 ».
func (r *reader) listed(start int) []Reference {
	if m := r.match("listed", start); m != nil {
		return r.one(start, m[1], Reference{Alias: true, Title: "idcc " + r.folded[m[2]:m[3]]})
	}
	return nil
}

// given reads the names that operators have given to texts.
func (r *reader) given(names []naming.Given) (out []Reference) {
	for _, n := range names {
		wanted := Words(n.Name)
		exact := len(n.Name) <= shortAlias && strings.ToUpper(n.Name) == n.Name
		for i := range r.words {
			end := r.allAt(i, wanted)
			if start := r.words[i].at; end > start && (!exact || r.written(start, end) == n.Name) {
				if meant, ok := Stands(n); ok {
					out = append(out, r.one(start, end, meant)...)
				}
			}
		}
	}
	return out
}

// Words returns the folded runs of letters in a text.
func Words(text string) []string {
	return strings.FieldsFunc(law.Fold(text), func(c rune) bool { return !unicode.IsLetter(c) })
}

// allAt returns the end of the words that begin at a word, -1 if others stand there.
func (r *reader) allAt(i int, wanted []string) (end int) {
	end = -1
	for _, w := range wanted {
		for i < len(r.words) && r.words[i].word == "0" {
			i++
		}
		if i >= len(r.words) || r.words[i].word != w {
			return -1
		}
		end = r.words[i].at + len(w)
		i++
	}
	return end
}

// Stands returns the reference, a number or a title, that a given name stands for. It is false if the name has none.
func Stands(n naming.Given) (ref Reference, ok bool) {
	for _, x := range Typed(n.Means) {
		if len(x.Articles) == 0 && x.NamesText() && !x.Alone {
			x.Alias = true
			if n.Country != "" {
				x.Owners = []country.Code{n.Country}
			}
			return x, true
		}
	}
	return ref, false
}

// Means reports whether a text has words that a given name would be read from.
func Means(text string, n naming.Given) bool {
	return len(newReader(text, true).given([]naming.Given{n})) > 0
}

//go:embed aliases.txt
var aliasesText string

// alias is a short name of a text.
type alias struct {
	title     string         // words of the text's title
	exact     bool           // matches only as written in the table, because it is short and may be another word
	written   string         // the alias as written in the table
	countries []country.Code // countries that the text belongs to, nil for texts of no particular country
}

// shortAlias is the maximum number of letters of an abbreviation that is only read in the capitals of the table.
// Otherwise « AUS » or « AUA » would be found in misspelled words.
const shortAlias = 4

// aliasTable holds the short names by their folded words; that of a code is what follows « C. »: « trav » is the « code du
// travail ».
var aliasTable = sync.OnceValue(func() map[string]alias {
	table := make(map[string]alias)
	for line := range strings.Lines(aliasesText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		a := alias{title: strings.TrimSpace(fields[1])}
		for code := range strings.FieldsSeq(fields[2]) {
			a.countries = append(a.countries, country.Code(code))
		}
		for name := range strings.SplitSeq(fields[0], ",") {
			a.written = strings.TrimSpace(name)
			a.exact = len(a.written) <= shortAlias && strings.ToUpper(a.written) == a.written
			table[strings.Join(Words(a.written), " ")] = a
		}
	}
	return table
})

// ShortNames yields the names of the table that begin with folded letters.
func ShortNames(begin string) (out []string) {
	for key, a := range aliasTable() {
		if strings.HasPrefix(key, begin) && !strings.HasPrefix(key, "c ") {
			out = append(out, a.written)
		}
	}
	return out
}

// mostShort is the maximum number of words after « C. » in the short name of a code.
const mostShort = 3

// shortName reads an abbreviation of the table, or a code by its short name: « C. trav. », « Code proc. civ. ».
func (r *reader) shortName(start int) (out []Reference) {
	word := r.wordAt(start)
	end := start + len(word)
	if a, ok := aliasTable()[word]; ok && (!a.exact || r.written(start, end) == a.written) {
		return r.one(start, end, Reference{Alias: true, Title: a.title, Owners: slices.Clone(a.countries)})
	}
	if word != "c" && word != "code" {
		return nil
	}
	dotted, key, best := r.after(end) == '.', "c", 0
	var found Reference
	for range mostShort {
		next := end
		for r.after(next) == '.' || r.after(next) == ' ' {
			next++
		}
		w := r.wordAt(min(next, len(r.folded)))
		if next == end || w == "0" {
			break
		}
		key, end = key+" "+w, next+len(w)
		ends := r.after(end) == '.'
		if a, ok := aliasTable()[key]; ok && (dotted || ends && word == "code") {
			if best = end; ends {
				best++
			}
			found = Reference{Alias: true, Type: law.Code, Title: a.title}
		}
	}
	if best == 0 {
		return nil
	}
	return r.pinpointed(start, best, found)
}
