package deployments

import (
	"regexp"
	"strings"
	"testing"
)

// upload is the route to which gazettes are uploaded, the only one whose bodies are large and slow.
const upload = "/api/v1/admin/documents"

// TestProxiesBoundRequests checks that the samples end slow requests, and let only uploads be large, slow and passed on
// unread. e2e runs them.
func TestProxiesBoundRequests(t *testing.T) {
	t.Parallel()
	if !strings.Contains(read(t, "../internal/web/httpapi/openapi.yaml"), "\n  "+upload+":\n") {
		t.Fatalf("the API has no %s", upload)
	}
	server := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(read(t, "proxies/nginx.conf"), "")
	location := regexp.MustCompile(`(?s)location = ` + upload + ` \{(.*?)\}`).FindStringSubmatch(server)
	if location == nil {
		t.Fatal("nginx.conf has no location for uploads")
	}
	rest := strings.Replace(server, location[0], "", 1)
	for text, where := range map[string]string{
		"proxy_request_buffering off;": location[1], "client_max_body_size 300m;": location[1],
		"proxy_request_buffering on;": rest, "client_max_body_size 2m;": rest, "limit_conn_status 429;": rest, "proxy_buffering off;": rest,
	} {
		if n := strings.Count(server, text); n != 1 || !strings.Contains(where, text) {
			t.Errorf("nginx.conf has %q %d times, or elsewhere", text, n)
		}
	}
	zone := regexp.MustCompile(`limit_conn_zone \$\w+ zone=(\w+):`).FindStringSubmatch(rest)
	if len(zone) != 2 || !regexp.MustCompile(`\n    limit_conn `+zone[1]+` \d+;`).MatchString(rest) {
		t.Errorf("nginx.conf does not count the requests of a client: %q", zone)
	}
	if !regexp.MustCompile(`client_header_timeout 10s;\s+client_body_timeout 10s;`).MatchString(rest) {
		t.Error("nginx.conf waits long for slow clients")
	}
	site := func(path string) string {
		text := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(read(t, path), "")
		_, text, _ = strings.Cut(text, " {\n")
		return strings.Join(strings.Fields(strings.Replace(text, "127.0.0.1:8080", "api:8080", 1)), " ")
	}
	own := site("proxies/Caddyfile")
	if site("proxies/compose.Caddyfile") != own {
		t.Error("the two samples of Caddy differ")
	}
	if !strings.Contains(own, "not path "+upload+" }") || !regexp.MustCompile(`request_body @\w+ \{ read_timeout \d+s \}`).MatchString(own) {
		t.Error("Caddyfile waits long for bodies, or ends uploads")
	}
	if strings.Contains(own, "flush_interval") {
		t.Error("with flush_interval Caddy does not tell the API that a client has left")
	}
}
