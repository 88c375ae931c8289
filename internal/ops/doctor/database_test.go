package doctor

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/postgres"
)

func lines(n *notes) (all []string) {
	for _, f := range n.found {
		all = append(all, string(f.State)+": "+f.Found)
	}
	return all
}

// sound is a database without a fault, in the view of the service's role.
func sound() postgres.Examined {
	return postgres.Examined{Role: "service", Database: "vigueur", Version: 150004, Encoding: "UTF8", Checksums: true, Archiving: true,
		MaxConns: 100, Conns: 3, Processes: 2, PossibleConns: 100, Made: true, Schema: 7, Newest: 7}
}

func TestDatabasesAreJudged(t *testing.T) {
	t.Parallel()
	p := newTarget(map[string]string{})
	judged := func(change func(*postgres.Examined)) []string {
		e, n := sound(), &notes{}
		change(&e)
		p.checkServer(e, n)
		p.checkSchema(e, n)
		return lines(n)
	}
	for _, line := range judged(func(*postgres.Examined) {}) {
		if !strings.HasPrefix(line, "ok: ") {
			t.Errorf("a sound database: %s", line)
		}
	}
	for wanted, change := range map[string]func(*postgres.Examined){
		"fail: trop ancien":                    func(e *postgres.Examined) { e.Version = 130010 },
		"fail: encodage LATIN1":                func(e *postgres.Examined) { e.Encoding = "LATIN1" },
		"fail: ne fait que lire":               func(e *postgres.Examined) { e.Replica = true },
		"fail: fsync = off":                    func(e *postgres.Examined) { e.Unsafe = []string{"fsync"} },
		"warn: somme de contrôle":              func(e *postgres.Examined) { e.Checksums = false },
		"warn: archive_mode":                   func(e *postgres.Examined) { e.Archiving = false },
		"warn: un répartiteur de connexions":   func(e *postgres.Examined) { e.Pooled = true },
		"warn: 90 connexions ouvertes sur 100": func(e *postgres.Examined) { e.Conns = 90 },
		"warn: les processus qui tournent (2) peuvent ouvrir assez de connexions pour qu’il y en ait 101 ; le serveur en accepte 100, et 3 sont ouvertes": func(e *postgres.Examined) { e.PossibleConns = 101 },
		"warn: une transaction est ouverte depuis 2h":   func(e *postgres.Examined) { e.Oldest = 2 * time.Hour },
		"fail: transactions sans nettoyage":             func(e *postgres.Examined) { e.Age = 2_000_000_000 },
		"fail: la base est vide":                        func(e *postgres.Examined) { e.Made = false },
		"fail: le schéma est à l’étape 6, le programme": func(e *postgres.Examined) { e.Schema = 6 },
		"warn: plus récente que ce programme":           func(e *postgres.Examined) { e.Schema = 8 },
		"fail: extensions absentes : unaccent":          func(e *postgres.Examined) { e.Missing = []string{"unaccent"} },
		"fail: index inutilisables : i":                 func(e *postgres.Examined) { e.Invalid = []string{"i"} },
		"warn: pas de partition":                        func(e *postgres.Examined) { e.NoPartition = true },
	} {
		want(t, judged(change), wanted)
	}
}

func TestRolesAreJudged(t *testing.T) {
	t.Parallel()
	for wanted, change := range map[string]func(*postgres.Examined){
		"ok: a les droits du service et pas davantage":      func(*postgres.Examined) {},
		"warn: superutilisateur":                            func(e *postgres.Examined) { e.Super, e.Owner = true, true },
		"warn: en propriétaire":                             func(e *postgres.Examined) { e.Owner = true },
		"warn: le service peut changer les lignes":          func(e *postgres.Examined) { e.Open = []string{"audit"} },
		"fail: n’a pas les droits qu’il faut sur documents": func(e *postgres.Examined) { e.Denied = []string{"documents"} },
		"unseen: le rôle service ne lit pas audit_2026_01, audit_2026_02, audit_2026_03, … : une sauvegarde": func(e *postgres.Examined) {
			e.Unread = []string{"audit_2026_01", "audit_2026_02", "audit_2026_03", "audit_later"}
		},
	} {
		t.Run(wanted, func(t *testing.T) {
			p, n := newTarget(map[string]string{}), &notes{}
			p.once.Do(func() { p.examined = sound() })
			change(&p.examined)
			p.checkRoles(t.Context(), n)
			want(t, lines(n), wanted)
		})
	}
}

// TestTheOwnersAddressIsForRootAlone checks that a file with the owner's address is a fault unless it is root's, and no other
// account's to read.
func TestTheOwnersAddressIsForRootAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "owner.env")
	told := func() bool {
		p, n := newTarget(map[string]string{}), &notes{}
		p.ownerFile = path
		p.checkRoles(t.Context(), n)
		return slices.ContainsFunc(lines(n), func(l string) bool { return strings.HasPrefix(l, "fail: ") && strings.Contains(l, path) })
	}
	if told() {
		t.Error("a file that is not there is told of")
	}
	for _, c := range []struct {
		mode  os.FileMode
		owner int
		want  bool
	}{{0o600, 0, false}, {0o640, 0, true}, {0o604, 0, true}, {0o600, 12345, true}} {
		if err := os.WriteFile(path, []byte("VIGUEUR_DATABASE_OWNER_URL=postgres://x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(path, c.owner, 0); err != nil {
				t.Fatal(err)
			}
		} else {
			c.want = true // it is this account's
		}
		if got := told(); got != c.want {
			t.Errorf("%v of account %d: told of %v, want %v", c.mode, c.owner, got, c.want)
		}
	}
}

func TestSettingsAreHeldAgainstEachOther(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "jwt.pem")
	if err := os.WriteFile(key, []byte("no key"), 0o644); err != nil {
		t.Fatal(err)
	}
	good := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://127.0.0.1:1/x", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:1", "VIGUEUR_BLOBS_URL": "file:///x",
		"VIGUEUR_JWT_SECRET": strings.Repeat("jeton-", 8), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8), "VIGUEUR_BASE_URL": "https://droit.example",
		"VIGUEUR_TRUSTED_PROXIES": "10.0.0.0/8", "VIGUEUR_MAIL_DIR": "/x", "VIGUEUR_PROFILE": "local"}
	for wanted, change := range map[string]map[string]string{
		"ok: aucun n’en contredit un autre":              {},
		"fail: VIGUEUR_ANSWER_WAIT":                      {"VIGUEUR_ANSWER_WAIT": "1ms"},
		"warn: aucun programme ne lit VIGUEUR_LISTE":     {"VIGUEUR_LISTE": ":80"},
		"warn: le même secret":                           {"VIGUEUR_ADDRESS_SECRET": strings.Repeat("jeton-", 8)},
		"warn: en http":                                  {"VIGUEUR_BASE_URL": "http://droit.example"},
		"fail: croit tout le monde":                      {"VIGUEUR_TRUSTED_PROXIES": "0.0.0.0/0"},
		"warn: aucun mandataire n’est de confiance":      {"VIGUEUR_TRUSTED_PROXIES": ""},
		"warn: écoute sur une adresse publique":          {"VIGUEUR_METRICS_LISTEN": "203.0.113.7:9090"},
		"fail: n’est pas une clé attendue":               {"VIGUEUR_JWT_ALGORITHM": "EdDSA", "VIGUEUR_JWT_KEY_FILE": key},
		"warn: d’autres comptes peuvent lire":            {"VIGUEUR_JWT_ALGORITHM": "EdDSA", "VIGUEUR_JWT_KEY_FILE": key},
		"fail: ne peut pas être lu":                      {"VIGUEUR_JWT_ALGORITHM": "EdDSA", "VIGUEUR_JWT_KEY_FILE": key + ".absent"},
		"unseen: les réglages de « worker » ne sont pas": {"VIGUEUR_MAIL_DIR": ""},
		"fail: VIGUEUR_REDIS_URL":                        {"VIGUEUR_REDIS_URL": "ailleurs"},
	} {
		t.Run(wanted, func(t *testing.T) {
			environ := maps.Clone(good)
			maps.Copy(environ, change)
			n := &notes{}
			newTarget(environ).checkSettings(t.Context(), n)
			want(t, lines(n), wanted)
		})
	}
}

func TestClocksAndCertificatesAreJudged(t *testing.T) {
	t.Parallel()
	for ahead, wanted := range map[time.Duration]string{3 * time.Second: "warn: avance", -time.Hour: "fail: retarde"} {
		n := &notes{}
		clock(n, ahead, time.Millisecond)
		want(t, lines(n), wanted)
	}
	n := &notes{}
	clock(n, 3*time.Second, 4*time.Second) // the duration of the trip explains the difference
	clock(n, -time.Second, 0)
	if len(n.found) > 0 {
		t.Errorf("found %+v", n.found)
	}
	for end, wanted := range map[time.Time]string{{}: "unseen: fin non vue", time.Now().Add(-time.Hour): "fail: a expiré", time.Now().Add(time.Hour): "warn: expire le",
		time.Now().Add(1000 * time.Hour): "ok: vaut jusqu’au"} {
		n := &notes{}
		expires(n, "le certificat", end)
		want(t, lines(n), wanted)
	}
}

func TestVersionsAndSizes(t *testing.T) {
	t.Parallel()
	for text, wanted := range map[string]bool{"2.6.4": true, "2.6.5": false, "2.5.99": true, "2.6.10-rc1": false, "3.0.0": false} {
		t.Run(text, func(t *testing.T) {
			if v, ok := numbers(text); !ok || older(v, leastMilvus) != wanted {
				t.Errorf("%s: %v, %v", text, v, ok)
			}
		})
	}
	if _, ok := numbers("dev"); ok {
		t.Error("« dev » is read as a version")
	}
	if got := terminal.Bytes(held(100_000_000, true)) + ", " + terminal.Bytes(held(100_000_000, false)); got != "1,0 Mio, 82,4 Gio" {
		t.Errorf("a worker holds %s", got)
	}
	for n, wanted := range map[int64]string{0: "0 o", 1023: "1023 o", 1536: "1,5 Kio", 3 << 30: "3,0 Gio"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := terminal.Bytes(n); got != wanted {
				t.Errorf("%d: %s", n, got)
			}
		})
	}
}
