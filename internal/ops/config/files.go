package config

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
)

// secretFile is the suffix of variables that name a file with a secret, as containers and
// systemd provide them.
const secretFile = "_FILE"

// mostSecret is the maximum size of such a file in bytes.
const mostSecret = 16 << 10

// withFiles adds secrets from files to environ: NAME_FILE is the path of the file with NAME.
// Errors name the file and never contain what is in it.
func withFiles(of reflect.Type, environ map[string]string) (complete map[string]string, found faults) {
	complete = maps.Clone(environ)
	for _, name := range secretNames(of) {
		path := environ[name+secretFile]
		if path == "" {
			continue
		}
		if environ[name] != "" {
			found.add("%s et %s%s : un seul des deux", name, name, secretFile)
			continue
		}
		content, err := os.ReadFile(path)
		switch {
		case err != nil:
			found.add("%s%s : %s", name, secretFile, fileFault(err))
		case len(content) > mostSecret:
			found.add("%s%s : le fichier a %d octets, %d au plus", name, secretFile, len(content), mostSecret)
		default:
			complete[name] = strings.TrimRight(string(content), "\r\n")
		}
	}
	return complete, found
}

func fileFault(err error) string {
	switch {
	case os.IsNotExist(err):
		return "le fichier n’existe pas"
	case os.IsPermission(err):
		return "le fichier ne peut pas être lu : vérifiez ses droits"
	}
	return fmt.Sprintf("le fichier ne peut pas être lu : %v", err)
}

// secretNames are the settings of a configuration that are secret.
func secretNames(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		switch {
		case field.Anonymous:
			names = append(names, secretNames(field.Type)...)
		case field.Tag.Get("secret") != "":
			names = append(names, field.Tag.Get("env"))
		}
	}
	return names
}
