package main

import (
	"fmt"
	"net"
	"regexp"
	"strings"
)

// hub is the registry of names that tell none.
const hub = "docker.io"

// reference is an image as files name it: name:tag, and @digest once it is pinned.
type reference struct {
	registry   string // host, with its port where it has one
	repository string
	tag        string
	digest     string // sha256:…; "": the tag alone
	written    string // without the digest, as it stood
}

var (
	namePattern   = regexp.MustCompile(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$`)
	tagPattern    = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)
	hostPattern   = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$`)
	digestPattern = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

// parse reads a reference by the rules of those who run images: the first part is a
// registry when it has a dot or a port, or is localhost; else the name is one of the
// hub's, under library/ when it has one part.
func parse(text string) (r reference, err error) {
	written, digest, pinned := strings.Cut(text, "@")
	r = reference{registry: hub, digest: digest, written: written}
	if pinned && !digestPattern.MatchString(digest) {
		return r, fmt.Errorf("%s: the digest is not sha256: and 64 hexadecimal digits", text)
	}
	rest := written
	if first, more, several := strings.Cut(written, "/"); several && (strings.ContainsAny(first, ".:") || first == "localhost") {
		r.registry, rest = first, more
	}
	var tagged bool
	if r.repository, r.tag, tagged = strings.Cut(rest, ":"); !tagged || !tagPattern.MatchString(r.tag) {
		return r, fmt.Errorf("%s: a tag is missing, or is none", text)
	}
	if !namePattern.MatchString(r.repository) || !hostPattern.MatchString(r.registry) {
		return r, fmt.Errorf("%s is no name of an image", text)
	}
	if r.registry == hub && !strings.Contains(r.repository, "/") {
		r.repository = "library/" + r.repository
	}
	return r, nil
}

// isLoopback reports whether a host, with or without a port, is this machine: registries there
// have no TLS.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
