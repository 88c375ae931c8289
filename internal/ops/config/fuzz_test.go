package config

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

// FuzzParseState: each setting of a file is a line of it, and comments are none.
func FuzzParseState(f *testing.F) {
	for _, seed := range []string{"", "A=1\nB=2", "# A=1", "A", "=", "A=1\r\nA=2", " A = b=c ", "\xff=\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, value := range parseState(text) {
			if strings.HasPrefix(name, "#") || strings.ContainsAny(name+value, "\n") || !strings.Contains(text, name+"="+value) {
				t.Errorf("%q: %q is %q", text, name, value)
			}
		}
	})
}

// FuzzSettings gives one setting of each program any value: it is taken, or refused as invalid without a panic, and a
// secret is not in the message.
func FuzzSettings(f *testing.F) {
	for _, seed := range [][2]string{
		{"VIGUEUR_WORKER_FILE_OCR", "5h"}, {"VIGUEUR_DATABASE_URL", "postgres://u:tresor@h/d?x=%zz"}, {"VIGUEUR_REDIS_URL", "rediss://a:b/m"},
		{"VIGUEUR_TRUSTED_PROXIES", "10.0.0.0/8,::/0"}, {"VIGUEUR_OIDC_PROVIDERS", "a,b"}, {"VIGUEUR_OIDC_ISSUERS", "https://[::1"}, {"VIGUEUR_MAIL_FROM", "a <"},
		{"VIGUEUR_BLOBS_URL", "s3://a?endpoint=%"}, {"VIGUEUR_MODEL_URL", "http://a,,b"}, {"VIGUEUR_CORS_ORIGINS", "https://a:b"}, {"VIGUEUR_SMTP_URL", "smtps://a:tresor@b:c"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		if strings.HasSuffix(name, "_FILE") {
			return // it would be read
		}
		environ := good()
		environ[name] = value
		for program, load := range programs {
			err := load(environ)
			if err != nil && (!errs.Is(err, errs.Invalid) || errs.Public(err) == "") {
				t.Errorf("%s with %s=%q: %v", program, name, value, err)
			}
		}
	})
}
