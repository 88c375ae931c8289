package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/kit/commandline"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/kit/version"
	"vigueur/internal/ops/config"
	"vigueur/internal/ops/doctor"
	"vigueur/internal/ops/reconcile"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/mcp"
	"vigueur/internal/work/retention"
)

// step is the printed form of a migration.
type step struct {
	Version int64      `json:"version"`
	Name    string     `json:"name"`
	Applied *time.Time `json:"applied_at"`
}

// migrateUp runs « migrate up ».
func (a *app) migrateUp(ctx context.Context, _ *input) error {
	c, err := a.answering(ctx)
	if err != nil {
		return err
	}
	shown := migrating{w: a.err, now: time.Now}
	steps, err := postgres.Migrate(ctx, c.Owner(), shown.show)
	if err != nil {
		return err
	}
	role, err := postgres.GrantRole(ctx, c.Owner(), c.DatabaseURL)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, printable(steps), len(steps))
	}
	if role != "" {
		fmt.Fprintln(a.outcome(), "droits du rôle :", terminal.Line(role))
	}
	if len(steps) == 0 {
		_, err = fmt.Fprintln(a.outcome(), "La base est à jour.")
		return err
	}
	if steps[0].Version == postgres.Baseline { // what a database that is new has does not matter to anybody
		_, err = fmt.Fprintf(a.outcome(), "La base est créée (%s).\n", count(len(steps), "étape"))
		return err
	}
	for _, s := range steps {
		fmt.Fprintln(a.outcome(), "appliquée :", s.Name)
	}
	_, err = fmt.Fprintf(a.outcome(), "La base est à jour (%s).\n", count(len(steps), "étape"))
	return err
}

// migrateStatus runs « migrate status ».
func (a *app) migrateStatus(ctx context.Context, _ *input) error {
	c, err := a.answering(ctx)
	if err != nil {
		return err
	}
	steps, err := postgres.MigrationStatus(ctx, c.Owner())
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, printable(steps), len(steps))
	}
	t := terminal.Table{Head: []string{"VERSION", "ÉTAPE", "APPLIQUÉE"}}
	for _, s := range steps {
		applied := "en attente"
		if s.Applied != nil {
			applied = moment(*s.Applied)
		}
		t.Add(s.Version, s.Name, applied)
	}
	return t.Write(a.out, "Le schéma n’a aucune étape.")
}

// answering returns the settings if a database server responds at the owner's address.
func (a *app) answering(ctx context.Context) (c config.Ingest, err error) {
	if c, err = a.settings(); err != nil {
		return c, err
	}
	db, err := a.open(ctx, c.Owner())
	if err != nil {
		return c, err
	}
	db.Close()
	return c, errs.Wrap(errs.Cancelled, "", ctx.Err())
}

func printable(steps []postgres.Migration) []step {
	out := make([]step, len(steps))
	for i, s := range steps {
		out[i] = step(s)
	}
	return out
}

// betweenLines is the minimum time between two lines about texts: a large database takes
// minutes, and each line stays in the log of a job.
const betweenLines = 5 * time.Second

// migrating prints the progress of « migrate up » as lines.
type migrating struct {
	w    io.Writer
	now  func() time.Time
	step string    // step of the last printed line
	last time.Time // time of the last printed line
}

// show prints a line for each migration. For each of the preparations it prints the first
// and the last progress, and others at most every five seconds.
func (m *migrating) show(p postgres.Migrating) {
	now := m.now()
	began := p.Step != m.step
	if !began && p.Number < p.Of && now.Sub(m.last) < betweenLines {
		return
	}
	m.step, m.last = p.Step, now
	switch p.Step {
	case postgres.PreparesSearch:
		fmt.Fprintf(m.w, "recherche par mots : %d textes prêts sur %d\n", p.Number, p.Of)
	case postgres.PreparesNames:
		fmt.Fprintf(m.w, "noms des textes : %d prêts sur %d\n", p.Number, p.Of)
	default:
		fmt.Fprintf(m.w, "étape %d sur %d : %s\n", p.Number, p.Of, p.Step)
	}
}

// reconcile runs « reconcile ».
func (a *app) reconcile(ctx context.Context, in *input) error {
	return a.withDB(ctx, func(db *postgres.DB) error {
		c, err := a.settings()
		if err != nil {
			return err
		}
		files, err := openFiles(c)
		if err != nil {
			return err
		}
		found, err := reconcile.Look(ctx, reconcile.Stores{DB: db, Files: files, MeiliURL: c.MeiliURL, MeiliKey: c.MeiliKey, MilvusURL: c.MilvusURL, MilvusKey: c.MilvusKey}, !in.has("dry-run"))
		if err != nil {
			return err
		}
		return a.printFindings(found)
	})
}

// kindNames are the French names of inconsistencies.
var kindNames = [][2]string{
	{"review", "fichier en revue sans texte à relire"}, {"waiting", "texte à relire dans un fichier terminé"},
	{"passages", "nombre de passages faux"}, {"pages", "nombre de pages lues faux"}, {"status", "statut qui ne suit pas des relations"},
	{"missing", "octets du fichier absents"}, {"orphan", "fichier sans ligne"}, {"abandoned", "envois de fichiers interrompus"}, {"titles", "index des titres en désaccord avec le catalogue"},
	{"index", "index des passages en désaccord avec le catalogue"},
}

func kindName(kind string) string {
	for _, k := range kindNames {
		if k[0] == kind {
			return k[1]
		}
	}
	return kind
}

func (a *app) printFindings(found []reconcile.Finding) error {
	left := 0
	t := terminal.Table{Head: []string{"CONSTAT", "OBJET", "NOM", "RÉPARÉ"}}
	for _, f := range found {
		mended := "oui"
		if !f.Mended {
			left++
			mended = "non"
		}
		t.Add(kindName(f.What), f.Object, f.Name, mended)
	}
	var err error
	switch {
	case a.json:
		err = writeList(a.out, found, len(found))
	case len(found) > 0:
		err = t.Write(a.out, "")
	default:
		_, err = fmt.Fprintln(a.outcome(), "Tout concorde.")
	}
	if err == nil && left > 0 {
		return quiet{exitFailed}
	}
	return err
}

// retention runs « retention ».
func (a *app) retention(ctx context.Context, in *input) error {
	return a.withDB(ctx, func(db *postgres.DB) error { return a.retain(ctx, db, in.has("dry-run")) })
}

// outdated is the printed form of the data that was deleted, or would be.
type outdated struct {
	DryRun        bool     `json:"dry_run"`
	Conversations int      `json:"conversations"`
	Inquiries     int      `json:"inquiries"`
	Messages      int      `json:"messages"`
	Usage         int      `json:"model_usage"`
	Months        []string `json:"audit_months"`
}

func (a *app) retain(ctx context.Context, db *postgres.DB, dry bool) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	k := &retention.Keeper{Store: db, Now: time.Now, Rules: retention.Rules{Keeping: postgres.Keeping{
		Conversations: config.Days(c.KeepConversations), Inquiries: config.Days(c.KeepInquiries),
		Usage: config.Days(c.KeepUsage), Audit: config.Days(c.KeepAudit),
	}, Messages: config.Days(c.KeepMessages), Dir: c.MailDir}}
	o, err := removeOutdated(ctx, k, c.Owner(), dry)
	if err != nil {
		return err
	}
	shown := outdated{dry, o.Conversations, o.Inquiries, o.Messages, o.Usage, append([]string{}, o.Months...)}
	if a.json {
		return writeJSON(a.out, shown)
	}
	verb := "supprimés"
	if dry {
		verb = "à supprimer"
	}
	_, err = fmt.Fprintf(a.outcome(), "%s : %s, %s, %s, %s de consommation des modèles, %s du journal%s.\n", verb, count(o.Conversations, "conversation"), count(o.Inquiries, "demande"),
		count(o.Messages, "message"), count(o.Usage, "ligne"), fmt.Sprintf("%d mois", len(o.Months)), inBrackets(o.Months))
	return err
}

// removeOutdated deletes the data that is past its retention period; with dry, it only counts it.
// The months of the log come first: if owner must not drop them, nothing is deleted.
func removeOutdated(ctx context.Context, k *retention.Keeper, owner string, dry bool) (o retention.Outdated, err error) {
	if dry {
		return k.Look(ctx)
	}
	var months []string
	if k.Audit > 0 {
		if months, err = dropMonths(ctx, owner, k.Keeping); err != nil {
			return o, err
		}
	}
	o, err = k.All(ctx)
	o.Months = months
	return o, err
}

// dropMonths drops months of the audit log as the owner of the tables.
func dropMonths(ctx context.Context, owner string, k postgres.Keeping) ([]string, error) {
	db, err := postgres.Open(ctx, owner)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return db.DropAuditMonths(ctx, k)
}

func inBrackets(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// verifyFile runs « verify ».
func (a *app) verifyFile(ctx context.Context, in *input) error {
	said := map[string]any{}
	for _, name := range []string{"date", "pays"} {
		if value := in.text(name); value != "" {
			said[name] = value
		}
	}
	return a.withAsking(ctx, "", func(s *server) error { return a.verify(ctx, s, in.args[0], said) })
}

// verify has a file checked and prints the report.
func (a *app) verify(ctx context.Context, s *server, path string, said map[string]any) error {
	if _, err := os.Stat(path); err != nil {
		return unopened(path, err)
	}
	var r verify.Report
	err := s.SendForm(ctx, "/verify", filepath.Base(path), func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		return file, unopened(path, err)
	}, said, &r)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, r)
	}
	_, err = fmt.Fprint(a.out, printedReport(r))
	return err
}

// unopened returns the error of opening a file.
func unopened(path string, err error) error {
	return errs.Wrap(errs.NotFound, "Le fichier « "+terminal.Line(path)+" » ne peut pas être ouvert.", err)
}

// stateWords are the states of references as they are printed.
var stateWords = map[verify.State]string{
	verify.InForce: "en vigueur", verify.Amended: "modifié", verify.Repealed: "abrogé", verify.NotYet: "pas encore en vigueur",
	verify.Absent: "introuvable", verify.Ambiguous: "ambigu", verify.Own: "de votre texte", verify.NoText: "sans texte",
}

// verdictWords are the verdicts on quotations as they are printed.
var verdictWords = map[verify.Verdict]string{"identique": "identique", "differente": "différente", "absente": "absente", verify.Uncompared: "non comparée"}

// printedReport writes a report for people.
func printedReport(r verify.Report) string {
	var b strings.Builder
	for _, f := range r.References {
		fmt.Fprintf(&b, "[%s] %s\n    %s\n", stateWords[f.State], terminal.Line(f.Name), terminal.Line(f.Told))
		for _, s := range f.Sources {
			fmt.Fprintf(&b, "    %s\n", terminal.Line(s.Title))
		}
	}
	text := []rune(r.Text)
	for _, q := range r.Quotations {
		fmt.Fprintf(&b, "[citation %s] « %s »\n    %s\n", verdictWords[q.Verdict], terminal.Line(strings.TrimSpace(string(text[q.Start:q.End]))), terminal.Line(q.Told))
		for _, d := range q.Differences {
			fmt.Fprintf(&b, "    cité « %s », dans l’article « %s »\n", terminal.Line(d.Quoted), terminal.Line(d.Article))
		}
	}
	if len(r.References)+len(r.Quotations) == 0 {
		b.WriteString("Ce texte n’a ni référence ni citation.\n")
	}
	if r.More {
		b.WriteString("Le texte en a d’autres, qui ne sont pas vérifiées.\n")
	}
	return b.String()
}

// doctor runs « doctor ».
func (a *app) doctor(ctx context.Context, in *input) error {
	limit := sure(in.flags.GetDuration("timeout"))
	if in.flags.Changed("timeout") && (limit < 100*time.Millisecond || limit > 10*time.Minute) {
		return usage("--timeout va de 100ms à 10m.")
	}
	if sure(in.flags.GetBool("catalogue")) {
		return a.withDB(ctx, func(db *postgres.DB) error {
			found, err := doctor.ExamineCatalogue(ctx, db)
			return errors.Join(err, a.writeFindings(found))
		})
	}
	found := doctor.Doctor{Environ: a.environ, Limit: limit}.Examine(ctx)
	if err := a.writeFindings(found); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.State == doctor.Fail }) {
		return quiet{exitFailed}
	}
	return nil
}

// stateNames are the French names of states.
var stateNames = map[doctor.State]string{doctor.OK: "ok", doctor.Unseen: "non vu", doctor.Warn: "attention", doctor.Fail: "échec"}

// writeFindings prints the findings by area: the state, what was found and, below it, what
// to do. With --quiet, those that need nothing are left out.
func (a *app) writeFindings(found []doctor.Finding) error {
	if a.json {
		return writeList(a.out, found, len(found))
	}
	if a.silent {
		found = slices.DeleteFunc(slices.Clone(found), func(f doctor.Finding) bool { return f.State == doctor.OK || f.State == doctor.Unseen })
	}
	const indent = 13
	area := ""
	for i, f := range found {
		if f.Area != area || i == 0 {
			area = f.Area
			fmt.Fprintln(a.out, terminal.Line(area))
		}
		terminal.Field(a.out, indent, "  "+stateNames[f.State], terminal.Line(f.Found))
		if f.Do != "" {
			terminal.Field(a.out, indent+2, strings.Repeat(" ", indent)+"→", terminal.Line(f.Do))
		}
	}
	return nil
}

// filesCopy runs « files copy ».
func (a *app) filesCopy(ctx context.Context, in *input) error {
	source, target := addressOf(in.text("from")), addressOf(in.text("to"))
	if source == target {
		return usage("Donnez --from ou --to, l’adresse de l’autre dépôt.")
	}
	return a.withDB(ctx, func(db *postgres.DB) error { return a.copyFiles(ctx, db, source, target) })
}

// addressOf returns the address of a store: a path of a folder becomes a file: address.
func addressOf(word string) string {
	if !filepath.IsAbs(word) && !strings.HasPrefix(word, ".") {
		return word
	}
	path, err := filepath.Abs(word)
	if err != nil { // the working folder is gone
		return word
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// copying is the printed result of « files copy ».
type copying struct {
	Copied int      `json:"copied"`
	There  int      `json:"there"` // number of files that the target already had
	Failed []string `json:"failed"`
}

func (a *app) copyFiles(ctx context.Context, db *postgres.DB, start, recipient string) error {
	source, err := a.filesAt(start)
	if err != nil {
		return err
	}
	target, err := a.filesAt(recipient)
	if err != nil {
		return err
	}
	// The list is read first, because copying may take longer than the timeout of a statement.
	var rows []postgres.Ingestion
	err = db.Files(ctx, func(i postgres.Ingestion) error {
		rows = append(rows, i)
		return nil
	})
	if err != nil {
		return err
	}
	done, err := a.copyAll(ctx, source, target, rows)
	if err != nil {
		return err
	}
	if a.json {
		err = writeJSON(a.out, done)
	} else {
		_, err = fmt.Fprintf(a.outcome(), "Copiés : %d. Déjà là : %d. En échec : %d.\n", done.Copied, done.There, len(done.Failed))
	}
	if err == nil && len(done.Failed) > 0 {
		return quiet{exitFailed}
	}
	return err
}

// filesAt opens the store at an address. If address is "", it opens the configured store.
func (a *app) filesAt(address string) (blobs.Store, error) {
	c, err := a.settings()
	if err != nil {
		return nil, err
	}
	if address == "" {
		return openFiles(c)
	}
	return blobs.Open(blobs.Settings{URL: address, Key: c.BlobsKey})
}

// copyAll copies the files one after another. It stops if a store is down, but continues if
// a single file cannot be copied.
func (a *app) copyAll(ctx context.Context, source, target blobs.Store, rows []postgres.Ingestion) (copying, error) {
	done := copying{Failed: []string{}}
	status := terminal.Status{Writer: unchanged(a.err)}
	drawn := terminal.Width(a.err) > 0 && !a.json
	for n, row := range rows {
		if drawn {
			status.Show(fmt.Sprintf("Copie %d/%d : %s", n+1, len(rows), terminal.Line(row.Filename)))
		}
		copied, err := blobs.Copy(ctx, source, target, row.SHA256)
		switch {
		case err == nil && copied:
			done.Copied++
		case err == nil:
			done.There++
		case errs.Is(err, errs.NotFound), errs.Is(err, errs.Conflict):
			done.Failed = append(done.Failed, row.SHA256)
			if drawn {
				status.Show("")
			}
			fmt.Fprintf(a.always, "%s (%.12s…) : %s\n", terminal.Line(row.Filename), row.SHA256, errs.Public(err))
		default:
			return done, err
		}
	}
	if drawn {
		status.Show("")
	}
	return done, nil
}

// man runs « man », with which packages make the manual page.
func (a *app) man(_ context.Context, in *input) error {
	_, err := fmt.Fprint(a.out, commandline.Manual(in.command.Root(), `Vigueur "Commande de l’opérateur"`))
	return err
}

// completion runs « completion ».
func (a *app) completion(_ context.Context, in *input) error {
	root := in.command.Root()
	switch in.args[0] {
	case "bash":
		return root.GenBashCompletionV2(a.out, true)
	case "zsh":
		return root.GenZshCompletion(a.out)
	case "fish":
		return root.GenFishCompletion(a.out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.out)
	}
	return usage("« %s » n’est pas un shell pris en charge : bash, zsh, fish ou powershell.", in.args[0])
}

// mcp runs « mcp ».
func (a *app) mcp(ctx context.Context, in *input) error {
	base := in.text("base-url")
	if u, err := url.Parse(base); base != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return usage("--base-url attend une adresse comme https://droit.exemple.org, pas « %s ».", terminal.Line(base))
	}
	return a.withAsking(ctx, strings.TrimSuffix(base, "/"), func(s *server) error {
		return mcp.Forward(ctx, a.in, unchanged(a.out), s.exchange)
	})
}

// exchange sends a message of the Model Context Protocol and returns the reply, empty if there is none.
func (s *server) exchange(ctx context.Context, version string, message []byte) (reply []byte, err error) {
	r, err := s.RequestTo(ctx, http.MethodPost, "/mcp", nil, json.RawMessage(message))
	if err != nil {
		return nil, err
	}
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	var raw json.RawMessage
	err = s.Receive(r, &raw)
	return raw, err
}

// version runs « version ».
func (a *app) version(context.Context, *input) error {
	v := version.Read()
	if a.json {
		return writeJSON(a.out, v)
	}
	line := "vigueur " + v.Version
	if v.Revision != "" {
		line += " (" + v.Revision + ", " + v.Time + ")"
	}
	_, err := fmt.Fprintln(a.out, line+", "+v.Go)
	return err
}
