package factor

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// FuzzMatch: only six digits are a code, and only the codes of the moment match.
func FuzzMatch(f *testing.F) {
	secret := Secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
	moment := time.Unix(59, 0)
	good, err := secret.Code(Step(moment))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{good, good[:3] + "\u00a0" + good[3:], "", "12345", "1234567", "١٢٣٤٥٦", "abcd-efgh-jkmn-pqrs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		code, ok := IsCode(given)
		if ok && len(code) != digits {
			t.Fatalf("%q is read as %q", given, code)
		}
		_, matched, err := secret.Match(code, moment, 0)
		if err != nil {
			t.Fatal(err)
		}
		near := false
		for _, step := range []int64{Step(moment) - 1, Step(moment), Step(moment) + 1} {
			valid, err := secret.Code(step)
			if err != nil {
				t.Fatal(err)
			}
			near = near || valid == code
		}
		if matched && (!ok || !near) {
			t.Errorf("%q matched", given)
		}
		if len(HashCode(uuid.Nil, given)) == 0 {
			t.Error("no hash")
		}
	})
}
