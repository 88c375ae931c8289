package house

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// pen writes one issue: its style, its chance, and the world it is about.
type pen struct {
	style   *Style
	rng     *rand.Rand
	own     *rand.Rand // for what a form adds
	aside   *rand.Rand // of announcements: what they draw changes no text around them
	count   *rand.Rand // of how articles are numbered: their words are the same
	front   *rand.Rand // of what is printed on pages before a text
	land    string     // « Maravie »
	country string     // « la République de Maravie »
	capital string
	title   string // « Journal officiel de la République de Maravie »
	money   string
	ruler   string // « Le Président de la République »
	house   string // « L'Assemblée nationale »
	day     time.Time
	issue   int    // its number
	join    string // between a heading's number and its words
	texts   []Text
	blocks  []block
	pending []entry // of the summary
	bare    bool    // an issue without masthead: feet on its first page too
	deep    int     // how far inside a citation

	letterhead []block // what is to stand to the left of the next title
	apart      bool    // white space is due
}

// newPen begins an issue. What belongs to the house (its country, its gazette's
// name) is drawn with the issue, so that names cannot be learned for styles.
func newPen(style Style, seed uint64) *pen {
	h := fnv.New64a()
	_, _ = h.Write([]byte(style.Name)) // a hash cannot fail
	p := &pen{style: &style, rng: rand.New(rand.NewPCG(seed, h.Sum64())), aside: rand.New(rand.NewPCG(seed, ^h.Sum64()))}
	p.count = rand.New(rand.NewPCG(seed, h.Sum64()+1))
	p.front = rand.New(rand.NewPCG(seed, h.Sum64()+2))
	p.own = ownChance(style.form, seed)
	p.style.vary(p.rng)
	p.land = p.place()
	p.country = p.pick("la République de ", "la République démocratique de ", "le Royaume de ", "l'Union de ", "la Fédération de ") + p.land
	p.capital = p.place()
	p.title = capital(p.style.gazette) + " " + contract("de", p.country)
	p.money = p.pick("francs", "dinars", "francs CFA", "livres", "ariary", "dirhams", "couronnes")
	p.ruler = p.pick("Le Président de la République", "Le Président de la République", "Le Chef de l'État", "Le Président du Conseil", "Nous, Roi")
	p.house = p.pick("L'Assemblée nationale", "La Chambre des députés", "Le Parlement", "L'Assemblée nationale et le Sénat", "L'Assemblée populaire nationale", "Le Conseil national")
	p.issue = p.between(1, 120)
	p.join = p.pick("\n", "\n", " : ", ". — ", " - ")
	p.day = time.Date(p.style.years[0]+p.rng.IntN(p.style.years[1]-p.style.years[0]+1), time.Month(1+p.rng.IntN(12)), 1+p.rng.IntN(28), 0, 0, 0, 0, time.UTC)
	return p
}

func (p *pen) pick(list ...string) string { return list[p.rng.IntN(len(list))] }

// chance is true in so many of 100 cases.
func (p *pen) chance(percent int) bool { return p.rng.IntN(100) < percent }

// between is a number from a to b, both included.
func (p *pen) between(a, b int) int { return a + p.rng.IntN(b-a+1) }

// slot makes what a slot of the grammar stands for.
func (p *pen) slot(name, arg string) string {
	switch name {
	case "n":
		a, b, _ := strings.Cut(arg, "-")
		low, _ := strconv.Atoi(a) // a fault gives 0, which the grammar's test sees
		high, _ := strconv.Atoi(b)
		return strconv.Itoa(p.between(low, max(low, high)))
	case "town":
		return p.place()
	case "land":
		return p.place()
	case "country":
		return p.country
	case "person":
		return p.person()
	case "surname":
		return p.surname()
	case "minister":
		return p.minister()
	case "month":
		return months[p.rng.IntN(12)]
	case "year":
		return strconv.Itoa(p.day.Year() + p.between(-1, 2))
	case "day":
		return p.date(p.earlier(900))
	case "law":
		return p.cited(cite(p, "loi", "loi", "loi", "ordonnance", "loi organique", "décret-loi"))
	case "decree":
		return p.cited(cite(p, "décret", "décret", "arrêté"))
	case "amount":
		return p.amount()
	case "label":
		return strings.ToUpper(p.place() + " " + p.pick("Services", "Espoir", "Développement", "Transit", "Solidarité", "Industries", "Agro", "Distribution"))
	case "sigle":
		return p.initials(p.between(3, 5))
	}
	return p.say(name)
}

// earlier is a day up to so many days before the issue's.
func (p *pen) earlier(days int) time.Time { return p.day.AddDate(0, 0, -p.between(1, days)) }

func (p *pen) amount() string {
	n := p.between(1, 99) * []int{100, 1000, 10000, 100000, 1000000}[p.rng.IntN(5)]
	digits := grouped(n, p.style.thousands)
	if p.chance(20) {
		return fmt.Sprintf("%s %s", p.pick("cinq mille", "vingt mille", "cent mille", "un million de", "dix mille", "trois millions de"), p.money) + " (" + digits + ")"
	}
	return digits + " " + p.money
}

// grouped parts thousands by a separator.
func grouped(n int, sep string) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + sep + s[i:]
	}
	return s
}

// minister is an office, with its article.
func (p *pen) minister() string {
	if p.chance(8) {
		return p.pick("le Premier ministre", "le ministre d'État", "le directeur général", "le secrétaire général du Gouvernement")
	}
	return p.pick("le ministre ", "le ministre ", "le ministre ", "la ministre ", "le ministre chargé ", "le secrétaire d'État auprès du ministre ") + p.say("adjMin")
}

// add adds to the blocks under way.
func (p *pen) add(blocks ...block) {
	if p.apart && len(blocks) > 0 {
		blocks[0].before, p.apart = max(blocks[0].before, 2.5), false
	}
	p.blocks = append(p.blocks, blocks...)
}
