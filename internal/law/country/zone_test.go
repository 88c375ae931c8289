package country

import (
	"os"
	"regexp"
	"testing"
	"time"
)

// Every country of the table has a zone, and no union.
func TestEveryCountryHasAZone(t *testing.T) {
	t.Parallel()
	for code := range table().shown {
		if _, union := table().members[code]; (zones[code] != "") == union {
			t.Errorf("%s: zone %q, a union: %v", code, zones[code], union)
		}
	}
	if len(zones) != len(table().shown)-len(table().members) {
		t.Errorf("%d zones", len(zones))
	}
}

// Half past eleven in the evening in Abidjan is the next day already in Porto-Novo, and the same in Port-au-Prince.
func TestTodayIsThatOfTheLawsCountry(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, time.November, 24, 23, 30, 0, 0, time.UTC)
	for code, want := range map[Code]string{"ci": "2026-11-24", "sn": "2026-11-24", "": "2026-11-24", "ohada": "2026-11-24", "xx": "2026-11-24", "bj": "2026-11-25", "cm": "2026-11-25", "fr": "2026-11-25", "mg": "2026-11-25", "ht": "2026-11-24", "ca": "2026-11-24"} {
		if got := Today(moment.In(time.FixedZone("", 9*3600)), code).Format(time.DateOnly); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	if got := Today(moment, "bj", "ci").Format(time.DateOnly); got != "2026-11-25" {
		t.Errorf("the first of two: %s", got)
	}
	if got := Today[string](moment.Add(time.Hour)).Format(time.DateOnly); got != "2026-11-25" {
		t.Errorf("of no country: %s", got)
	}
}

// The page and the database have the same zones.
func TestZonesAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	for file, pair := range map[string]string{
		"../../../api/web/src/lib/zones.ts":                `(\w\w): '([^']+)'`,
		"../../store/postgres/migrations/00300_schema.sql": `WHEN '(\w\w)' THEN '([^']+)'`,
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := map[Code]string{}
		for _, m := range regexp.MustCompile(pair).FindAllStringSubmatch(string(data), -1) {
			found[Code(m[1])] = m[2]
		}
		for code, zone := range zones {
			if found[code] != zone {
				t.Errorf("%s: %s is %q, want %q", file, code, found[code], zone)
			}
		}
		if len(found) != len(zones) {
			t.Errorf("%s has %d zones, want %d", file, len(found), len(zones))
		}
	}
}
