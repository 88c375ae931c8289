package house

import (
	"strconv"
	"strings"
	"time"
)

var months = []string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}

var weekdays = []string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}

// The months of the Hijri calendar, as gazettes spell them in French.
var hijri = [][12]string{
	{"Moharram", "Safar", "Rabie El Aouel", "Rabie Ethani", "Joumada El Oula", "Joumada Ethania", "Rajab", "Chaâbane", "Ramadhan", "Chaoual", "Dhou El Kaâda", "Dhou El Hidja"},
	{"moharrem", "safar", "rabii I", "rabii II", "joumada I", "joumada II", "rejeb", "chaabane", "ramadan", "chaoual", "kaada", "hija"},
}

// Date styles.
const (
	plain    = iota // 22 janvier 2016
	matching        // the Hijri date, then the common one
	brackets        // 12 hija 1424 (3 février 2004)
)

// gregorian writes a day: « 1er mars 2017 ».
func (p *pen) gregorian(t time.Time) string {
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 {
		day = "1er"
	}
	month := months[t.Month()-1]
	if p.style.bigMonths {
		month = capital(month)
	}
	return day + " " + month + " " + strconv.Itoa(t.Year())
}

// date writes the date of a text as the house does.
func (p *pen) date(t time.Time) string {
	g := p.gregorian(t)
	switch p.style.dates {
	case matching:
		return p.hijri(t, 0) + " correspondant au " + g
	case brackets:
		return p.hijri(t, 1) + " (" + g + ")"
	}
	return g
}

// hijri is a day of the tabular Islamic calendar.
func (p *pen) hijri(t time.Time, spelling int) string {
	// Days from the first of Moharram of the year 1.
	days := int(t.Unix()/86400) + 492148
	cycle, days := days/(30*354+11), days%(30*354+11)
	year := cycle*30 + 1
	for {
		n := 354
		switch (year - 1) % 30 {
		case 1, 4, 6, 9, 12, 15, 17, 20, 23, 25, 28:
			n = 355
		}
		if days < n {
			break
		}
		days, year = days-n, year+1
	}
	month := 0
	for month < 11 && days >= 30-month%2 {
		days -= 30 - month%2
		month++
	}
	day := strconv.Itoa(days + 1)
	if days == 0 {
		day = []string{"Aouel", "1er"}[spelling]
	}
	return day + " " + hijri[spelling][month] + " " + strconv.Itoa(year)
}

// weekday is a day with its name: « Mercredi 25 juin 2014 ».
func (p *pen) weekday(t time.Time) string {
	return capital(weekdays[t.Weekday()]) + " " + p.gregorian(t)
}

// number fills a pattern of a house: {y} the year, {yy} its last two digits, {n}
// the number, {n3} with three digits, {s} signs of the offices that made it.
func (p *pen) number(pattern string, t time.Time, n int) string {
	three := strconv.Itoa(n)
	for len(three) < 3 {
		three = "0" + three
	}
	two := strconv.Itoa(n)
	if n < 10 {
		two = "0" + two
	}
	signs := p.pick("PRES/PM", "PR/PM", "PM", "PRES") + "/M" + p.initials(p.between(1, 3))
	if p.chance(50) {
		signs += "/M" + p.initials(p.between(1, 4))
	}
	return strings.NewReplacer("{yyyy}", strconv.Itoa(t.Year()), "{yy}", strconv.Itoa(t.Year())[2:],
		"{n4}", "0"+three, "{n3}", three, "{n2}", two, "{n}", strconv.Itoa(n), "{s}", signs,
		"{m}", "M"+p.initials(p.between(1, 4)), "{big}", strconv.Itoa(1000+n*13)).Replace(pattern)
}
