package country

import (
	"sync"
	"time"
	_ "time/tzdata" // a container may have no time zones
)

// zones are the time zones of countries, by the names of the IANA. Of a country that has several it is that of the capital, or
// of the provinces whose law is in French. The page (api/web/src/lib/zones.ts) and PostgreSQL (the function law_day) have the
// same; tests compare them.
var zones = map[Code]string{
	"bj": "Africa/Porto-Novo", "bf": "Africa/Ouagadougou", "bi": "Africa/Bujumbura", "cm": "Africa/Douala", "cf": "Africa/Bangui", "td": "Africa/Ndjamena",
	"km": "Indian/Comoro", "cg": "Africa/Brazzaville", "cd": "Africa/Kinshasa", "ci": "Africa/Abidjan", "dj": "Africa/Djibouti", "dz": "Africa/Algiers",
	"ga": "Africa/Libreville", "gn": "Africa/Conakry", "gq": "Africa/Malabo", "gw": "Africa/Bissau", "ht": "America/Port-au-Prince", "lu": "Europe/Luxembourg",
	"ma": "Africa/Casablanca", "mg": "Indian/Antananarivo", "ml": "Africa/Bamako", "mr": "Africa/Nouakchott", "mu": "Indian/Mauritius", "ne": "Africa/Niamey",
	"rw": "Africa/Kigali", "sc": "Indian/Mahe", "sn": "Africa/Dakar", "tg": "Africa/Lome", "tn": "Africa/Tunis", "fr": "Europe/Paris", "be": "Europe/Brussels",
	"ca": "America/Toronto", "ch": "Europe/Zurich",
}

// locations are the zones as they are loaded.
var locations = sync.OnceValue(func() map[Code]*time.Location {
	out := make(map[Code]*time.Location, len(zones))
	for code, name := range zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic("country: " + err.Error()) // the zones are in the program
		}
		out[code] = zone
	}
	return out
})

// Today returns the day, midnight UTC, that an instant has where the law is in force: in the first of some countries, and that of UTC,
// the time of Abidjan and Dakar, for a union, a country without a known zone, or none.
func Today[C ~string](now time.Time, of ...C) time.Time {
	now = now.UTC()
	if len(of) > 0 {
		if zone := locations()[Code(of[0])]; zone != nil {
			now = now.In(zone)
		}
	}
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}
