package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/kit/version"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/work/queue"
)

// Limits of free space on a disk, in bytes. A gazette can have 256 MiB, and an upload briefly needs that space twice,
// so below roomFail four concurrent uploads may fail.
const (
	roomWarn = 10 << 30
	roomFail = 1 << 30
)

// room checks the free space on the disk that contains a folder.
func (f *findings) room(path string) {
	free, seen := freeBytes(path)
	said := fmt.Sprintf("%s : %s libres", path, terminal.Bytes(free))
	switch {
	case !seen:
		f.unseen("place libre dans " + path + " non vue")
	case free < roomFail:
		f.fail(true, said, "Faites de la place : les fichiers seront refusés.")
	case free < roomWarn:
		f.warn(true, said, "Prévoyez de la place.")
	default:
		f.ok(said)
	}
}

// checkMachine checks the machine's disks, kernel and programs.
func (p *target) checkMachine(ctx context.Context) (f findings) {
	temporary := os.TempDir()
	if p.environ["TMPDIR"] != "" {
		temporary = p.environ["TMPDIR"]
	}
	f.room(temporary)
	if p.workerHere {
		if p.worker.IndexDir != "" {
			f.room(p.worker.IndexDir)
		}
		f.warn((ocr.Reader{}).Available(ctx) != nil, "Tesseract, ou sa langue française, n’est pas sur cette machine : les pages numérisées resteront sans texte",
			"apt-get install tesseract-ocr tesseract-ocr-fra, là où tourne le worker.")
	}
	if p.workerHere || p.apiHere {
		f.judgeConfinement(confine.Landlock())
	}
	if _, e, err := p.database(ctx); err == nil {
		major, want := 0, e.Version/10000
		if out, err := exec.CommandContext(ctx, "pg_dump", "--version").Output(); err == nil {
			_, _ = fmt.Sscanf(string(out), "pg_dump (PostgreSQL) %d", &major) // stays 0
		}
		f.warn(major < want, fmt.Sprintf("pg_dump manque sur cette machine, ou est plus ancien (%d) que le serveur (%d) : les sauvegardes n’y marcheront pas", major, want),
			"apt-get install postgresql-client, de la version du serveur, là où se font les sauvegardes.")
	}
	return f
}

// judgeConfinement reports whether the kernel lets the children that read PDFs and scans give up files. landlock is
// the version of Landlock, 0: none.
func (f *findings) judgeConfinement(landlock int) {
	f.warn(landlock == 0, "le noyau n’offre pas Landlock : un PDF ou une image qui prendrait le contrôle du processus qui les lit pourrait ouvrir les fichiers du service",
		"Un noyau Linux 5.13 ou plus récent, avec landlock parmi ses modules de sécurité (lsm=) ; dans un conteneur, un profil seccomp qui permet landlock_create_ruleset.")
	if landlock > 0 {
		f.ok(fmt.Sprintf("Landlock, version %d : les processus qui lisent les PDF et les images n’ouvrent pas les autres fichiers", landlock))
	}
}

// oldestServer is the major version of the oldest PostgreSQL on which the tests run.
const oldestServer = 15

// checkPostgres checks the server, the database and its schema.
func (p *target) checkPostgres(ctx context.Context) (f findings) {
	_, e, err := p.database(ctx)
	if err != nil {
		f.fail(true, errs.Public(err), "Démarrez PostgreSQL, ou corrigez VIGUEUR_DATABASE_URL.")
		return f
	}
	f.judgeDatabase(e)
	f.warn(!e.Secure && !nearby(p.ingest.DatabaseURL), "la connexion n’est pas chiffrée", "Ajoutez sslmode=verify-full à VIGUEUR_DATABASE_URL, et un certificat au serveur.")
	return f
}

func (f *findings) judgeDatabase(e postgres.Examined) {
	f.fail(e.Version/10000 < oldestServer, fmt.Sprintf("PostgreSQL %d est trop ancien, %d au moins", e.Version/10000, oldestServer), "Mettez le serveur à niveau (pg_upgrade).")
	f.fail(e.Encoding != "UTF8", "encodage "+e.Encoding, "Créez la base en UTF8 et restaurez-y une sauvegarde.")
	f.fail(e.Replica, "ce serveur ne fait que lire (réplica)", "Mettez dans VIGUEUR_DATABASE_URL le serveur principal.")
	f.warn(e.PossibleConns > e.MaxConns, fmt.Sprintf("les processus qui tournent (%d) peuvent ouvrir assez de connexions pour qu’il y en ait %d ; le serveur en accepte %d, et %d sont ouvertes",
		e.Processes, e.PossibleConns, e.MaxConns, e.Conns), "Augmentez max_connections, arrêtez des processus, ou donnez-leur moins de connexions (VIGUEUR_DATABASE_CONNECTIONS).")
	if !e.Made {
		f.fail(true, "la base est vide", "ingest migrate up")
		return
	}
	f.fail(e.Schema < e.Newest, fmt.Sprintf("le schéma est à l’étape %d, le programme connaît l’étape %d", e.Schema, e.Newest), "ingest migrate up")
	f.warn(e.Schema > e.Newest, fmt.Sprintf("le schéma est à l’étape %d, plus récente que ce programme (%d)", e.Schema, e.Newest), "Mettez les programmes à niveau.")
	f.fail(len(e.Invalid) > 0, "index inutilisables : "+strings.Join(e.Invalid, ", "), "REINDEX INDEX CONCURRENTLY …")
	f.warn(e.NoPartition, "le journal d’audit n’a pas de partition pour ce mois", "ingest migrate up")
	f.okUnlessFaulty(fmt.Sprintf("PostgreSQL %d.%d, base %s, rôle %s ; schéma à jour (étape %d)", e.Version/10000, e.Version%10000, e.Database, e.Role, e.Schema))
}

// nearby reports whether an address belongs to this machine.
func nearby(address string) bool {
	u := baseURL(address)
	return u.Hostname() == "" || ownMachine(u.Hostname()) || strings.HasPrefix(u.Query().Get("host"), "/")
}

// checkRoles checks the privileges of the database roles, and who may read the owner's address: who takes over the
// service could do with it what the service's role may not.
func (p *target) checkRoles(ctx context.Context) (f findings) {
	info, err := os.Stat(p.ownerFile)
	f.fail(err == nil && (!isRoots(info) || info.Mode().Perm()&0o077 != 0), "le service, ou un autre compte que root, peut lire "+p.ownerFile+", qui a l’adresse du propriétaire de la base",
		"chown root:root "+p.ownerFile+" && chmod 600 "+p.ownerFile)
	_, e, err := p.database(ctx)
	if err != nil || !e.Made {
		f.unseen("non regardés : la base ne répond pas, ou est vide")
		return f
	}
	f.fail(len(e.Denied) > 0, fmt.Sprintf("le rôle %s n’a pas les droits qu’il faut sur %s", e.Role, strings.Join(e.Denied, ", ")),
		"ingest migrate up avec VIGUEUR_DATABASE_OWNER_URL les lui donne.")
	switch {
	case e.Super:
		f.warn(true, "le service se connecte en superutilisateur ("+e.Role+")", "Donnez-lui un rôle à lui : docs/operating/backup.md, « Roles in the database ».")
	case e.Owner:
		f.warn(true, "le service se connecte en propriétaire de la base ("+e.Role+") : un intrus pourrait effacer le journal d’audit",
			"Donnez VIGUEUR_DATABASE_OWNER_URL au propriétaire, un autre rôle à VIGUEUR_DATABASE_URL, puis ingest migrate up.")
	case len(e.Open) > 0:
		f.warn(true, "le service peut changer les lignes du journal d’audit", "ingest migrate up avec VIGUEUR_DATABASE_OWNER_URL retire ce droit.")
	}
	if p.ingest.OwnerURL != "" {
		owner := &target{ingest: config.Ingest{Stores: config.Stores{DatabaseURL: p.ingest.OwnerURL}}}
		defer owner.close()
		_, o, err := owner.database(ctx)
		switch said := "VIGUEUR_DATABASE_OWNER_URL : le rôle " + o.Role; {
		case err != nil:
			f.fail(true, "VIGUEUR_DATABASE_OWNER_URL : "+errs.Public(err), "Corrigez l’adresse ; ingest migrate up fait les rôles.")
		case o.Database != e.Database || o.Schema != 0 && o.Schema != e.Schema:
			f.fail(true, fmt.Sprintf("VIGUEUR_DATABASE_OWNER_URL mène à la base %s, le service à %s", o.Database, e.Database), "Mettez la même base.")
		case !o.Owner:
			f.warn(true, said+" n’est pas propriétaire des tables", "Mettez-y le rôle qui a fait le schéma.")
		default:
			f.warn(len(o.Unread) > 0, said+" ne peut pas lire "+shorten(o.Unread)+" : les sauvegardes échoueront", "Rendez ces tables au rôle qui a fait le schéma (ALTER TABLE … OWNER TO …).")
		}
	} else if len(e.Unread) > 0 {
		f.unseen(fmt.Sprintf("le rôle %s ne lit pas %s : une sauvegarde échoue avec ces réglages, et demande VIGUEUR_DATABASE_OWNER_URL", e.Role, shorten(e.Unread)))
	}
	f.okUnlessFaulty("le rôle " + e.Role + " a les droits du service et pas davantage")
	return f
}

// shorten lists the first names, and « … » for the others: a log has a partition for each month.
func shorten(names []string) string {
	return strings.Join(names[:min(3, len(names))], ", ") + strings.Repeat(", …", min(1, max(0, len(names)-3)))
}

// checkProcesses compares the versions of the running programs with each other and with the schema.
func (p *target) checkProcesses(ctx context.Context) (f findings) {
	p.withDB(ctx, &f, func(db *postgres.DB, e postgres.Examined) {
		running, err := db.Processes(ctx)
		if err != nil {
			f.unseen("non regardés : " + cause(err))
			return
		}
		f.judgeProcesses(running, e.Schema)
	})
	return f
}

// judgeProcesses compares the running programs with each other and with the number of the schema's last migration.
func (f *findings) judgeProcesses(running []postgres.Process, schema int64) {
	if len(running) == 0 {
		f.unseen("aucun api ni worker n’est connecté à cette base sous son nom (application_name)")
		return
	}
	counts, versions := map[string]int{}, map[string]bool{}
	for _, r := range running {
		counts[r.Program]++
		counts[r.Program+" "+r.Version]++
		versions[r.Version] = true
		f.fail(r.Newest > schema, fmt.Sprintf("un %s (%s) attend l’étape %d du schéma, qui est à l’étape %d", r.Program, r.Version, r.Newest, schema), "ingest migrate up")
	}
	var said []string
	for _, program := range []string{"api", "worker"} {
		f.warn(counts[program] == 0, "aucun "+program+" ne tourne", "Démarrez-en un, ou regardez son journal.")
		for _, one := range slices.Sorted(maps.Keys(versions)) {
			if count := counts[program+" "+one]; count > 0 {
				said = append(said, fmt.Sprintf("%d %s%s %s", count, program, strings.Repeat("s", min(count-1, 1)), one))
			}
		}
	}
	switch all := strings.Join(said, ", "); {
	case versions[version.Unknown]:
		f.unseen(all + " : construits sans leur version, ils ne peuvent pas être comparés")
	case len(versions) > 1:
		f.warn(true, "des versions différentes tournent ensemble : "+all,
			"C’est normal pendant une mise à niveau. Sinon redémarrez ce qui est resté à l’ancienne (systemctl restart vigueur-api 'vigueur-worker@*').")
	default:
		f.ok(all)
	}
}

// oldestRedis is the major version of the oldest Redis on which the tests run.
const oldestRedis = 7

// checkRedis checks the Redis server.
func (p *target) checkRedis(ctx context.Context) (f findings) {
	e, err := redisurl.Examine(ctx, p.ingest.RedisURL)
	if err != nil {
		f.fail(true, errs.Public(redisurl.Away(err)), "Démarrez Redis, ou corrigez VIGUEUR_REDIS_URL. Les questions attendent jusque-là.")
		return f
	}
	f.warn(baseURL(p.ingest.RedisURL).Scheme == "redis" && !nearby(p.ingest.RedisURL), "la connexion n’est pas chiffrée", "Utilisez rediss://, ou un réseau que personne d’autre ne partage.")
	f.judgeRedis(e)
	return f
}

func (f *findings) judgeRedis(e redisurl.Examined) {
	major, err := strconv.Atoi(strings.SplitN(e.Version, ".", 2)[0])
	f.warn(err == nil && major < oldestRedis, fmt.Sprintf("Redis %s : plus ancien que ce qui est essayé (%d)", e.Version, oldestRedis), "Mettez Redis à niveau.")
	f.fail(e.Write != nil, "n’accepte pas les écritures du service : "+cause(e.Write), "Vérifiez les droits du compte (ACL), la mémoire et le disque de Redis, et que c’est le maître.")
	f.warn(e.Policy != "" && e.Policy != "noeviction", "maxmemory-policy = "+e.Policy+" : Redis peut jeter des tâches et des flux", "CONFIG SET maxmemory-policy noeviction, et dans redis.conf.")
	f.fail(len(e.Broken) > 0, strings.Join(e.Broken, ", ")+" : Redis n’écrit plus ses fichiers", "Regardez le disque et le journal de Redis.")
	if e.Version == "" {
		f.unseen("le compte n’a pas le droit de demander INFO : version et réglages non vus")
		return
	}
	f.okUnlessFaulty("Redis " + e.Version)
}

// checkBacklog reports work that waits longer than it should, and work that failed.
func (p *target) checkBacklog(ctx context.Context) (f findings) {
	p.withDB(ctx, &f, func(db *postgres.DB, _ postgres.Examined) {
		classes, err := db.Waiting(ctx)
		f.fail(err != nil, "le travail en attente ne peut pas être lu : "+cause(err), "Regardez le journal de PostgreSQL.")
		f.judgeWaiting(classes)
		f.okUnlessFaulty("rien n’attend trop longtemps, rien n’a échoué depuis 24 heures")
	})
	return f
}

func (f *findings) judgeWaiting(classes []postgres.Waiting) {
	for _, c := range classes {
		kind := queue.KindOf(c.Class)
		if c.Oldest != nil {
			f.warn(*c.Oldest > kind.Late, fmt.Sprintf("%s : %d en attente, %d en cours, depuis %v", kind.Label, c.Queued, c.Running, c.Oldest.Round(time.Second)),
				"Plus de workers, ou regardez dans leur journal ce qui les arrête.")
		}
		do := "Regardez pourquoi dans le journal des workers (« end », « state » ou « outcome » failed)."
		if kind.Queue == queue.Ingestions.Queue {
			do = "Voyez pourquoi : ingest status --state failed. Puis « ingest retry ID » les reprend, ou « ingest forget ID » les oublie."
		}
		f.warn(c.Failed > 0, fmt.Sprintf("%s : %d en échec depuis 24 heures", kind.Label, c.Failed), do)
	}
}

// checkFiles checks the store of the PDF files, by adding a file and removing it again. It makes no folder.
func (p *target) checkFiles(ctx context.Context) (f findings) {
	const name = "VIGUEUR_BLOBS_URL"
	if u := baseURL(p.ingest.BlobsURL); u.Scheme == "file" {
		info, err := os.Stat(u.Path)
		if err != nil || !info.IsDir() {
			f.fail(true, name+" : "+u.Path+" n’est pas un dossier, ou n’existe pas", "Vérifiez qu’il est monté ; sinon, faites-le : install -d -m 700.")
			return f
		}
		f.warn(info.Mode().Perm()&0o077 != 0, fmt.Sprintf("%s : d’autres comptes peuvent entrer dans %s", name, u.Path), "chmod 700 "+u.Path)
		f.room(u.Path)
	}
	store, err := blobs.Open(blobs.Settings{URL: p.ingest.BlobsURL, Key: p.ingest.BlobsKey})
	if err != nil {
		f.fail(true, name+" : "+cause(err), "Corrigez l’adresse ou la clé (VIGUEUR_BLOBS_KEY).")
		return f
	}
	content := rand.Text()
	sum := sha256.Sum256([]byte(content))
	sha := hex.EncodeToString(sum[:])
	if err = store.Put(ctx, sha, strings.NewReader(content)); err == nil {
		err = blobs.There(ctx, store, sha)
	}
	// Remove the file even if adding it reported an error or ctx has ended.
	tidying, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err = cmp.Or(err, store.Delete(tidying, sha))
	if err != nil {
		f.fail(true, fmt.Sprintf("%s : écrire, relire et effacer un fichier ne va pas : %s", name, cause(err)), "Vérifiez les droits (docs/operating/install.md, « Files in a bucket ») et la place.")
		return f
	}
	f.ok(name + " : un fichier a été écrit, relu et effacé")
	return f
}
