//go:build !race

package transport

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
	"vigueur/internal/web/httpapi/form"
)

// Bodies and headers of strangers are read in time linear in them.
func TestParsersAreLinear(t *testing.T) {
	for name, c := range map[string]struct {
		begin, words, end string
		size              int
	}{
		"a text":          {`{"question":"`, `a`, `"}`, BodyLimit},
		"escapes":         {`{"question":"`, `\ud83d\ude00`, `"}`, BodyLimit},
		"blanks":          {`{`, ` `, `}`, BodyLimit},
		"elements":        {`{"question":[`, `1,`, `1]}`, mostValues},
		"unknown fields":  {`{"question":1`, `,"":1`, `}`, mostValues},
		"open brackets":   {``, `[`, ``, mostValues},
		"no JSON":         {``, `\`, ``, BodyLimit},
		"no text":         {`{"question":"`, "\xff", `"}`, BodyLimit},
		"one long name":   {`{"`, `n`, `":1}`, BodyLimit},
		"values too many": {`[`, `[],`, `1]`, BodyLimit},
	} {
		t.Run(name, func(t *testing.T) {
			cost.Linear(t, c.size, func(size int) []byte { return []byte(c.begin + strings.Repeat(c.words, size/len(c.words)) + c.end) }, func(body []byte) {
				if !hasFewValues(body) {
					return
				}
				var input struct {
					_        struct{} `additionalProperties:"false"`
					Question string   `json:"question" minLength:"1" maxLength:"4000"`
				}
				_ = form.Read(nil, body, &input) // most are faulty
			})
		})
	}
}
