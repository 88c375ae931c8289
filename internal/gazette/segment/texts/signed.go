package texts

import (
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/law"
)

// signedAt matches the line that says where and when a text was signed: « Fait à Dakar, le 11 avril 2016 ».
// It does not match when an assembly voted (« Fait et délibéré en séance du … »), which is another day.
var signedAt = law.Pattern(`^(?i:(?:ainsi +)?(?:fait|donné) +(?:à|au|en) [^,;]{2,40}, *(?:le|ce) )`)

// SignedDay returns the day on which a text says that it was signed, and the page that says so. Both are zero
// if the text gives no day, or several. The signatures of annexes do not count.
func (d *Draft) SignedDay() (day time.Time, page int) {
	for _, a := range d.Articles {
		if a.Number != "" || a.Heading != gazette.SignaturesHeading {
			continue
		}
		lines := strings.Split(a.Text, "\n")
		for i, l := range lines {
			if !signedAt.MatchString(l) && !articles.PlaceAndDay.MatchString(l) {
				continue
			}
			found, _, _, ok := law.FindDate(strings.Join(lines[i:min(i+2, len(lines))], " "))
			if !ok || !day.IsZero() && !day.Equal(found) {
				return time.Time{}, 0
			}
			day, page = found, a.Page
		}
	}
	return day, page
}
