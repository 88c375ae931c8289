// Package address makes and reads the stable public addresses of texts and their articles.
//
// They follow the naming convention of Akoma Ntoso (OASIS LegalDocML, Naming Convention
// 1.0): « /akn/bf/act/2008-05-13/28-2008-an » is an act of Burkina Faso, « …/fra@2020-01-01 »
// its wording on a day, and « …/!main~art_66 » one of its articles. Several texts of a day may
// have one number, so the type may be said too: « /akn/bf/act/decret/2008-05-13/28-2008 ».
//
// All functions depend only on their arguments.
package address

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// Nowhere is the country of a text that is the law of no known country.
const Nowhere = "xx"

// Work names a text.
type Work struct {
	Country string      // code, such as « bf », in lower case
	Type    law.DocType // "" if the address does not say it
	Date    time.Time   // day of the promulgation
	Name    string      // slug of the number or, without one, of the title; or the id of the text
}

// Of returns the work that a text is. countries are those whose law it is; the first gives the
// address its country.
func Of(d law.Document, countries []string) Work {
	w := Work{Country: Nowhere, Type: d.Type, Date: d.Promulgated, Name: Slug(d.OfficialNumber)}
	if len(countries) > 0 {
		w.Country = Slug(countries[0])
	}
	if w.Name == "" {
		w.Name = shorten(Slug(d.Title))
	}
	if w.Name == "" {
		w.Name = d.ID.String()
	}
	return w
}

// nameLength is the maximum length of a name made of a title, in bytes: ministries give titles
// of several hundred.
const nameLength = 80

// shorten cuts a slug after the last whole word within nameLength.
func shorten(slug string) string {
	if len(slug) <= nameLength {
		return slug
	}
	slug = slug[:nameLength+1]
	if pos := strings.LastIndexByte(slug, '-'); pos > 0 {
		return slug[:pos]
	}
	return slug[:nameLength]
}

// Short returns the path of a work without its type.
func (w Work) Short() string {
	return "/akn/" + w.Country + "/act/" + w.Date.Format(time.DateOnly) + "/" + w.Name
}

// Full returns the path of a work with its type; Short if it has none.
func (w Work) Full() string {
	if w.Type == "" {
		return w.Short()
	}
	return "/akn/" + w.Country + "/act/" + string(w.Type) + "/" + w.Date.Format(time.DateOnly) + "/" + w.Name
}

// Address is an address that was read.
type Address struct {
	Work    Work
	ID      uuid.UUID  // of the text, if the address has the id in place of a name; else zero
	French  bool       // the French expression is named: « …/fra »
	On      *time.Time // day of the wording; nil: today
	Article string     // id of the article, such as « art_66 »; "" for the text
}

// The parts of addresses.
var (
	akn  = regexp.MustCompile(`^/akn/([a-z][a-z0-9-]*)/act(?:/([a-z]+))?/(\d{4}-\d{2}-\d{2})/([a-z0-9-]+)(/.*)?$`)
	rest = regexp.MustCompile(`^(?:/(fra)(?:@(\d{4}-\d{2}-\d{2}))?)?(?:/!main)?(?:(?:/)?~([a-z0-9_-]+))?/?$`)
)

// Parse reads the path of an address. ok is false if it has another form. Upper case is read as
// lower case.
func Parse(path string) (a Address, ok bool) {
	m := akn.FindStringSubmatch(strings.ToLower(path))
	if m == nil {
		return a, false
	}
	a.Work = Work{Country: m[1], Type: law.DocType(m[2]), Name: m[4]}
	more := rest.FindStringSubmatch(m[5])
	if more == nil {
		return a, false
	}
	var err error
	if a.Work.Date, err = time.Parse(time.DateOnly, m[3]); err != nil {
		return a, false
	}
	if more[2] != "" {
		day, err := time.Parse(time.DateOnly, more[2])
		if err != nil {
			return a, false
		}
		a.On = &day
	}
	a.French, a.Article = more[1] != "", more[3]
	if id, err := uuid.Parse(a.Work.Name); err == nil {
		a.ID = id
	}
	return a, true
}

// Expression returns the path of the wording of a work, given by its path, on a day; nil: today.
func Expression(work string, day *time.Time) string {
	if day == nil {
		return work
	}
	return work + "/fra@" + day.Format(time.DateOnly)
}

// Article returns the path of an article of a wording, given by its path.
func Article(expression, id string) string { return expression + "/!main~" + id }

// Articles returns the ids of articles in their text, in the same order: « art_66 », and
// « art_66-2 » for the second of that number. An unnumbered part has none, "".
func Articles(numbers []string) []string {
	taken, ids := map[string]int{}, make([]string, len(numbers))
	for i, number := range numbers {
		base := Slug(number)
		if base == "" {
			continue
		}
		if !strings.HasPrefix(number, "Annexe") {
			base = "art_" + base
		}
		ids[i] = Unique(taken, base)
	}
	return ids
}

// Unique returns base, or base with the lowest number that makes it unlike those returned
// before with the same taken, which it updates.
func Unique(taken map[string]int, base string) string {
	taken[base]++
	if n := taken[base]; n > 1 {
		return Unique(taken, fmt.Sprintf("%s-%d", base, n))
	}
	return base
}

// Slug returns a text as a segment of a path: letters and digits without accents, and one
// hyphen for what stands between them.
func Slug(s string) string {
	return strings.Join(strings.FieldsFunc(law.Fold(s), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}
