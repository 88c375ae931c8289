package deployments

import (
	"regexp"
	"strings"
	"testing"
	"vigueur/internal/web/httpapi"
)

// upload and parts are the routes to which gazettes are uploaded, whole and by parts, the only ones whose bodies are large
// and slow.
const (
	upload = "/api/v1/admin/documents"
	parts  = "/api/v1/admin/uploads"
)

// TestProxiesBoundRequests checks that the samples end slow requests, and let only uploads be large, slow and passed on
// unread. e2e runs them.
func TestProxiesBoundRequests(t *testing.T) {
	t.Parallel()
	for _, route := range []string{upload, parts} {
		if !strings.Contains(string(httpapi.OpenAPI()), `"`+route+`":`) {
			t.Fatalf("the API has no %s", route)
		}
	}
	server := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(read(t, "proxies/nginx.conf"), "")
	rest := server
	location := func(where string) string {
		found := regexp.MustCompile(`(?s)location ` + where + ` \{(.*?)\}`).FindStringSubmatch(server)
		if found == nil {
			t.Fatalf("nginx.conf has no location %s", where)
		}
		rest = strings.Replace(rest, found[0], "", 1)
		return found[1]
	}
	whole, byParts, checked := location("= "+upload), location(parts), location("= /api/v1/verify")
	if whole != byParts {
		t.Error("nginx.conf treats files that come by parts otherwise than whole ones")
	}
	for text, where := range map[string]string{
		"proxy_request_buffering off;": whole, "client_max_body_size 300m;": whole, "client_max_body_size 22m;": checked,
		"proxy_request_buffering on;": rest, "client_max_body_size 2m;": rest, "limit_conn_status 429;": rest, "proxy_buffering off;": rest,
	} {
		if n := strings.Count(rest+whole+checked, text); n != 1 || !strings.Contains(where, text) {
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
		text = regexp.MustCompile(`(?m)^\S+ \{$`).ReplaceAllString(text, "site {")
		return strings.Join(strings.Fields(strings.Replace(text, "127.0.0.1:8080", "api:8080", 1)), " ")
	}
	own := site("proxies/Caddyfile")
	if site("proxies/compose.Caddyfile") != own {
		t.Error("the two samples of Caddy differ")
	}
	if !strings.Contains(own, "not path "+upload+" "+parts+"/* /api/v1/verify }") || !regexp.MustCompile(`request_body @\w+ \{ read_timeout \d+s \}`).MatchString(own) {
		t.Error("Caddyfile waits long for bodies, or ends uploads")
	}
	if strings.Contains(own, "flush_interval") {
		t.Error("with flush_interval Caddy does not tell the API that a client has left")
	}
}

// TestProxiesLogNoSecrets checks that the samples log no address whole that opens something. The proxies, where they are
// installed, run in e2e.
func TestProxiesLogNoSecrets(t *testing.T) {
	t.Parallel()
	contract := string(httpapi.OpenAPI())
	nginx, caddy := read(t, "proxies/nginx.conf"), read(t, "proxies/Caddyfile")
	masks := regexp.MustCompile(`"~\*(\^/\S+)" /`).FindAllStringSubmatch(nginx, -1)
	quiet := regexp.MustCompile(`location ~\* (\S+) \{\s+error_log /dev/null emerg;`).FindStringSubmatch(nginx)
	filter := regexp.MustCompile(`request>uri regexp "([^"]+)" "\$\{1\}-"`).FindStringSubmatch(caddy)
	if len(masks) == 0 || quiet == nil || filter == nil {
		t.Fatalf("masks %q, errors %q, filter %q", masks, quiet, filter)
	}
	for route, address := range map[string]string{
		"/api/v1/shared/{token}":                     "/api/v1/Shared/secret?x=1",
		"/api/v1/alerts/stop":                        "/api/v1/alerts/stop?token=secret",
		"/api/v1/auth/providers/{provider}/callback": "/api/v1/auth/providers/etat/callback?code=secret&state=secret",
	} {
		if !strings.Contains(contract, `"`+route+`":`) {
			t.Errorf("the API has no %s", route)
		}
		path, _, _ := strings.Cut(address, "?")
		masked := false
		for _, m := range masks {
			masked = masked || regexp.MustCompile("(?i)"+m[1]).MatchString(path)
		}
		if !masked || !regexp.MustCompile("(?i)"+quiet[1]).MatchString(path) {
			t.Errorf("nginx logs %s", address)
		}
		if logged := regexp.MustCompile(filter[1]).ReplaceAllString(address, "${1}-"); strings.Contains(logged, "secret") {
			t.Errorf("Caddy logs %s", logged)
		}
	}
	// Every server of nginx logs in that form, and no other.
	if servers, logs := strings.Count(nginx, "\nserver {"), strings.Count(nginx, "    access_log /var/log/nginx/access.log vigueur;"); servers != logs || strings.Count(nginx, "access_log ") != logs {
		t.Errorf("%d servers, %d logs in the form without secrets", servers, logs)
	}
}
