package config

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
)

// secretFile is what stands behind the name of a setting that is a secret, for the path
// of a file that has it: as containers and systemd hand secrets over.
const secretFile = "_FILE"

// mostSecret is the longest secret of a file, in bytes.
const mostSecret = 16 << 10

// withFiles completes environ by the secrets that stand in files: NAME_FILE says where NAME
// is. The faults say which file is at fault, and never what is in it.
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
