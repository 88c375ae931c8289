package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// registries asks for what tags mean, by the distribution protocol of the OCI, without an
// account.
type registries struct {
	client  *http.Client
	address func(host string) string // of a registry, up to and without /v2; nil: the usual
}

// forms are what a tag may mean, the list of an image for several machines first.
var forms = []string{
	"application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json",
	"application/vnd.oci.image.manifest.v1+json", "application/vnd.docker.distribution.manifest.v2+json",
}

// mostBytes bounds what is read of an answer; a list of images has a few kilobytes.
const mostBytes = 4 << 20

func (r *registries) base(host string) string {
	switch {
	case r.address != nil:
		return r.address(host)
	case host == hub:
		return "https://registry-1.docker.io"
	case isLoopback(host):
		return "http://" + host
	}
	return "https://" + host
}

// digest returns the digest that a reference's tag means now. It is worked out from the
// bytes that the registry gives; a registry that says another is refused.
func (r *registries) digest(ctx context.Context, ref reference) (string, error) {
	address := r.base(ref.registry) + "/v2/" + ref.repository + "/manifests/" + ref.tag
	answer, err := r.get(ctx, address, "")
	if err != nil {
		return "", fmt.Errorf("%s: %w", ref.written, err)
	}
	if answer.status == http.StatusUnauthorized {
		token, err := r.token(ctx, answer.header.Get("WWW-Authenticate"), ref)
		if err != nil {
			return "", fmt.Errorf("%s: %w", ref.written, err)
		}
		if answer, err = r.get(ctx, address, token); err != nil {
			return "", fmt.Errorf("%s: %w", ref.written, err)
		}
	}
	if answer.status != http.StatusOK {
		return "", fmt.Errorf("%s: the registry answers %d: %.200s", ref.written, answer.status, answer.body)
	}
	var manifest struct {
		Schema int `json:"schemaVersion"`
	}
	if err := json.Unmarshal(answer.body, &manifest); err != nil || manifest.Schema != 2 {
		return "", fmt.Errorf("%s: what the registry gives is no manifest", ref.written)
	}
	sum := sha256.Sum256(answer.body)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	if said := answer.header.Get("Docker-Content-Digest"); said != "" && said != digest {
		return "", fmt.Errorf("%s: the registry says %s and gives the bytes of %s", ref.written, said, digest)
	}
	return digest, nil
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

func (r *registries) get(ctx context.Context, address, token string) (a answer, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return a, err
	}
	for _, form := range forms {
		request.Header.Add("Accept", form)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return a, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	if err = errors.Join(err, response.Body.Close()); err == nil && len(body) > mostBytes {
		err = fmt.Errorf("an answer of more than %d bytes", mostBytes)
	}
	return answer{response.StatusCode, response.Header, body}, err
}

var parameter = regexp.MustCompile(`(\w+)="([^"]*)"`)

// token asks for the right to read what a registry asks it for; nobody signs in.
func (r *registries) token(ctx context.Context, challenge string, ref reference) (string, error) {
	scheme, rest, _ := strings.Cut(challenge, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", fmt.Errorf("the registry wants %q, and images of everybody's are read here", scheme)
	}
	said := map[string]string{}
	for _, m := range parameter.FindAllStringSubmatch(rest, -1) {
		said[m[1]] = m[2]
	}
	realm, err := url.Parse(said["realm"])
	if err != nil || realm.Scheme != "https" && (realm.Scheme != "http" || !isLoopback(realm.Host)) {
		return "", fmt.Errorf("tokens would be asked for at %q", said["realm"])
	}
	query := realm.Query()
	query.Set("service", said["service"])
	query.Set("scope", "repository:"+ref.repository+":pull")
	realm.RawQuery = query.Encode()
	given, err := r.get(ctx, realm.String(), "")
	if err != nil {
		return "", err
	}
	var body struct {
		Token  string `json:"token"`
		Access string `json:"access_token"`
	}
	if err := json.Unmarshal(given.body, &body); given.status != http.StatusOK || err != nil || cmp.Or(body.Token, body.Access) == "" {
		return "", fmt.Errorf("%s gives no token: %d", realm.Host, given.status)
	}
	return cmp.Or(body.Token, body.Access), nil
}
