package doctor

import (
	"context"
	"fmt"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/confine"
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
