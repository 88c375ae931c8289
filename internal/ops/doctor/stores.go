package doctor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/work/queue"
)

// oldestServer is the major version of the oldest PostgreSQL on which the tests run.
const oldestServer = 15

// The differences between two clocks that cause a warning or a failure. Leases depend on the
// database's clock alone, so a small difference only disturbs the order of logs. A larger one affects the validity of
// tokens, and at 15 minutes S3 rejects signatures.
const (
	clockWarn = 2 * time.Second
	clockFail = 5 * time.Minute
)

// longTransaction is the age at which an open transaction gets a warning, because it keeps dead rows from being
// removed.
const longTransaction = time.Hour

// wrapping is half of PostgreSQL's 2^31 transaction ids. If the oldest one is that old, autovacuum is too slow.
const wrapping = 1 << 30

// checkPostgres checks the server and the database.
func (p *target) checkPostgres(ctx context.Context, n *notes) {
	e, err := p.database(ctx)
	switch {
	case postgres.Rejected(err):
		n.fail("le serveur refuse la connexion : "+cause(err), "Vérifiez le nom, le mot de passe et la base de VIGUEUR_DATABASE_URL, et pg_hba.conf.")
		return
	case postgres.Full(err):
		n.fail("toutes les connexions du serveur sont prises : "+cause(err), fewerConnections)
		return
	case postgres.Busy(err):
		n.fail("démarre ou s’arrête : "+cause(err), "Réessayez dans quelques instants.")
		return
	case err != nil:
		n.fail("ne répond pas : "+cause(err), "Démarrez PostgreSQL, ou corrigez VIGUEUR_DATABASE_URL.")
		return
	}
	p.checkServer(e, n)
	p.checkSchema(e, n)
	clock(n, e.Ahead, e.Trip)
	switch {
	case e.Secure:
		expires(n, "son certificat TLS", e.Expiry)
	case !nearby(p.ingest.DatabaseURL):
		n.warn("la connexion n’est pas chiffrée", "Ajoutez sslmode=verify-full à VIGUEUR_DATABASE_URL, et un certificat au serveur.")
	}
}

func (p *target) checkServer(e postgres.Examined, n *notes) {
	major := e.Version / 10000
	said := fmt.Sprintf("PostgreSQL %d.%d, base %s (%s), rôle %s", major, e.Version%10000, e.Database, terminal.Bytes(e.Bytes), e.Role)
	switch {
	case major < oldestServer:
		n.fail(said+fmt.Sprintf(" : trop ancien, %d au moins", oldestServer), "Mettez le serveur à niveau (pg_upgrade).")
	case e.Encoding != "UTF8":
		n.fail(said+" : encodage "+e.Encoding, "Créez la base en UTF8 et restaurez-y une sauvegarde.")
	case e.Replica:
		n.fail(said+" : ce serveur ne fait que lire (réplica)", "Mettez dans VIGUEUR_DATABASE_URL le serveur principal.")
	default:
		n.ok(said)
	}
	for _, name := range e.Unsafe {
		n.fail(name+" = off : une coupure de courant peut détruire la base", "Remettez "+name+" = on et redémarrez PostgreSQL.")
	}
	if !e.Checksums {
		n.warn("les pages n’ont pas de somme de contrôle : un disque qui se trompe n’est pas remarqué", "Serveur arrêté : pg_checksums --enable.")
	}
	if !e.Archiving {
		n.warn("le journal n’est pas archivé (archive_mode = off) : on ne revient qu’à la dernière sauvegarde",
			"Pour revenir à un instant quelconque, archivez le journal : docs/operating/backup.md, « Point in time ».")
	}
	if e.Pooled {
		n.warn("un répartiteur de connexions (PgBouncer) est entre le service et PostgreSQL : qu’il soit au moins le 1.21 avec max_prepared_statements, s’il change de connexion à chaque transaction",
			"docs/operating/scale.md, « A pooler of connections ».")
	}
	p.checkConnections(e, n)
	if e.Oldest > longTransaction {
		n.warn(fmt.Sprintf("une transaction est ouverte depuis %v : les lignes mortes restent", e.Oldest.Round(time.Minute)), "Cherchez-la dans pg_stat_activity (xact_start).")
	}
	if e.Age > wrapping {
		n.fail(fmt.Sprintf("%d transactions sans nettoyage : le serveur s’arrêtera d’écrire", e.Age), "VACUUM (FREEZE), et regardez pourquoi autovacuum ne suit pas.")
	}
}

// fewerConnections is the advice for a server that has no connection left, or may run out of connections.
const fewerConnections = "Augmentez max_connections, arrêtez des processus, ou donnez-leur moins de connexions (VIGUEUR_DATABASE_CONNECTIONS)."

// checkConnections compares the server's limit with the connections that are open now, and with those that would be open
// if every process opened its maximum.
func (p *target) checkConnections(e postgres.Examined, n *notes) {
	switch {
	case e.Conns*5 > e.MaxConns*4:
		n.warn(fmt.Sprintf("%d connexions ouvertes sur %d", e.Conns, e.MaxConns), fewerConnections)
	case e.PossibleConns > e.MaxConns:
		n.warn(fmt.Sprintf("les processus qui tournent (%d) peuvent ouvrir assez de connexions pour qu’il y en ait %d ; le serveur en accepte %d, et %d sont ouvertes",
			e.Processes, e.PossibleConns, e.MaxConns, e.Conns), fewerConnections)
	}
}

// checkSchema checks the tables and indexes that the migrations made.
func (p *target) checkSchema(e postgres.Examined, n *notes) {
	switch {
	case !e.Made:
		n.fail("la base est vide", "ingest migrate up")
		return
	case e.Schema < e.Newest:
		n.fail(fmt.Sprintf("le schéma est à l’étape %d, le programme connaît l’étape %d", e.Schema, e.Newest), "ingest migrate up")
	case e.Schema > e.Newest:
		n.warn(fmt.Sprintf("le schéma est à l’étape %d, plus récente que ce programme (%d)", e.Schema, e.Newest), "Mettez les programmes à niveau.")
	default:
		n.ok(fmt.Sprintf("schéma à jour (étape %d), %d textes, %d passages : environ %s de mémoire dans chaque worker", e.Schema, e.Texts, e.Passages,
			terminal.Bytes(held(int64(e.Passages), p.ingest.MilvusURL != ""))))
	}
	if len(e.Missing) > 0 {
		n.fail("extensions absentes : "+strings.Join(e.Missing, ", "), "CREATE EXTENSION …, par le propriétaire de la base, dans le schéma public.")
	}
	if len(e.Invalid) > 0 {
		n.fail("index inutilisables : "+strings.Join(e.Invalid, ", "), "REINDEX INDEX CONCURRENTLY …")
	}
	if e.NoPartition {
		n.warn("le journal d’audit n’a pas de partition pour ce mois", "ingest migrate up")
	}
}

// checkRoles checks the privileges of the database roles, and who may read the owner's address.
func (p *target) checkRoles(ctx context.Context, n *notes) {
	p.checkOwnerSecret(n)
	e, err := p.database(ctx)
	if err != nil || !e.Made {
		n.addUnseen("non regardés : la base ne répond pas, ou est vide")
		return
	}
	previous := len(n.found)
	if len(e.Denied) > 0 {
		n.fail(fmt.Sprintf("le rôle %s n’a pas les droits qu’il faut sur %s", e.Role, strings.Join(e.Denied, ", ")),
			"ingest migrate up avec VIGUEUR_DATABASE_OWNER_URL les lui donne.")
	}
	switch {
	case e.Super:
		n.warn("le service se connecte en superutilisateur ("+e.Role+")", "Donnez-lui un rôle à lui : docs/operating/backup.md, « Roles in the database ».")
	case e.Owner:
		n.warn("le service se connecte en propriétaire de la base ("+e.Role+") : un intrus pourrait effacer le journal d’audit",
			"Donnez VIGUEUR_DATABASE_OWNER_URL au propriétaire, un autre rôle à VIGUEUR_DATABASE_URL, puis ingest migrate up.")
	case len(e.Open) > 0:
		n.warn("le service peut changer les lignes du journal d’audit", "ingest migrate up avec VIGUEUR_DATABASE_OWNER_URL retire ce droit.")
	}
	p.checkOtherRole(ctx, n, e, "VIGUEUR_DATABASE_OWNER_URL", p.ingest.OwnerURL, func(o postgres.Examined) (string, string) {
		switch {
		case !o.Owner:
			return "n’est pas propriétaire des tables", "Mettez-y le rôle qui a fait le schéma."
		case len(o.Unread) > 0:
			return "ne peut pas lire " + strings.Join(shortened(o.Unread), ", ") + " : les sauvegardes échoueront", "Rendez ces tables au rôle qui a fait le schéma (ALTER TABLE … OWNER TO …)."
		}
		return "", ""
	})
	p.checkOtherRole(ctx, n, e, "VIGUEUR_DATABASE_READER_URL", p.ingest.ReaderURL, func(o postgres.Examined) (string, string) {
		if o.Owner || o.Super || len(o.Denied) == 0 {
			return "peut écrire", "Mettez-y un rôle à part ; ingest migrate up le fait et ne lui donne que la lecture."
		}
		return "", ""
	})
	if len(n.found) == previous {
		n.ok("le rôle " + e.Role + " a les droits du service et pas davantage")
	}
	if p.ingest.OwnerURL == "" && len(e.Unread) > 0 {
		n.add(Unseen, fmt.Sprintf("le rôle %s ne lit pas %s : une sauvegarde échoue avec ces réglages", e.Role, strings.Join(shortened(e.Unread), ", ")),
			"Donnez VIGUEUR_DATABASE_OWNER_URL aux sauvegardes et à ingest retention, et à eux seuls.")
	}
}

// shortened returns the first names of a list, and « … » for the others: a log has a
// partition for each month.
func shortened(names []string) []string {
	const shown = 3
	if len(names) <= shown {
		return names
	}
	return append(slices.Clone(names[:shown]), "…")
}

// checkOwnerSecret reports a file with the owner's address that others than root may read: who takes over the service could
// then do with the database what its role may not.
func (p *target) checkOwnerSecret(n *notes) {
	info, err := os.Stat(p.ownerFile)
	if err != nil {
		return // there is none, or it is out of reach
	}
	const others = 0o077
	if !isRoots(info) || info.Mode().Perm()&others != 0 {
		n.fail("le service, ou un autre compte que root, peut lire "+p.ownerFile+", qui a l’adresse du propriétaire de la base",
			"chown root:root "+p.ownerFile+" && chmod 600 "+p.ownerFile)
	}
}

// checkOtherRole examines the database with another role. judge returns what is wrong with the role's privileges, "" for
// nothing, and what to do about it.
func (p *target) checkOtherRole(ctx context.Context, n *notes, service postgres.Examined, name, address string, judge func(postgres.Examined) (found, do string)) {
	if address == "" {
		return
	}
	o, err := postgres.Examine(ctx, address)
	switch {
	case err != nil:
		n.fail(name+" ne mène pas à la base : "+cause(err), "Corrigez l’adresse ; ingest migrate up fait les rôles.")
	case o.Database != service.Database || o.Schema != 0 && o.Schema != service.Schema:
		n.fail(fmt.Sprintf("%s mène à la base %s, le service à %s", name, o.Database, service.Database), "Mettez la même base.")
	default:
		if found, do := judge(o); found != "" {
			n.warn(fmt.Sprintf("%s : le rôle %s %s", name, o.Role, found), do)
		}
	}
}

// clock reports a difference between a server's clock and this machine's. ahead is how far the server's clock is
// ahead; trip is the duration of the round trip in which it was read.
func clock(n *notes, ahead, trip time.Duration) {
	duration := max(ahead, -ahead) - trip/2 // the difference that the duration of the trip cannot explain
	which := "avance sur"
	if ahead < 0 {
		which = "retarde sur"
	}
	switch said := fmt.Sprintf("son horloge %s celle de cette machine de %v", which, duration.Round(100*time.Millisecond)); {
	case duration > clockFail:
		n.fail(said, "Mettez les horloges à l’heure (chrony, systemd-timesyncd) : jetons et signatures n’y survivent pas.")
	case duration > clockWarn:
		n.warn(said, "Mettez les horloges à l’heure (chrony, systemd-timesyncd).")
	}
}

// nearby reports whether an address belongs to this machine.
func nearby(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "" || ownMachine(host) || strings.HasPrefix(u.Query().Get("host"), "/")
}

// dumper returns the major version of the pg_dump with which backups are made; 0 if there is none.
func dumper(ctx context.Context) int {
	out, err := exec.CommandContext(ctx, "pg_dump", "--version").Output()
	if err != nil {
		return 0
	}
	for _, word := range strings.Fields(string(out)) {
		major, _, _ := strings.Cut(word, ".")
		if v, err := strconv.Atoi(major); err == nil {
			return v
		}
	}
	return 0
}

// oldestRedis is the major version of the oldest Redis on which the tests run.
const oldestRedis = 7

// checkRedis checks the Redis server.
func (p *target) checkRedis(ctx context.Context, n *notes) {
	address, setting := p.ingest.RedisURL, "VIGUEUR_REDIS_URL"
	e, err := redisurl.Examine(ctx, address)
	name := redisurl.Name(address)
	switch {
	case redisurl.Refused(err):
		n.fail(name+" refuse la connexion : "+cause(err), "Vérifiez le nom et le mot de passe de "+setting+", et les droits de ce compte.")
		return
	case err != nil:
		n.fail(name+" ne répond pas : "+cause(err), "Démarrez Redis, ou corrigez "+setting+". Les questions attendent jusque-là.")
		return
	}
	judgeRedis(n, e, name, setting)
	clock(n, e.Ahead, e.Trip)
	if e.Secure {
		expires(n, "son certificat TLS", e.Expiry)
	} else if !nearby(address) {
		n.warn("la connexion à "+name+" n’est pas chiffrée", "Utilisez rediss://, ou un réseau que personne d’autre ne partage.")
	}
}

// judgeRedis reports what the state of a Redis server means for the service. e is the state as the server describes
// it.
func judgeRedis(n *notes, e redisurl.Examined, name, setting string) {
	major, _ := strconv.Atoi(strings.SplitN(e.Version, ".", 2)[0])
	switch said := fmt.Sprintf("Redis %s (%s), %s de mémoire", e.Version, name, terminal.Bytes(e.Used)); {
	case e.Version == "":
		n.addUnseen(name + " : le compte n’a pas le droit de demander INFO : version et réglages non vus")
	case major < oldestRedis:
		n.warn(said+fmt.Sprintf(" : plus ancien que ce qui est essayé (%d)", oldestRedis), "Mettez Redis à niveau.")
	default:
		n.ok(said)
	}
	if e.Replica {
		n.fail(name+" est un réplica : il ne prend pas d’écriture", "Mettez dans "+setting+" le maître.")
	} else if e.Write != nil {
		n.fail(name+" n’accepte pas les écritures du service : "+cause(e.Write), "Vérifiez les droits du compte (ACL), la mémoire et le disque de Redis.")
	}
	if e.Policy != "" && e.Policy != "noeviction" {
		n.warn(name+" : maxmemory-policy = "+e.Policy+" : Redis peut jeter des tâches et des flux", "CONFIG SET maxmemory-policy noeviction, et dans redis.conf.")
	}
	if e.Most > 0 && e.Used*10 > e.Most*8 {
		n.warn(fmt.Sprintf("%s : mémoire presque pleine : %s sur %s", name, terminal.Bytes(e.Used), terminal.Bytes(e.Most)), "Augmentez maxmemory.")
	}
	for _, what := range e.Broken {
		n.fail(name+" : "+what+" n’est pas « ok » : Redis n’écrit plus ses fichiers", "Regardez le disque et le journal de Redis.")
	}
}

// Idle returns the queues that no worker reads. It leaves out kinds whose setting (queue.Kind.Needs) is missing from
// settings. workers returns the number of processes that read a queue.
func Idle(kinds []queue.Kind, workers func(queue string) (int, error), settings map[string]string) (idle []string, err error) {
	for _, k := range kinds {
		n, err := workers(k.Queue)
		if err != nil {
			return nil, err
		}
		if n == 0 && (k.Needs == "" || settings[k.Needs] != "") {
			idle = append(idle, k.Queue)
		}
	}
	return idle, nil
}

// needed returns the values of the settings that some kinds of jobs need (queue.Kind.Needs).
func (p *target) needed() map[string]string {
	return map[string]string{"VIGUEUR_MEILI_URL": p.ingest.MeiliURL, "VIGUEUR_MILVUS_URL": p.ingest.MilvusURL}
}

// checkBacklog checks how long work has been waiting, and whether every queue has a worker.
func (p *target) checkBacklog(ctx context.Context, n *notes) {
	if e, err := p.database(ctx); err == nil && e.Made && len(e.Denied) == 0 {
		p.checkWaiting(ctx, n)
	} else {
		n.addUnseen("travail en attente non vu : la base ne le dit pas")
	}
	q, err := queue.NewClient(p.ingest.RedisURL)
	if err != nil {
		return // the check of Redis reports this error
	}
	defer func() { _ = q.Close() }()
	idle, err := Idle(queue.Kinds(), q.Workers, p.needed())
	if err != nil {
		n.addUnseen("workers non vus : Redis ne répond pas")
		return
	}
	if len(idle) > 0 {
		n.warn("aucun worker ne lit : "+strings.Join(idle, ", "), "Démarrez un worker ; systemctl status vigueur-worker, ou le journal de l’ancien.")
		return
	}
	n.ok("chaque file a un worker")
}

func (p *target) checkWaiting(ctx context.Context, n *notes) {
	db, err := postgres.Open(ctx, p.ingest.DatabaseURL)
	if err != nil {
		return // the check of PostgreSQL reports this error
	}
	defer db.Close()
	classes, err := db.Waiting(ctx)
	if err != nil {
		n.fail("le travail en attente ne peut pas être lu : "+cause(err), "Regardez le journal de PostgreSQL.")
		return
	}
	judgeWaiting(n, classes)
}

// judgeWaiting reports work that waits longer than it should, and work that failed.
func judgeWaiting(n *notes, classes []postgres.Waiting) {
	for _, c := range classes {
		kind := queue.KindOf(c.Class)
		if c.Oldest != nil && *c.Oldest > kind.Late {
			n.warn(fmt.Sprintf("%s : %d en attente, %d en cours, depuis %v", kind.Label, c.Queued, c.Running, c.Oldest.Round(time.Second)),
				"Plus de workers, ou regardez dans leur journal ce qui les arrête.")
		}
		if c.Failed > 0 {
			do := "Regardez pourquoi dans le journal des workers (« end », « state » ou « outcome » failed)."
			if kind.Queue == queue.Ingestions.Queue {
				do = "Voyez pourquoi : ingest status --state failed. Puis « ingest retry ID » les reprend, ou « ingest forget ID » les oublie."
			}
			n.warn(fmt.Sprintf("%s : %d en échec depuis 24 heures", kind.Label, c.Failed), do)
		}
	}
}

// Limits of free space on a disk, in bytes. A gazette can have 256 MiB, and an upload
// briefly needs that space twice, so below roomFail four concurrent uploads may fail.
const (
	roomWarn = 10 << 30
	roomFail = 1 << 30
	// fewInodes: at least one in fewInodes of a file system's inodes should be free.
	fewInodes = 20
)

// tidying is the timeout for removing the test file.
const tidying = 2 * time.Second

// checkFiles checks the stores of the PDF files, by adding a file and removing it again.
func (p *target) checkFiles(ctx context.Context, n *notes) {
	const name = "VIGUEUR_BLOBS_URL"
	u, err := url.Parse(p.ingest.BlobsURL)
	if err != nil {
		n.fail(name+" est illisible", "Corrigez-la : file:///dossier ou s3://compartiment/préfixe?endpoint=…")
		return
	}
	if u.Scheme == "file" && !p.checkFolder(n, name, u.Path) {
		return
	}
	if u.Scheme == "s3" {
		p.checkBucketTLS(ctx, n, u)
	}
	p.tryStore(ctx, n, name, p.ingest.BlobsURL)
}

// checkFolder checks a folder before a file is written to it. It does not create the folder, and
// reports whether the folder can be used.
func (p *target) checkFolder(n *notes, name, path string) bool {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n.fail(fmt.Sprintf("%s : le dossier %s n’existe pas", name, path), "Vérifiez qu’il est monté ; sinon, faites-le : install -d -m 700.")
		return false
	case err != nil:
		n.fail(fmt.Sprintf("%s : %s", name, cause(err)), "Vérifiez les droits des dossiers au-dessus.")
		return false
	case !info.IsDir():
		n.fail(fmt.Sprintf("%s : %s n’est pas un dossier", name, path), "Nommez un dossier.")
		return false
	}
	if info.Mode().Perm()&0o077 != 0 {
		n.warn(fmt.Sprintf("%s : d’autres comptes peuvent entrer dans %s", name, path), "chmod 700 "+path)
	}
	room(n, path)
	return true
}

// tryStore adds a random file to the store, reads it back and removes it.
func (p *target) tryStore(ctx context.Context, n *notes, name, address string) {
	store, err := blobs.Open(blobs.Settings{URL: address, Key: p.ingest.BlobsKey})
	if err != nil {
		n.fail(name+" : "+publicOr(err), "Corrigez l’adresse ou la clé (VIGUEUR_BLOBS_KEY).")
		return
	}
	content := make([]byte, 64)
	_, _ = rand.Read(content) // never fails
	sum := sha256.Sum256(content)
	sha := hex.EncodeToString(sum[:])
	// Remove the file even if adding it reported an error.
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		_ = store.Delete(ctx, sha)
	}()
	err = store.Put(ctx, sha, strings.NewReader(string(content)))
	if err == nil {
		err = blobs.There(ctx, store, sha)
	}
	if err == nil {
		err = store.Delete(ctx, sha)
	}
	if err != nil {
		n.fail(fmt.Sprintf("%s : écrire, relire et effacer un fichier ne va pas : %s", name, publicOr(err)), "Vérifiez les droits (docs/operating/install.md, « Files in a bucket ») et la place.")
		return
	}
	n.ok(name + " : un fichier a été écrit, relu et effacé")
}

// publicOr returns the public message of an error, with the cause if the message says
// little.
func publicOr(err error) string {
	said := errs.Public(err)
	if inner := errors.Unwrap(err); inner != nil && len(said) < longestCause/2 {
		return said + " (" + cause(err) + ")"
	}
	return said
}

// disk is the room on a file system.
type disk struct {
	free        int64  // bytes
	names, left uint64 // inodes, and how many of them are free
}

// room checks the free space on the disk that contains a folder.
func room(n *notes, path string) {
	d, seen := diskOf(path)
	if !seen {
		n.addUnseen("place libre dans " + path + " non vue")
		return
	}
	judgeRoom(n, path, d)
}

// judgeRoom reports whether a file system has enough free space and free inodes.
func judgeRoom(n *notes, path string, d disk) {
	said := fmt.Sprintf("%s : %s libres", path, terminal.Bytes(d.free))
	switch {
	case d.free < roomFail:
		n.fail(said, "Faites de la place : les fichiers seront refusés.")
	case d.free < roomWarn:
		n.warn(said, "Prévoyez de la place.")
	case d.names > 0 && d.left < d.names/fewInodes:
		n.warn(fmt.Sprintf("%s : %d noms de fichiers libres sur %d", path, d.left, d.names), "Ce système de fichiers n’a presque plus d’inodes.")
	default:
		n.ok(said)
	}
}

// checkMachine checks the machine's own folders and programs.
func (p *target) checkMachine(ctx context.Context, n *notes) {
	temporary := os.TempDir()
	if p.environ["TMPDIR"] != "" {
		temporary = p.environ["TMPDIR"]
	}
	p.checkOwnFolder(n, "TMPDIR", temporary)
	if p.workerHere && p.worker.IndexDir != "" {
		p.checkOwnFolder(n, "VIGUEUR_INDEX_DIR", p.worker.IndexDir)
	}
	if most, seen := mostFiles(); seen && most < leastFiles {
		n.warn(fmt.Sprintf("%d fichiers ouverts au plus : chaque flux en prend un", most), fmt.Sprintf("ulimit -n %d, ou LimitNOFILE dans l’unité systemd.", leastFiles))
	}
	p.checkPrograms(ctx, n)
}

// leastFiles is the number of open files below which a process gets a warning. By default,
// systemd allows more to a process that asks for more; a shell allows 1,024.
const leastFiles = 4096

// checkOwnFolder checks a folder that a program writes to.
func (p *target) checkOwnFolder(n *notes, name, path string) {
	file, err := os.CreateTemp(path, ".vigueur-doctor-*")
	if err != nil {
		n.fail(fmt.Sprintf("%s : %s ne peut pas être écrit : %s", name, path, cause(err)), "Faites ce dossier, et donnez-le au compte du service.")
		return
	}
	_ = errors.Join(file.Close(), os.Remove(filepath.Join(path, filepath.Base(file.Name()))))
	room(n, path)
}
