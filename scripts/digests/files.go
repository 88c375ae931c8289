package main

import (
	"os"
	"regexp"
	"strings"
)

// named are the files that name images which are fetched, and how each does.
var named = map[string]*regexp.Regexp{
	"deployments/compose.yaml":             regexp.MustCompile(`(?m)^(\s+image: )(\S+)()$`),
	"deployments/Dockerfile":               regexp.MustCompile(`(?m)^(FROM |# syntax=)(\S+)( AS \S+)?$`),
	"deployments/helm/vigueur/values.yaml": regexp.MustCompile(`(?m)^(\s+image: )(\S+)()$`),
}

// own tells of a name that it is none of a registry's: an image that is built here, or a
// stage of the same file.
func own(name string) bool {
	return strings.HasPrefix(name, "vigueur-") || !strings.ContainsAny(name, ":/")
}

// rewrite returns text with each image that it names replaced by what to gives for it.
func rewrite(text string, pattern *regexp.Regexp, to func(name string) (string, error)) (out string, err error) {
	out = pattern.ReplaceAllStringFunc(text, func(line string) string {
		parts := pattern.FindStringSubmatch(line)
		if err != nil || own(parts[2]) {
			return line
		}
		var name string
		if name, err = to(parts[2]); err != nil {
			return line
		}
		return parts[1] + name + parts[3]
	})
	return out, err
}

// replace writes a file anew, by renaming: who reads it meanwhile sees one or the other.
func replace(path, text string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	aside := path + ".new"
	if err := os.WriteFile(aside, []byte(text), info.Mode().Perm()); err != nil {
		return err
	}
	return os.Rename(aside, path)
}
