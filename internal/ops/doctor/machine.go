package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/version"
	"vigueur/internal/store/postgres"
)

// checkPrograms checks the external programs that the service calls.
func (p *target) checkPrograms(ctx context.Context, n *notes) {
	if p.workerHere {
		if err := (ocr.Reader{}).Available(ctx); err != nil {
			n.warn("Tesseract, ou sa langue française, n’est pas sur cette machine : les pages numérisées resteront sans texte",
				"apt-get install tesseract-ocr tesseract-ocr-fra, là où tourne le worker.")
		} else {
			n.ok("Tesseract et le français sont là")
		}
	}
	if p.workerHere || p.apiHere {
		judgeConfinement(n, confine.Landlock())
	}
	e, err := p.database(ctx)
	if err != nil {
		return // the check of PostgreSQL reports this error
	}
	judgeDumper(n, dumper(ctx), e.Version/10000)
}

// judgeConfinement reports whether the kernel lets the children that read PDFs and scans give up files. landlock is the
// version of Landlock, 0: none.
func judgeConfinement(n *notes, landlock int) {
	if landlock == 0 {
		n.warn("le noyau n’offre pas Landlock : un PDF ou une image qui prendrait le contrôle du processus qui les lit pourrait ouvrir les fichiers du service",
			"Un noyau Linux 5.13 ou plus récent, avec landlock parmi ses modules de sécurité (lsm=) ; dans un conteneur, un profil seccomp qui permet landlock_create_ruleset.")
		return
	}
	n.ok(fmt.Sprintf("Landlock, version %d : les processus qui lisent les PDF et les images n’ouvrent pas les autres fichiers", landlock))
}

// judgeDumper compares the major version of pg_dump (0: not installed) with the server's.
func judgeDumper(n *notes, major, want int) {
	switch {
	case major == 0:
		n.warn("pg_dump n’est pas sur cette machine : les sauvegardes n’y marcheront pas", "apt-get install postgresql-client, là où se font les sauvegardes.")
	case major < want:
		n.warn(fmt.Sprintf("pg_dump %d est plus ancien que le serveur (%d) : il refusera de le sauvegarder", major, want), "Installez le client de la version du serveur.")
	default:
		n.ok(fmt.Sprintf("pg_dump %d peut sauvegarder ce serveur", major))
	}
}

// checkProcesses compares the versions of the running programs with each other, with this command and with the schema.
func (p *target) checkProcesses(ctx context.Context, n *notes) {
	e, err := p.database(ctx)
	if err != nil || !e.Made {
		n.addUnseen("non regardés : la base ne répond pas, ou est vide")
		return
	}
	db, err := postgres.Open(ctx, p.ingest.DatabaseURL)
	if err != nil {
		n.addUnseen("non regardés : la base ne répond plus")
		return
	}
	defer db.Close()
	running, err := db.Processes(ctx)
	if err != nil {
		n.addUnseen("non regardés : " + cause(err))
		return
	}
	judgeProcesses(n, running, version.Read().Version, e.Schema)
}

// services are the programs of the service, in the order in which findings list them.
var services = []string{"api", "worker"}

// judgeProcesses compares the running programs with each other, with the version of this command and with the number
// of the schema's last migration.
func judgeProcesses(n *notes, running []postgres.Process, command string, schema int64) {
	if len(running) == 0 {
		n.addUnseen("aucun api ni worker n’est connecté à cette base sous son nom (application_name)")
		return
	}
	for _, program := range services {
		if !slices.ContainsFunc(running, func(r postgres.Process) bool { return r.Program == program }) {
			n.warn("aucun "+program+" ne tourne", "Démarrez-en un, ou regardez son journal.")
		}
	}
	for _, r := range running {
		if r.Newest > schema {
			n.fail(fmt.Sprintf("un %s (%s) attend l’étape %d du schéma, qui est à l’étape %d", r.Program, r.Version, r.Newest, schema), "ingest migrate up")
			break
		}
	}
	found := versionsOf(running)
	said := strings.Join(countVersions(running, found), ", ")
	switch {
	case slices.Contains(found, version.Unknown):
		n.addUnseen(said + " : construits sans leur version, ils ne peuvent pas être comparés")
	case len(found) > 1:
		n.warn("des versions différentes tournent ensemble : "+said,
			"C’est normal pendant une mise à niveau. Sinon redémarrez ce qui est resté à l’ancienne (systemctl restart vigueur-api 'vigueur-worker@*').")
	case command != version.Unknown && !sameVersion(found[0], command):
		n.warn(said+", et cette commande est "+command, "Redémarrez les services s’ils ont été mis à niveau, ou employez la commande de leur version.")
	default:
		n.ok(said)
	}
}

// versionsOf returns the versions of the running programs in order, each once.
func versionsOf(running []postgres.Process) (found []string) {
	for _, r := range running {
		found = append(found, r.Version)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// countVersions describes how many processes run each version: « 1 api v1.2.0 », « 2 workers v1.2.0 ».
func countVersions(running []postgres.Process, versions []string) (said []string) {
	for _, program := range services {
		for _, version := range versions {
			count := 0
			for _, r := range running {
				if r.Program == program && r.Version == version {
					count++
				}
			}
			switch count {
			case 0:
			case 1:
				said = append(said, "1 "+program+" "+version)
			default:
				said = append(said, fmt.Sprintf("%d %ss %s", count, program, version))
			}
		}
	}
	return said
}

// shortest is the number of bytes of a version that the server keeps for every program. It cuts longer ones.
const shortest = 32

// sameVersion reports whether kept, a version that the server may have cut, is the given version.
func sameVersion(kept, version string) bool {
	return kept == version || len(kept) >= shortest && strings.HasPrefix(version, kept)
}
