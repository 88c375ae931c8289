package respond

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"
)

// Download responds with a file to be saved under its name.
func Download(c *fiber.Ctx, name, ending, kind string, body []byte) error {
	name = fileName(name)
	c.Set(fiber.HeaderContentDisposition,
		fmt.Sprintf(`attachment; filename="%[1]s.%[3]s"; filename*=UTF-8''%[2]s.%[3]s`, ascii(name), percent(name), ending))
	c.Set(fiber.HeaderContentType, kind)
	return c.Send(body)
}

// Disposition names the file after its title (RFC 6266): in ASCII for old clients, and in
// full.
func Disposition(title string) string {
	name := fileName(title)
	return fmt.Sprintf(`inline; filename="%s.pdf"; filename*=UTF-8''%s.pdf`, ascii(name), percent(name))
}

// fileName converts a title to a name that is valid on every system.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, title)
	runes := []rune(strings.Join(strings.Fields(name), " "))
	name = strings.Trim(string(runes[:min(len(runes), nameLimit)]), " .")
	if name == "" {
		return "document"
	}
	return name
}

// ascii replaces what is not ASCII by underscores.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || r == '%' {
			return '_'
		}
		return r
	}, name)
}

// percent encodes a value by RFC 8187.
func percent(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < 0x80 && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
