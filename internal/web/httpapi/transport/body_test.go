package transport

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValuesOfABodyAreCounted(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return "[" + strings.Repeat("1,", n-2) + "1]" } // with the list itself
	for name, c := range map[string]struct {
		body string
		few  bool
	}{
		"nothing":               {"", true},
		"the most":              {list(mostValues), true},
		"one more":              {list(mostValues + 1), false},
		"within a string":       {`{"a":"` + strings.Repeat(`,[{`, mostValues) + `"}`, true},
		"after an escaped mark": {`{"a":"\"` + strings.Repeat(`,`, mostValues) + `"}`, true},
		"after a backslash":     {`{"a":"\\"` + strings.Repeat(`,`, mostValues) + `}`, false},
		"nested":                {strings.Repeat("[", mostValues+1), false},
	} {
		if got := hasFewValues([]byte(c.body)); got != c.few {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !json.Valid([]byte(list(5))) {
		t.Error("the list of the test is no JSON")
	}
}
