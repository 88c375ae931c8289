package chat

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
)

// Markdown exports a conversation as Markdown: each question as a quotation, followed by
// the answer without images and links, its warnings and its sources. base is the prefix of
// the citations' URLs.
func Markdown(c Conversation, messages []Message, base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", plain(c.Title))
	fmt.Fprintf(&b, "Conversation du %s", moment(c.CreatedAt))
	if c.Domain != nil {
		fmt.Fprintf(&b, " · domaine : %s", plain(*c.Domain))
	}
	b.WriteString("\n")
	for _, m := range messages {
		if m.Role == User {
			fmt.Fprintf(&b, "\n## Question du %s\n\n%s\n", moment(m.CreatedAt), quotation("> ", m.Content))
			continue
		}
		writeAnswer(&b, m, strings.TrimRight(base, "/"))
	}
	return b.String()
}

func writeAnswer(b *strings.Builder, m Message, base string) {
	b.WriteString("\n### Réponse\n")
	if said := describeFilters(m.Filters); said != "" {
		fmt.Fprintf(b, "\n*Droit demandé : %s.*\n", said)
	}
	if text := strings.TrimSpace(m.Content); text != "" {
		fmt.Fprintf(b, "\n%s\n", stripLinks(text))
	}
	switch {
	case !m.State.Ended():
		b.WriteString("\n*La réponse est en cours.*\n")
	case m.State == Failed:
		fmt.Fprintf(b, "\n**Échec :** %s\n", plain(m.Error))
	case m.Validation != nil && m.Validation.Warning != nil:
		fmt.Fprintf(b, "\n**Attention :** %s\n", plain(*m.Validation.Warning))
	}
	if len(m.Citations) == 0 {
		return
	}
	b.WriteString("\n**Sources**\n")
	for _, c := range m.Citations {
		fmt.Fprintf(b, "\n- %s\n\n%s\n", source(c, base), quotation("  > ", c.Excerpt))
	}
}

// describeFilters returns the country and the day whose law was asked about, "" for those of the day.
func describeFilters(f law.Filters) string {
	var said []string
	if f.Country != "" {
		said = append(said, plain(country.Name(country.Code(f.Country))))
	}
	if f.Date != nil {
		said = append(said, "au "+f.Date.Format("02/01/2006"))
	}
	return strings.Join(said, ", ")
}

// source formats a citation with its URL.
func source(c law.Citation, base string) string {
	title := plain(c.Title)
	if r := c.Replaces; r != nil { // the amended text comes first, because the question was about it
		title = plain(r.Title) + ", article " + plain(r.Article) + " nouveau, " + r.By() + " : " + title
	}
	parts := []string{fmt.Sprintf(`\[%d\] %s`, c.Index, title)}
	if c.OfficialNumber != "" && !strings.Contains(c.Title, c.OfficialNumber) {
		parts = append(parts, "n° "+plain(c.OfficialNumber))
	}
	if c.Article != nil {
		parts = append(parts, "article "+plain(*c.Article))
	}
	if c.Page != nil {
		parts = append(parts, fmt.Sprintf("page %d", *c.Page))
	}
	if as, err := time.Parse(time.DateOnly, c.AsOf); err == nil {
		parts = append(parts, "version consolidée au "+law.WriteDate(as))
	}
	if told, is := map[law.Status]string{law.Repealed: "abrogé", law.Amended: "modifié"}[c.Status]; is {
		parts = append(parts, told)
	}
	if c.URL == "" {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(" ([PDF](<%s%s>))", base, c.URL)
}

// stripLinks returns the Markdown of an answer with images, links, URLs and HTML as plain
// text. A manipulated model could otherwise make a viewer load an image, or a reader follow
// a link.
func stripLinks(text string) string {
	var b strings.Builder
	escaped := false // whether the previous rune is a backslash
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if opens(text[:i], r, text[i+size:]) && !escaped {
			b.WriteByte('\\')
		}
		b.WriteString(text[i : i+size])
		i += size
		escaped = r == '\\' && !escaped
	}
	return b.String()
}

// opens reports whether r, between two pieces of text, begins an image, a link, a URL in a
// link, or HTML.
func opens(before string, r rune, after string) bool {
	switch r {
	case '<', '@':
		return true
	case '[':
		return strings.HasSuffix(before, "!") || strings.HasSuffix(before, "]")
	case '(':
		return strings.HasSuffix(before, "]")
	case ':':
		return strings.HasSuffix(before, "]") || strings.HasPrefix(after, "//")
	case '.':
		return len(before) >= 3 && strings.EqualFold(before[len(before)-3:], "www")
	}
	return false
}

// plain returns a text on one line, with all Markdown escaped.
func plain(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quotation returns a text as a quotation: it escapes the text and puts prefix before each
// line. List markers at the start of a line are escaped with a backslash.
func quotation(prefix, text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		line = plain(line)
		if line != "" && strings.ContainsRune("-+=", rune(line[0])) {
			line = `\` + line
		}
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return strings.Join(lines, "\n")
}

func moment(t time.Time) string { return t.UTC().Format("02/01/2006 à 15:04") + " UTC" }
