package law

import (
	"fmt"
	"time"
)

// WrittenDay writes a day as French texts do: « 1er mars 2019 ».
func WrittenDay(t time.Time) string {
	months := [...]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}
	day := fmt.Sprint(t.Day())
	if t.Day() == 1 {
		day = "1er"
	}
	return fmt.Sprintf("%s %s %d", day, months[t.Month()-1], t.Year())
}
