// Package markdown writes foreign words into Markdown so that no reader of it loads an image, follows a link to elsewhere
// than is shown, or takes them for words of the service.
package markdown

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`,
	"|", `\|`, "~", `\~`, "&", `\&`, "$", `\$`, "{", `\{`, "}", `\}`, "!", `\!`, "@", `\@`, "://", `\://`, "www.", `www\.`)

// Escape escapes all that has a meaning within a line of Markdown.
func Escape(text string) string { return marks.Replace(text) }

// Inert returns the Markdown of an answer with images, links, addresses, HTML and lists of sources as plain text. A
// manipulated model, or a gazette that is quoted, could otherwise make a program load an image, lead its reader elsewhere
// or name sources that nobody checked.
func Inert(text string) string { return new(Stream).Write(text, true) }

// Stream does what Inert does, for a text that comes in pieces of whole characters. The zero value is ready to use.
type Stream struct {
	waiting string // what has come and is not decided
	left    string // the end of what was decided
	within  bool   // the beginning of the line is decided
	escaped bool   // a backslash comes before
}

// heading matches a line that begins a list of sources, begun one that may become such a line.
var (
	heading = regexp.MustCompile(`(?i)^[\s\pP\pS\p{Cf}]*s[\p{Cf}]*o[\p{Cf}]*u[\p{Cf}]*r[\p{Cf}]*c[\p{Cf}]*e[\p{Cf}]*s?[\s\pP\pS\p{Cf}]*$`)
	begun   = regexp.MustCompile(`(?i)^[\s\pP\pS\p{Cf}]*(s[\p{Cf}]*(o[\p{Cf}]*(u[\p{Cf}]*(r[\p{Cf}]*(c[\p{Cf}]*(e[\p{Cf}]*(s[\s\pP\pS\p{Cf}]*|[\s\pP\pS\p{Cf}]*))?)?)?)?)?)?$`)
)

// notOurs replaces a line that begins a list of sources.
const notOurs = "Sources que ce texte nomme lui-même, sans contrôle :"

// longestHeading bounds a line that may begin a list of sources, in bytes.
const longestHeading = 200

// Write returns as much of the text so far as is decided, after what it returned before; all of it if this is the last
// piece.
func (s *Stream) Write(piece string, last bool) string {
	s.waiting += piece
	var out strings.Builder
	for s.waiting != "" {
		if !s.within {
			line, _, ends := strings.Cut(s.waiting, "\n")
			switch whole := ends || last; {
			case whole && len(line) <= longestHeading && heading.MatchString(line):
				out.WriteString(notOurs)
				s.waiting, s.left, s.within = s.waiting[len(line):], "", true
				continue
			case !whole && len(line) <= longestHeading && begun.MatchString(line):
				return out.String()
			}
			s.within = true
		}
		r, size := utf8.DecodeRuneInString(s.waiting)
		right := s.waiting[size:]
		if !last && r == ':' && (right == "" || right == "/") {
			break
		}
		if !s.escaped && s.opens(r, right) {
			out.WriteByte('\\')
		}
		out.WriteString(s.waiting[:size])
		s.escaped = r == '\\' && !s.escaped
		s.left, s.within, s.waiting = (s.left + s.waiting[:size])[max(0, len(s.left)+size-3):], r != '\n', right
	}
	return out.String()
}

// opens reports whether r, before right, begins an image, a link, an address or HTML.
func (s *Stream) opens(r rune, right string) bool {
	switch r {
	case '<', '@':
		return true
	case '[':
		return strings.HasSuffix(s.left, "!")
	case '(':
		return strings.HasSuffix(s.left, "]")
	case ':':
		return strings.HasSuffix(s.left, "]") || strings.HasPrefix(right, "//")
	case '.':
		return strings.EqualFold(s.left, "www")
	}
	return false
}
