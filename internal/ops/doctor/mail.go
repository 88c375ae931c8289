package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work/notify"
)

// checkMail checks the mail server or mail folder without sending a message.
func (p *target) checkMail(ctx context.Context, n *notes) {
	switch {
	case !p.workerHere:
		n.addUnseen("non regardés : les réglages du worker ne sont pas ici")
	case p.workerErr != nil:
		n.addUnseen("non regardés : les réglages du worker sont à corriger")
	case p.worker.SMTPURL != "":
		server, err := notify.NewSMTP(p.worker.SMTPURL)
		if err != nil {
			n.fail(errs.Public(err), "Corrigez VIGUEUR_SMTP_URL.")
			return
		}
		if err := server.Try(ctx); err != nil {
			n.fail(errs.Public(err), "Vérifiez l’adresse, le port, TLS et le mot de passe de VIGUEUR_SMTP_URL. Les messages attendent et partiront d’eux-mêmes.")
			return
		}
		n.ok("le serveur de messagerie a accepté la connexion ; rien n’a été envoyé")
		p.checkMailTLS(ctx, n)
	default:
		p.checkMailFolder(ctx, n)
	}
}

func (p *target) checkMailFolder(ctx context.Context, n *notes) {
	if _, err := os.Stat(p.worker.MailDir); errors.Is(err, fs.ErrNotExist) {
		n.addUnseen("le dossier des messages " + p.worker.MailDir + " n’existe pas encore : le worker le fera")
		return
	}
	folder, err := notify.NewFolder(p.worker.MailDir)
	if err == nil {
		err = folder.Try(ctx)
	}
	if err != nil {
		n.fail(errs.Public(err), "Donnez "+p.worker.MailDir+" au compte du worker.")
		return
	}
	n.ok("sans serveur de messagerie : les messages sont des fichiers de " + p.worker.MailDir)
	room(n, p.worker.MailDir)
}
