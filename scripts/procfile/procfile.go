package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// line is one entry of a Procfile: "name: command".
type line struct {
	name    string
	command string
}

// process is one thing to start: a line, or one of several of it (worker.1, worker.2).
type process struct {
	name    string
	command string
}

// counts says how many processes a line stands for; 1 where it says nothing. It is a flag.Value.
type counts map[string]int

func (c counts) String() string { return "" }

func (c counts) Set(value string) error {
	name, number, _ := strings.Cut(value, "=")
	n, err := strconv.Atoi(number)
	if name == "" || err != nil || n < 0 || n > 64 {
		return fmt.Errorf("%q is not name=number with a number from 0 to 64", value)
	}
	c[name] = n
	return nil
}

// load reads the Procfile at path and multiplies its lines.
func load(path string, c counts) ([]process, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return multiply(lines, c)
}

// parse reads the lines of a Procfile in order. Blank lines and those that begin with # are passed over;
// anything else that is not "name: command", or a name that comes twice, is an error with its line number.
func parse(r io.Reader) ([]line, error) {
	form := regexp.MustCompile(`^([A-Za-z0-9_-]+):\s*(\S.*)$`)
	var lines []line
	scanner := bufio.NewScanner(r)
	for number := 1; scanner.Scan(); number++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		parts := form.FindStringSubmatch(text)
		if parts == nil {
			return nil, fmt.Errorf("line %d is not \"name: command\"", number)
		}
		if slices.ContainsFunc(lines, func(l line) bool { return l.name == parts[1] }) {
			return nil, fmt.Errorf("line %d names %s a second time", number, parts[1])
		}
		lines = append(lines, line{name: parts[1], command: parts[2]})
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("no line to start")
	}
	return lines, nil
}

// multiply turns lines into processes, as often as c says. A count for a line that does not exist is an
// error, for it is a slip of the pen.
func multiply(lines []line, c counts) ([]process, error) {
	var processes []process
	known := map[string]bool{}
	for _, l := range lines {
		known[l.name] = true
		n, set := c[l.name]
		if !set {
			n = 1
		}
		for i := 1; i <= n; i++ {
			name := l.name
			if n > 1 {
				name = fmt.Sprintf("%s.%d", l.name, i)
			}
			processes = append(processes, process{name: name, command: l.command})
		}
	}
	for name := range c {
		if !known[name] {
			return nil, fmt.Errorf("no line is called %s", name)
		}
	}
	if len(processes) == 0 {
		return nil, fmt.Errorf("nothing to start")
	}
	return processes, nil
}

// readSettings returns the KEY=VALUE lines of the file at path whose key is not in environ; none for an
// empty path.
func readSettings(path string, environ []string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, entry := range environ {
		key, value, _ := strings.Cut(entry, "=")
		set[key] = value != ""
	}
	var settings []string
	for entry := range strings.Lines(string(content)) {
		entry = strings.TrimRight(entry, "\r\n")
		key, _, found := strings.Cut(entry, "=")
		if found && !strings.HasPrefix(key, "#") && !set[key] {
			settings = append(settings, entry)
		}
	}
	return settings, nil
}
