package respond

import (
	"fmt"
	"strings"
	"testing"
)

func TestFileNames(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"": "document", " .. ": "document", "a/b\\c": "a-b-c", "a\r\nX: b": "a X- b", "a\u202eb\x00": "ab", strings.Repeat("é", 200): strings.Repeat("é", nameLimit),
	} {
		equal(t, fmt.Sprintf("%q", title), fileName(title), want)
	}
	equal(t, "both", Disposition("100% été"), `inline; filename="100_ _t_.pdf"; filename*=UTF-8''100%25%20%C3%A9t%C3%A9.pdf`)
}
