package config

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
)

// secretFile is the suffix of variables that contain the path of a file with a secret, as
// containers and systemd provide them.
const secretFile = "_FILE"

// maxSecretFile is the maximum size of a file with a secret, in bytes.
const maxSecretFile = 16 << 10

// withFiles adds secrets from files to environ: NAME_FILE is the path of the file that
// contains NAME. Errors contain the path, never the content.
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
		case len(content) > maxSecretFile:
			found.add("%s%s : le fichier a %d octets, %d au plus", name, secretFile, len(content), maxSecretFile)
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

// secretNames returns the names of the secret settings of a configuration.
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
