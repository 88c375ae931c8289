package doctor

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/work/queue"
)

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
