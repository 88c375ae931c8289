package postgres

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The codes with which a running server refuses a role.
const (
	wrongPassword   = "28P01" // also for a role that does not exist, so that nobody learns which exist
	notAdmitted     = "28000" // a rule of pg_hba.conf, or a role that may not log in
	unknownDatabase = "3D000"
	noRight         = "42501"
	protocolFault   = "08P01" // of a pooler too, for settings of a session
)

// unsupported reports whether a pooler refused a setting of the session: PostgreSQL itself knows
// them all.
func unsupported(pg *pgconn.PgError) bool {
	return pg.Code == protocolFault && strings.Contains(pg.Message, "unsupported startup parameter")
}

// Rejected reports whether the server answered but refused the role: a wrong password, an
// unknown role or database, or a rule of pg_hba.conf.
func Rejected(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "28") || pg.Code == unknownDatabase || pg.Code == noRight)
}

// refusalText explains in French why the server refuses the role, with the server's own
// words, and what to do about it; "" if err is no refusal.
func refusalText(err error, role, database string) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && unsupported(pg) {
		return "un répartiteur de connexions (PgBouncer) est devant lui, et refuse les réglages de session : mettez ignore_startup_parameters dans sa configuration et ces réglages au rôle, ou VIGUEUR_DATABASE_URL sur PostgreSQL lui-même (docs/operating/scale.md, « A pooler of connections »). Sa réponse : " + pg.Message
	}
	if !errors.As(err, &pg) || !Rejected(err) {
		return ""
	}
	var text string
	switch pg.Code {
	case wrongPassword:
		text = fmt.Sprintf("refuse le mot de passe du compte « %s », ou ne connaît pas ce compte : corrigez VIGUEUR_DATABASE_URL, ou donnez au compte ce mot de passe (ALTER ROLE)", role)
	case unknownDatabase:
		text = fmt.Sprintf("n’a pas de base « %s » : créez-la (createdb -O %s %s), puis ingest migrate up, ou corrigez VIGUEUR_DATABASE_URL", database, role, database)
	case noRight:
		text = fmt.Sprintf("ne laisse pas le compte « %s » ouvrir la base « %s » : donnez-lui ce droit (GRANT CONNECT ON DATABASE)", role, database)
	default:
		text = fmt.Sprintf("n’admet pas le compte « %s » dans la base « %s » : vérifiez pg_hba.conf, et que le compte existe et peut se connecter", role, database)
	}
	return text + ". Réponse du serveur : " + pg.Message
}
