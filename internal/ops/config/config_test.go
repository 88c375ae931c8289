package config

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func good() map[string]string {
	return map[string]string{
		"VIGUEUR_DATABASE_URL": "postgres://vigueur:tresor@127.0.0.1:5432/vigueur", "VIGUEUR_REDIS_URL": "redis://:tresor@127.0.0.1:6379/0",
		"VIGUEUR_BLOBS_URL": "file:///var/lib/vigueur", "VIGUEUR_JWT_SECRET": strings.Repeat("tresor", 6),
		"VIGUEUR_ADDRESS_SECRET": strings.Repeat("tresor", 6), "VIGUEUR_MAIL_DIR": "/var/lib/vigueur/mail",
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	api, err := LoadAPI(good())
	if err != nil {
		t.Fatal(err)
	}
	if api.Listen != "127.0.0.1:8080" || api.LogLevel != "info" || len(api.TrustedProxies) != 0 {
		t.Errorf("defaults %+v", api)
	}
	if w, err := LoadWorker(good()); err != nil || w.Answers != 16 || w.Ingestions != 2 {
		t.Errorf("worker %+v, %v", w, err)
	}
	if _, err := LoadIngest(good()); err != nil {
		t.Error(err)
	}
}

func TestEveryFaultIsTold(t *testing.T) {
	t.Parallel()
	environ := good()
	maps.Copy(environ, map[string]string{
		"VIGUEUR_DATABASE_URL": "mysql://x", "VIGUEUR_BLOBS_URL": "", "VIGUEUR_LISTEN": "nulle part",
		"VIGUEUR_JWT_SECRET": "court", "VIGUEUR_TRUSTED_PROXIES": "10.0.0.0/8,partout", "VIGUEUR_LOG_LEVEL": "fort",
		"VIGUEUR_ANSWER_WAIT": "1ms", "VIGUEUR_ANSWER_QUEUE": "0",
	})
	_, err := LoadAPI(environ)
	if !errs.Is(err, errs.Invalid) {
		t.Fatalf("error %v", err)
	}
	for _, name := range []string{"VIGUEUR_DATABASE_URL", "VIGUEUR_BLOBS_URL", "VIGUEUR_LISTEN", "VIGUEUR_JWT_SECRET", "partout", "VIGUEUR_LOG_LEVEL", "VIGUEUR_ANSWER_WAIT", "VIGUEUR_ANSWER_QUEUE"} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(errs.Public(err), name) {
				t.Errorf("%q does not name %s", errs.Public(err), name)
			}
		})
	}
	if strings.Contains(errs.Public(err), "court") {
		t.Error("a secret is printed")
	}
}

func TestUnreadableNumberIsNamedBesideOtherFaults(t *testing.T) {
	t.Parallel()
	environ := good()
	environ["VIGUEUR_WORKER_ANSWERS"], environ["VIGUEUR_WORKER_INGESTIONS"] = "beaucoup", "0"
	_, err := LoadWorker(environ)
	for _, name := range []string{"VIGUEUR_WORKER_ANSWERS", "VIGUEUR_WORKER_INGESTIONS"} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(errs.Public(err), name) {
				t.Errorf("%q does not name %s", errs.Public(err), name)
			}
		})
	}
}

// The error about an unreadable setting of any kind contains the name of the variable and
// the expected form, but not its value. No other setting is reported.
func TestUnreadableSettingsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		of   any
		load func(map[string]string) error
	}{
		{"api", API{}, func(e map[string]string) error { _, err := LoadAPI(e); return err }},
		{"worker", Worker{}, func(e map[string]string) error { _, err := LoadWorker(e); return err }},
		{"ingest", Ingest{}, func(e map[string]string) error { _, err := LoadIngest(e); return err }},
	} {
		t.Run(c.name, func(t *testing.T) {
			kinds := envKinds(reflect.TypeOf(c.of))
			if len(kinds) < 5 {
				t.Errorf("%s: only %d settings are no text", c.name, len(kinds))
			}
			for name, want := range kinds {
				environ := good()
				environ[name] = "xyzzy"
				told := errs.Public(c.load(environ))
				if !strings.Contains(told, "- "+name+" : valeur illisible ; il faut "+want) || strings.Contains(told, "xyzzy") || strings.Count(told, "\n") != 1 {
					t.Errorf("%s: an unreadable %s is told as %q", c.name, name, told)
				}
			}
		})
	}
}

// envKinds lists the settings that are numbers, durations or switches, with their expected
// form.
func envKinds(t reflect.Type) map[string]string {
	kinds := map[string]string{}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			maps.Copy(kinds, envKinds(field.Type))
			continue
		}
		want := map[string]string{"int": "un nombre entier", "int64": "un nombre entier", "float64": "un nombre", "bool": "true ou false", "time.Duration": "une durée comme 90s, 15m ou 1h"}[field.Type.String()]
		if want != "" {
			kinds[field.Tag.Get("env")] = want
		}
	}
	return kinds
}

func TestOriginsAreExact(t *testing.T) {
	t.Parallel()
	for origin, exact := range map[string]bool{
		"https://droit.example": true, "http://localhost:5173": true, "https://xn--bcher-kva.example": true, "http://[::1]:5173": true,
		"*": false, "null": false, "https://*.droit.example": false, "https://*": false, "https://droit.example/": false, "https://droit.example/page": false,
		"https://droit.example:443": false, "http://droit.example:80": false, "https://droit.example:": false, "https://Droit.example": false,
		"HTTPS://droit.example": false, "https://nom@droit.example": false, "https://droit.example?q": false, "https://droit.example#": false,
		"ftp://droit.example": false, "droit.example": false, "https://droit .example": false, "https://bücher.example": false, "https://": false,
	} {
		t.Run(origin, func(t *testing.T) {
			environ := good()
			environ["VIGUEUR_CORS_ORIGINS"] = origin
			_, err := LoadAPI(environ)
			if (err == nil) != exact || err != nil && !strings.Contains(errs.Public(err), "VIGUEUR_CORS_ORIGINS") {
				t.Errorf("%q: %v, want exact: %v", origin, err, exact)
			}
		})
	}
	environ := good()
	environ["VIGUEUR_CORS_ORIGINS"] = "https://droit.example,http://localhost:5173"
	if api, err := LoadAPI(environ); err != nil || len(api.CORSOrigins) != 2 {
		t.Errorf("%v, %v", api.CORSOrigins, err)
	}
	environ["VIGUEUR_CORS_ORIGINS"] = ""
	if api, err := LoadAPI(environ); err != nil || len(api.CORSOrigins) != 0 {
		t.Errorf("empty: %q, %v", api.CORSOrigins, err)
	}
}

func TestKeysOfTheTokens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  map[string]string
		want string // part of the error; "": no error
	}{
		"HS256 by default":        {nil, ""},
		"EdDSA":                   {map[string]string{"VIGUEUR_JWT_ALGORITHM": "EdDSA", "VIGUEUR_JWT_KEY_FILE": "/cle.pem", "VIGUEUR_JWT_SECRET": ""}, ""},
		"RS256 beside a secret":   {map[string]string{"VIGUEUR_JWT_ALGORITHM": "RS256", "VIGUEUR_JWT_KEY_FILE": "/cle.pem"}, ""},
		"no file":                 {map[string]string{"VIGUEUR_JWT_ALGORITHM": "EdDSA"}, "VIGUEUR_JWT_KEY_FILE"},
		"a file that is not used": {map[string]string{"VIGUEUR_JWT_KEY_FILE": "/cle.pem"}, "VIGUEUR_JWT_KEY_FILE"},
		"none":                    {map[string]string{"VIGUEUR_JWT_ALGORITHM": "none"}, "VIGUEUR_JWT_ALGORITHM"},
		"HS512":                   {map[string]string{"VIGUEUR_JWT_ALGORITHM": "HS512"}, "VIGUEUR_JWT_ALGORITHM"},
		"no secret":               {map[string]string{"VIGUEUR_JWT_SECRET": ""}, "VIGUEUR_JWT_SECRET"},
	} {
		t.Run(name, func(t *testing.T) {
			environ := good()
			maps.Copy(environ, c.set)
			api, err := LoadAPI(environ)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(errs.Public(err), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			for _, s := range Settings(api) {
				if strings.Contains(s.Value, "tresortresor") {
					t.Errorf("%s: %s shows its secret", name, s.Env)
				}
			}
		})
	}
}

func TestSettingsHideSecrets(t *testing.T) {
	t.Parallel()
	api, err := LoadAPI(good())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Setting{}
	for _, s := range Settings(api) {
		byName[s.Env] = s
		if strings.Contains(s.Value, "tresor") {
			t.Errorf("%s shows its secret: %s", s.Env, s.Value)
		}
		if s.Help == "" {
			t.Errorf("%s has no help", s.Env)
		}
	}
	if got := byName["VIGUEUR_DATABASE_URL"].Value; got != "postgres://vigueur:xxxxx@127.0.0.1:5432/vigueur" {
		t.Errorf("database %s", got)
	}
	if got := byName["VIGUEUR_JWT_SECRET"]; got.Value != "(masqué)" || !got.Secret {
		t.Errorf("secret %+v", got)
	}
}

func TestPasswordsAmongParametersAreHidden(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"redis://:tresor@a/1", "rediss://u:tresor@a:1/2?read_timeout=5s"} {
		t.Run(address, func(t *testing.T) {
			environ := good()
			environ["VIGUEUR_REDIS_URL"] = address
			api, err := LoadAPI(environ)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range Settings(api) {
				if strings.Contains(s.Value, "tresor") {
					t.Errorf("%s shows its secret: %s", s.Env, s.Value)
				}
			}
		})
	}
}

func TestMilvusIsAnAddressWithoutSecrets(t *testing.T) {
	t.Parallel()
	for address, right := range map[string]bool{"": true, "http://milvus:19530": true, "https://milvus.example/droit": true,
		"http://nom:tresor@milvus:19530": false, "milvus:19530": false, "http://milvus?token=tresor": false, "tcp://milvus": false} {
		t.Run(address, func(t *testing.T) {
			environ := good()
			environ["VIGUEUR_MILVUS_URL"], environ["VIGUEUR_MILVUS_KEY"] = address, "nom:tresor"
			loaded, err := LoadWorker(environ)
			if (err == nil) != right || err != nil && (!strings.Contains(errs.Public(err), "VIGUEUR_MILVUS_URL") || strings.Contains(errs.Public(err), "tresor")) {
				t.Errorf("%q: %v", address, err)
			}
			for _, s := range Settings(loaded) {
				if s.Env == "VIGUEUR_MILVUS_KEY" && (!s.Secret || strings.Contains(s.Value, "tresor")) {
					t.Errorf("the key is shown: %+v", s)
				}
			}
		})
	}
}

func TestStateFileIsFoundUpward(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	for _, dir := range []string{deep, filepath.Join(root, ".state")} {
		t.Run(dir, func(t *testing.T) {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		})
	}
	if got := findState(deep); len(got) != 0 {
		t.Errorf("found %v where there is none", got)
	}
	content := "# a comment\n\nVIGUEUR_REDIS_URL=redis://x?a=b\nnonsense\n"
	if err := os.WriteFile(filepath.Join(root, ".state", "env"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := findState(deep); len(got) != 1 || got["VIGUEUR_REDIS_URL"] != "redis://x?a=b" {
		t.Errorf("found %v", got)
	}
}

func TestMessagesNeedSomewhereToGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set   map[string]string
		names []string
	}{
		"a folder":            {map[string]string{}, nil},
		"nothing":             {map[string]string{"VIGUEUR_MAIL_DIR": ""}, []string{"VIGUEUR_MAIL_DIR"}},
		"a server alone":      {map[string]string{"VIGUEUR_SMTP_URL": "smtp://x:tresor@mail"}, []string{"VIGUEUR_MAIL_FROM", "VIGUEUR_MAIL_TO"}},
		"a server of the web": {map[string]string{"VIGUEUR_SMTP_URL": "https://x:tresor@mail"}, []string{"VIGUEUR_SMTP_URL"}},
		"no addresses":        {map[string]string{"VIGUEUR_MAIL_FROM": "moi", "VIGUEUR_MAIL_TO": "a@b.c;d@e.f"}, []string{"VIGUEUR_MAIL_FROM", "VIGUEUR_MAIL_TO"}},
		"all": {map[string]string{"VIGUEUR_MAIL_DIR": "", "VIGUEUR_SMTP_URL": "smtps://x:tresor@mail", "VIGUEUR_MAIL_FROM": "Vigueur <a@b.c>",
			"VIGUEUR_MAIL_TO": "a@b.c, D <d@e.f>"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			environ := good()
			maps.Copy(environ, c.set)
			loaded, err := LoadWorker(environ)
			if (err == nil) != (c.names == nil) {
				t.Errorf("%s: %v", name, err)
			}
			for _, v := range c.names {
				if !strings.Contains(errs.Public(err), v) {
					t.Errorf("%s: %q does not name %s", name, errs.Public(err), v)
				}
			}
			for _, s := range Settings(loaded) {
				if strings.Contains(s.Value, "tresor@mail") {
					t.Errorf("%s shows its secret: %s", s.Env, s.Value)
				}
			}
		})
	}
}
