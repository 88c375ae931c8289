package doctor

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/work/queue"
)

// only fails the test unless the findings begin with the wanted lines, in this order and without others.
func only(t *testing.T, n *notes, wanted ...string) {
	t.Helper()
	told := lines(n)
	if len(told) != len(wanted) {
		t.Fatalf("%d lines, want %d:\n%s", len(told), len(wanted), strings.Join(told, "\n"))
	}
	for i, w := range wanted {
		if !strings.HasPrefix(told[i], w) {
			t.Errorf("line %d is « %s », want « %s »", i, told[i], w)
		}
		if f := n.found[i]; (f.State == Warn || f.State == Fail) != (f.Do != "") {
			t.Errorf("a fault without a cure, or a cure without a fault: %+v", f)
		}
	}
}

func TestRedisIsJudged(t *testing.T) {
	t.Parallel()
	const well = "ok: Redis 7.0.15 (tâches:6379/0), 1,0 Mio de mémoire"
	for name, c := range map[string]struct {
		change func(*redisurl.Examined)
		wanted []string
	}{
		"well":                    {func(*redisurl.Examined) {}, []string{well}},
		"a major of two figures":  {func(e *redisurl.Examined) { e.Version = "10.2.0" }, []string{"ok: Redis 10.2.0"}},
		"old":                     {func(e *redisurl.Examined) { e.Version = "6.2.9" }, []string{"warn: Redis 6.2.9 (tâches:6379/0), 1,0 Mio de mémoire : plus ancien que ce qui est essayé (7)"}},
		"that may not say":        {func(e *redisurl.Examined) { *e = redisurl.Examined{} }, []string{"unseen: tâches:6379/0 : le compte n’a pas le droit de demander INFO"}},
		"a replica":               {func(e *redisurl.Examined) { e.Replica = true }, []string{well, "fail: tâches:6379/0 est un réplica"}},
		"a replica, told once":    {func(e *redisurl.Examined) { e.Replica, e.Write = true, errors.New("READONLY") }, []string{well, "fail: tâches:6379/0 est un réplica"}},
		"refused writes":          {func(e *redisurl.Examined) { e.Write = errors.New("NOPERM\nno  XADD") }, []string{well, "fail: tâches:6379/0 n’accepte pas les écritures du service : NOPERM no XADD"}},
		"that evicts":             {func(e *redisurl.Examined) { e.Policy = "allkeys-lru" }, []string{well, "warn: tâches:6379/0 : maxmemory-policy = allkeys-lru"}},
		"four fifths full":        {func(e *redisurl.Examined) { e.Used, e.Most = 80<<20, 100<<20 }, []string{"ok: Redis 7.0.15"}},
		"more than four fifths":   {func(e *redisurl.Examined) { e.Used, e.Most = 81<<20, 100<<20 }, []string{"ok: ", "warn: tâches:6379/0 : mémoire presque pleine : 81,0 Mio sur 100,0 Mio"}},
		"that writes no files":    {func(e *redisurl.Examined) { e.Broken = []string{"rdb", "aof"} }, []string{well, "fail: tâches:6379/0 : rdb n’est pas", "fail: tâches:6379/0 : aof n’est pas"}},
		"several faults together": {func(e *redisurl.Examined) { e.Version, e.Policy, e.Replica = "5", "allkeys-lru", true }, []string{"warn: Redis 5", "fail: ", "warn: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, n := redisurl.Examined{Version: "7.0.15", Policy: "noeviction", Used: 1 << 20}, &notes{}
			c.change(&e)
			judgeRedis(n, e, "tâches:6379/0", "VIGUEUR_REDIS_URL")
			only(t, n, c.wanted...)
		})
	}
}

// The finding names the Redis that is down, without its password.
func TestWhichRedisIsAwayIsTold(t *testing.T) {
	t.Parallel()
	p, n := newTarget(map[string]string{}), &notes{}
	p.ingest.RedisURL = "redis://:tresor@127.0.0.1:1/0"
	p.checkRedis(t.Context(), n)
	only(t, n, "fail: 127.0.0.1:1/0 ne répond pas : ")
	if f := n.found[0]; !strings.Contains(f.Do, "VIGUEUR_REDIS_URL") || strings.Contains(f.Found, "tresor") {
		t.Errorf("%+v, want the setting and no secret", f)
	}
}

func TestWaitingWorkIsJudged(t *testing.T) {
	t.Parallel()
	age := func(d time.Duration) *time.Duration { return &d }
	for name, c := range map[string]struct {
		class  postgres.Waiting
		wanted []string
	}{
		"nothing waits":                     {postgres.Waiting{Class: "answers"}, nil},
		"a question of a minute":            {postgres.Waiting{Class: "answers", Queued: 1, Oldest: age(time.Minute)}, nil},
		"an older question":                 {postgres.Waiting{Class: "answers", Queued: 3, Running: 2, Oldest: age(61 * time.Second)}, []string{"warn: questions : 3 en attente, 2 en cours, depuis 1m1s"}},
		"a gazette may take hours":          {postgres.Waiting{Class: "ingestions", Running: 1, Oldest: age(23 * time.Hour)}, nil},
		"a gazette of more than a day":      {postgres.Waiting{Class: "ingestions", Running: 1, Oldest: age(25 * time.Hour)}, []string{"warn: gazettes : 0 en attente, 1 en cours, depuis 25h0m0s"}},
		"a message of more than a day":      {postgres.Waiting{Class: "notifications", Queued: 1, Oldest: age(25 * time.Hour)}, []string{"warn: messages : 1 en attente"}},
		"titles of more than an hour":       {postgres.Waiting{Class: "titles", Queued: 1, Oldest: age(2 * time.Hour)}, []string{"warn: index des titres : 1 en attente"}},
		"failures, with nothing that waits": {postgres.Waiting{Class: "answers", Failed: 4}, []string{"warn: questions : 4 en échec depuis 24 heures"}},
		"both":                              {postgres.Waiting{Class: "answers", Queued: 1, Failed: 4, Oldest: age(time.Hour)}, []string{"warn: questions : 1 en attente", "warn: questions : 4 en échec"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			judgeWaiting(n, []postgres.Waiting{c.class})
			only(t, n, c.wanted...)
		})
	}
}

// Every class of work that the database counts must have a name and a limit here. Without a limit, all its rows would
// be reported as late.
func TestEveryClassThatWaitsIsKnown(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), well(t)["VIGUEUR_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	classes, err := db.Waiting(t.Context())
	if err != nil || len(classes) == 0 {
		t.Fatalf("%v, %v", classes, err)
	}
	for _, c := range classes {
		if k := queue.KindOf(c.Class); k.Label == "" || k.Late == 0 {
			t.Errorf("%s has no name or no bound", c.Class)
		}
	}
	for _, k := range queue.Kinds() {
		if counted := slices.ContainsFunc(classes, func(c postgres.Waiting) bool { return c.Class == k.Queue }); k.Late > 0 && !counted {
			t.Errorf("%s has a bound, but nothing counts its rows", k.Queue)
		}
	}
}

func TestRoomIsJudged(t *testing.T) {
	t.Parallel()
	const block = 4096
	for name, c := range map[string]struct {
		free   uint64 // free bytes
		all    uint64 // number of inodes
		left   uint64
		wanted string
	}{
		"much":                          {roomWarn, 1000, 900, "ok: /x : 10,0 Gio libres"},
		"a block less":                  {roomWarn - block, 1000, 900, "warn: /x : 10,0 Gio libres"},
		"just enough":                   {roomFail, 1000, 900, "warn: /x : 1,0 Gio libres"},
		"too little":                    {roomFail - block, 1000, 900, "fail: /x : "},
		"none":                          {0, 1000, 900, "fail: /x : 0 o libres"},
		"a twentieth of the names":      {roomWarn, 1000, 50, "ok: "},
		"few names":                     {roomWarn, 1000, 49, "warn: /x : 49 noms de fichiers libres sur 1000"},
		"a file system that has no end": {roomWarn, 0, 0, "ok: "}, // btrfs has no fixed number of inodes
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			judgeRoom(n, "/x", disk{free: int64(c.free), names: c.all, left: c.left})
			only(t, n, c.wanted)
		})
	}
	n := &notes{}
	room(n, "/nulle/part")
	only(t, n, "unseen: place libre dans /nulle/part non vue")
}

func TestPgDumpIsHeldAgainstTheServer(t *testing.T) {
	t.Parallel()
	for major, wanted := range map[int]string{0: "warn: pg_dump n’est pas sur cette machine", 14: "warn: pg_dump 14 est plus ancien que le serveur (15)",
		15: "ok: pg_dump 15 peut", 17: "ok: pg_dump 17 peut"} {
		n := &notes{}
		judgeDumper(n, major, 15)
		only(t, n, wanted)
	}
}

func TestVectorsAreJudged(t *testing.T) {
	t.Parallel()
	now := postgres.Generation{Model: "mots-3", Current: true, Covered: 7}
	failed, behind, other, next := now, now, now, now
	failed.Error, behind.Covered, other.Model, next.Current = "le serveur refuse la clé", 6, "e5", false
	for name, c := range map[string]struct {
		generations []postgres.Generation
		texts       int
		wanted      string
	}{
		"an empty catalogue":               {nil, 0, "ok: aucun texte, aucun vecteur"},
		"texts without vectors":            {nil, 1, "warn: aucun vecteur : les réponses se cherchent par les mots seuls"},
		"the first ones are being made":    {[]postgres.Generation{next}, 1, "warn: aucun vecteur"},
		"up to date":                       {[]postgres.Generation{now}, 1, "ok: vecteurs de « mots-3 », à jour"},
		"behind the catalogue":             {[]postgres.Generation{behind}, 1, "warn: les vecteurs suivent le catalogue jusqu’à 6 sur 7"},
		"of another model":                 {[]postgres.Generation{other}, 1, "warn: les vecteurs sont de « e5 », le réglage dit « mots-3 »"},
		"failed":                           {[]postgres.Generation{failed}, 1, "warn: la dernière tentative a échoué : le serveur refuse la clé"},
		"a failure before what is behind":  {[]postgres.Generation{{Model: "mots-3", Current: true, Error: "x"}}, 1, "warn: la dernière tentative a échoué : x"},
		"a catalogue that is still behind": {[]postgres.Generation{{Model: "mots-3", Current: true, Covered: 8}}, 1, "ok: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, n := sound(), &notes{}
			e.Texts, e.Catalog = c.texts, 7
			judgeVectors(n, c.generations, "mots-3", e)
			only(t, n, c.wanted)
		})
	}
}

func TestSentencesAreJudged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		generations []postgres.Generation
		wanted      string
	}{
		"none":       {nil, "ok: aucun vecteur de phrases"},
		"up to date": {[]postgres.Generation{{Model: "e5", Covered: 7}, {Model: "e4", Covered: 2}}, "ok: vecteurs de phrases de « e5 », à jour"},
		"behind":     {[]postgres.Generation{{Model: "e5", Covered: 3}}, "warn: les vecteurs de phrases suivent le catalogue jusqu’à 3 sur 7"},
		"not begun":  {[]postgres.Generation{{Model: "e5", Covered: -1}}, "warn: les vecteurs de phrases suivent le catalogue jusqu’à 0 sur 7"},
		"failed":     {[]postgres.Generation{{Model: "e5", Covered: 7, Error: "plus de place"}}, "warn: vecteurs de phrases : la dernière tentative a échoué : plus de place"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			judgeSentences(n, c.generations, 7)
			only(t, n, c.wanted)
		})
	}
}

// An address for metrics that is open to the Internet is reported once, whichever program's settings are in the
// environment.
func TestPublicFiguresAreToldOnce(t *testing.T) {
	t.Parallel()
	worker := map[string]string{"VIGUEUR_DATABASE_URL": "postgres://127.0.0.1:1/x", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:1", "VIGUEUR_BLOBS_URL": "file:///x",
		"VIGUEUR_MAIL_DIR": "/x", "VIGUEUR_METRICS_LISTEN": "203.0.113.7:9090"}
	both := maps.Clone(worker)
	maps.Copy(both, map[string]string{"VIGUEUR_JWT_SECRET": strings.Repeat("jeton-", 8), "VIGUEUR_ADDRESS_SECRET": strings.Repeat("adresse-", 8),
		"VIGUEUR_BASE_URL": "https://droit.example", "VIGUEUR_TRUSTED_PROXIES": "10.0.0.0/8"})
	for name, environ := range map[string]map[string]string{"a worker's": worker, "both programs'": both} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			newTarget(environ).checkSettings(t.Context(), n)
			told := 0
			for _, f := range n.found {
				if strings.Contains(f.Found, "écoute sur une adresse publique") {
					told++
				}
			}
			if told != 1 {
				t.Errorf("told %d times:\n%s", told, strings.Join(lines(n), "\n"))
			}
		})
	}
	for _, private := range []string{"127.0.0.1:9090", "10.0.0.7:9090", ":9090", ""} {
		environ := maps.Clone(both)
		environ["VIGUEUR_METRICS_LISTEN"] = private
		n := &notes{}
		newTarget(environ).checkSettings(t.Context(), n)
		for _, f := range n.found {
			if strings.Contains(f.Found, "publique") {
				t.Errorf("%q: %s", private, f.Found)
			}
		}
	}
}

// If the doctor did not know the setting of a kind of job, it would never report that the kind has no worker.
func TestTheSettingsOfKindsAreKnown(t *testing.T) {
	t.Parallel()
	known := (&target{}).needed()
	for _, k := range queue.Kinds() {
		if _, ok := known[k.Needs]; k.Needs != "" && !ok {
			t.Errorf("the doctor does not know %s, which %s needs", k.Needs, k.Name)
		}
	}
}
