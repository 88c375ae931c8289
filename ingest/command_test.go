package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/version"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/gazettes"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{}}
	var all strings.Builder
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		r := d.run(t, append(path, "--help")...)
		r.want(t, exitDone)
		all.WriteString("$ ingest " + strings.Join(append(path, "--help"), " ") + "\n" + r.out + "\n")
		for _, sub := range c.Commands() {
			if sub.Name() != "help" {
				walk(sub, append(path[:len(path):len(path)], sub.Name()))
			}
		}
	}
	walk((&app{}).root(), nil)
	d.golden(t, "help", all.String())
	for _, english := range []string{"default", "Usage:", "Flags", "Available", "help for", "for more"} {
		t.Run(english, func(t *testing.T) {
			if strings.Contains(all.String(), english) {
				t.Errorf("the help speaks English: %q", english)
			}
		})
	}
}

// TestHelpFitsTheTerminal checks that the help is wrapped to the width of the terminal.
func TestHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{}, width: 60}
	d.run(t, "user", "list", "--help").want(t, exitDone, "ingest user list [options]", "\n      --json             écrit du JSON au lieu d’un tableau\n")
	d.run(t, "watch", "--help").want(t, exitDone, "Ajoute chaque fichier *.pdf d’un dossier et de ses\nsous-dossiers, puis ceux")
}

// TestListsInJSON checks that every list has one shape, also when it is empty.
func TestListsInJSON(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := postgres.NewID()
	if err := pgtest.AddFile(t.Context(), d.db(t), postgres.Ingestion{ID: id, SHA256: strings.Repeat("a", 64), Filename: "a.pdf", Size: 1}); err != nil {
		t.Fatal(err)
	}
	d.run(t, "cancel", id.String()).want(t, exitDone)
	for _, command := range []string{"status", "documents", "review list", "review editions", "review relations", "keys list", "user list", "config",
		"migrate status", "audit list", "gazette edits " + id.String(), "forget " + id.String(), "migrate up"} {
		t.Run(command, func(t *testing.T) {
			r := d.run(t, append(strings.Fields(command), "--json")...)
			var list struct {
				Items *[]json.RawMessage `json:"items"`
				Total *int               `json:"total"`
			}
			if err := json.Unmarshal([]byte(r.out), &list); err != nil || list.Items == nil || list.Total == nil {
				t.Errorf("%v: %s%s", err, r.out, r.err)
			}
		})
	}
}

func TestWrongUsage(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{}}
	for _, c := range []struct{ args, want string }{
		{"ad", "Commande inconnue : « ingest ad ». Vouliez-vous dire « add », « ask » ?"},
		{"user nuke", "Commande inconnue : « ingest user nuke »."},
		{"help nuke", "Commande inconnue : « nuke »."},
		{"add", "Il manque un fichier ou un dossier."},
		{"add --vite x.pdf", "Option inconnue : « --vite »."},
		{"add -v x.pdf", "Option inconnue : « -v »."},
		{"ask --date", "L’option « --date » attend une valeur."},
		{"documents --page deux", "L’option « --page » ne peut pas valoir « deux »."},
		{"status --limit 0", "--limit va de 1 à 10000"},
		{"status --state mort", "--state ne peut pas valoir « mort »"},
		{"status 12", "« 12 » n’est pas l’identifiant d’une ingestion (ni son début, en 4 chiffres au moins)."},
		{"version x", "Argument en trop : « x »."},
		{"completion csh", "« csh » n’est pas un shell pris en charge"},
		{"status", "VIGUEUR_DATABASE_URL : manque"},
		{"add x.pdf", "VIGUEUR_REDIS_URL : manque"},
	} {
		t.Run(c.args, func(t *testing.T) {
			r := d.run(t, strings.Fields(c.args)...)
			r.want(t, exitUsage, c.want)
			if r.out != "" {
				t.Errorf("%q writes to the standard output: %s", c.args, r.out)
			}
		})
	}
	for _, args := range []string{"", "user", "migrate"} {
		d.run(t, strings.Fields(args)...).want(t, exitUsage, "Usage :", "Commandes :")
	}
	d.run(t, "help", "user", "create").want(t, exitDone, "--password-stdin")
}

func TestFaultsInJSON(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, c := range []struct {
		args, kind, detail string
		code               int
	}{
		{"status --json --limit 0", "invalid", "--limit va de 1 à 10000.", exitUsage},
		{"status --json --state mort", "invalid", "--state ne peut pas valoir « mort »", exitUsage},
		{"--json nuke", "invalid", "Commande inconnue", exitUsage},
		{"status --vite --json", "invalid", "Option inconnue : « --vite ».", exitUsage},
		{"export --json 0197aaaa", "not_found", "Aucun texte 0197aaaa.", exitFailed},
	} {
		t.Run(c.args, func(t *testing.T) {
			r := d.run(t, strings.Fields(c.args)...)
			var said struct{ Error fault }
			if err := json.Unmarshal([]byte(r.err), &said); err != nil || r.code != c.code || r.out != "" ||
				said.Error.Kind != c.kind || !strings.Contains(said.Error.Detail, c.detail) {
				t.Errorf("%s: exit %d, %v\nout: %s\nerr: %s", c.args, r.code, err, r.out, r.err)
			}
		})
	}
	d.environ["VIGUEUR_DATABASE_URL"] = "postgres://nobody@" + freeAddress(t) + "/none"
	d.run(t, "status", "--json").want(t, exitStore, `{"error":{"kind":"unavailable"`)
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{}}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		d.run(t, "completion", shell).want(t, exitDone, "ingest")
	}
}

// TestManual checks that the manual page has every command and option, under the name of the package.
func TestManual(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{}}
	d.name = "vigueur"
	r := d.run(t, "man")
	r.want(t, exitDone, ".TH VIGUEUR 1", ".SS vigueur gazette undo", `\-\-no\-wait`, `  vigueur add \-\-dry\-run ~/gazettes`)
	for line := range strings.Lines(r.out) {
		if strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".SS", ".nf", ".fi"}, strings.Fields(line)[0]) {
			t.Errorf("no macro: %s", line)
		}
		if called.MatchString(line) {
			t.Errorf("the command has another name: %s", line)
		}
	}
	d.run(t, "completion", "bash").want(t, exitDone, "__start_vigueur vigueur")
	man, err := exec.LookPath("groff")
	if err != nil {
		t.Log("groff is not installed: the page is not formatted")
		return
	}
	c := exec.CommandContext(t.Context(), man, "-man", "-Kutf8", "-Tutf8", "-ww", "-z")
	c.Stdin = strings.NewReader(r.out)
	if said, err := c.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("groff: %v: %s", err, said)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{}}
	d.run(t, "version").want(t, exitDone, "vigueur ", "go1.")
	var v version.Info
	if err := json.Unmarshal([]byte(d.run(t, "version", "--json").out), &v); err != nil || v.Go == "" || v.Version == "" {
		t.Errorf("version %+v, error %v", v, err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	d := &desk{environ: map[string]string{
		"VIGUEUR_DATABASE_URL": "postgres://vigueur:motdepasse@localhost:5432/vigueur", "VIGUEUR_REDIS_URL": "redis://:motdepasse@localhost:6379",
		"VIGUEUR_BLOBS_URL": "file:///srv/blobs", "VIGUEUR_JWT_SECRET": strings.Repeat("s", 32), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("a", 32),
		"VIGUEUR_MAIL_DIR": "/srv/mail",
	}}
	r := d.run(t, "config")
	r.want(t, exitDone, "VIGUEUR_DATABASE_URL", "postgres://vigueur:xxxxx@localhost:5432/vigueur", "api, worker")
	if strings.Contains(r.out, "motdepasse") || strings.Contains(r.out, "ssss") || strings.Contains(r.out, "aaaa") {
		t.Errorf("a secret is shown: %s", r.out)
	}
	list := items[setting](t, d.run(t, "config", "--json"))
	if len(list) < 5 || list[0].Env == "" || len(list[0].Programs) != 3 {
		t.Errorf("settings %+v", list)
	}
	if some := items[setting](t, d.run(t, "config", "VIGUEUR_LISTEN", "--json")); len(some) != 1 || some[0].Env != "VIGUEUR_LISTEN" {
		t.Errorf("settings %+v", some)
	}
	d.run(t, "config", "VIGUEUR_LISTE").want(t, exitUsage, "Aucun réglage ne s’appelle « VIGUEUR_LISTE »")
	d.environ["VIGUEUR_JWT_SECRET"], d.environ["VIGUEUR_LOG_LEVEL"] = "court", "bavard"
	r = d.run(t, "config")
	r.want(t, exitUsage, "VIGUEUR_LOG_LEVEL : « bavard »", "VIGUEUR_JWT_SECRET : 32 octets au moins, 5 reçus")
	if n := strings.Count(r.err, "VIGUEUR_LOG_LEVEL"); n != 1 {
		t.Errorf("one fault is told %d times: %s", n, r.err)
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "migrate", "up").want(t, exitDone, "La base est à jour.")
	d.run(t, "migrate", "status").want(t, exitDone, "VERSION", "00300_schema.sql")
	steps := items[step](t, d.run(t, "migrate", "status", "--json"))
	if len(steps) == 0 || steps[0].Applied == nil {
		t.Errorf("steps %+v", steps)
	}
	if done := items[step](t, d.run(t, "migrate", "up", "--json")); len(done) != 0 {
		t.Errorf("nothing to do prints %+v", done)
	}
	d.environ["VIGUEUR_DATABASE_URL"] = pgtest.NewEmptyURL(t)
	if made := d.run(t, "migrate", "up"); made.code != exitDone || !strings.HasPrefix(made.out, "La base est créée (") {
		t.Errorf("a new database: %d, %q %q", made.code, made.out, made.err)
	}
}

func TestStatusAndDocuments(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "status").want(t, exitDone, "Aucune ingestion.")
	d.run(t, "documents").want(t, exitDone, "Aucun texte.")
	d.run(t, "status", "018f0000-0000-7000-8000-000000000001").want(t, exitFailed, "Aucune ingestion 018f0000")
	d.ingests(t)
	files := items[added](t, d.run(t, "add", "--json", d.file(t, "jo.pdf", pdf("réussit"))))
	d.golden(t, "status-one", d.run(t, "status", files[0].Ingestion.String()).out)
	d.golden(t, "status-json", strings.ReplaceAll(d.run(t, "status", "--json").out, files[0].SHA256, "‹sha256›"))
	d.golden(t, "documents", d.run(t, "documents", "--q", "TRAVAIL").out)
	d.golden(t, "documents-json", d.run(t, "documents", "--json", "--domaine", "travail", "--type", "loi", "--statut", "en_vigueur").out)
	d.run(t, "documents", "--q", "impôts").want(t, exitDone, "Aucun texte.")
	d.wholeRemarks(t)
}

// wholeRemarks checks that the list wraps remarks to the width of the terminal, and
// that the view of one file shortens neither the remark nor the doubts about its texts.
func (d *desk) wholeRemarks(t *testing.T) {
	t.Helper()
	text := d.waiting(t, "remarques.pdf")
	remark := strings.Repeat("La correction 12 ne s’applique plus : la ligne « Article 5 », page 3, n’est plus dans un article. ", 4) + "Fin de la remarque."
	doubt := strings.Repeat("Le sommaire annonce 74 actes, 4 ont été trouvés. ", 6) + "Fin du doute."
	d.sql(t, "UPDATE documents SET doubts = doubts || jsonb_build_array(jsonb_build_object('field', 'sommaire', 'reason', '"+doubt+"', 'confidence', 0.3)) WHERE id = '"+text+"'")
	d.sql(t, "UPDATE ingestions SET error = '"+remark+"' WHERE filename = 'remarques.pdf'")
	var id string
	for _, i := range items[gazettes.IngestionBody](t, d.run(t, "status", "--json")) {
		if i.Filename == "remarques.pdf" {
			id = i.ID.String()
		}
	}
	width := d.width
	defer func() { d.width = width }()
	for _, d.width = range []int{0, 60, 80, 200} {
		r := d.run(t, "status", id)
		r.want(t, exitDone, "Doutes, p. 1")
		said := strings.Join(strings.Fields(r.out), " ")
		for _, whole := range []string{remark, doubt, "date_promulgation Aucune date de promulgation n’a été trouvée."} {
			if !strings.Contains(said, whole) {
				t.Errorf("%d columns wide, « %s » is not whole in\n%s", d.width, whole, r.out)
			}
		}
		for line := range strings.Lines(r.out) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); d.width > 0 && n > d.width {
				t.Errorf("a line of %d columns on a screen of %d: %s", n, d.width, line)
			}
		}
	}
}
