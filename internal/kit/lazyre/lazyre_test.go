package lazyre

import (
	"reflect"
	"regexp"
	"sync"
	"testing"
)

// Each method has the same results as the method of regexp.Regexp.
func TestMethodsAreThoseOfRegexp(t *testing.T) {
	t.Parallel()
	const expr, s = `(\w)(\d+)`, "a1 b22 c"
	mine, theirs := New(expr), regexp.MustCompile(expr)
	arguments := map[string][]any{
		"MatchString": {s}, "Match": {[]byte(s)}, "FindString": {s}, "FindStringIndex": {s}, "FindStringSubmatch": {s}, "FindStringSubmatchIndex": {s},
		"FindAllStringIndex": {s, -1}, "FindAllStringSubmatchIndex": {s, -1},
		"FindSubmatch": {[]byte(s)}, "FindAllIndex": {[]byte(s), -1}, "FindAllSubmatch": {[]byte(s), -1}, "ReplaceAllString": {s, "$2$1"},
		"ReplaceAllStringFunc": {s, func(m string) string { return "[" + m + "]" }}, "Split": {s, 2},
	}
	for method := range reflect.TypeOf(mine).Methods() {
		t.Run(method.Name, func(t *testing.T) {
			t.Parallel()
			given, ok := arguments[method.Name]
			if !ok {
				t.Fatal("a method without a case here")
			}
			var in []reflect.Value
			for _, a := range given {
				in = append(in, reflect.ValueOf(a))
			}
			got := reflect.ValueOf(mine).MethodByName(method.Name).Call(in)[0].Interface()
			if want := reflect.ValueOf(theirs).MethodByName(method.Name).Call(in)[0].Interface(); !reflect.DeepEqual(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// An expression is compiled once, at its first use, even if many goroutines use it at the
// same time.
func TestCompiledOnceAndLate(t *testing.T) {
	t.Parallel()
	made := 0
	r := Of(func() string { made++; return "a+" })
	if made != 0 {
		t.Error("made before its first use")
	}
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() { r.MatchString("aa") })
	}
	users.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

// CompileAll finds an invalid expression that was never used.
func TestCompileAllFindsAWrongExpression(t *testing.T) {
	mutex.Lock()
	before := all
	all = nil
	mutex.Unlock()
	defer func() { all = before }()
	New("a+")
	if n := CompileAll(); n != 1 {
		t.Errorf("%d expressions compiled", n)
	}
	New("(")
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression compiles")
		}
	}()
	CompileAll()
}
