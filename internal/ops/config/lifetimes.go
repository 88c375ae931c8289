package config

import "time"

// Lives are the lifetimes of credentials.
type Lives struct {
	AccessLife  time.Duration `env:"VIGUEUR_ACCESS_TOKEN_LIFE" envDefault:"1h" help:"durée d’un jeton d’accès, de 1m à 24h"`
	RefreshLife time.Duration `env:"VIGUEUR_REFRESH_TOKEN_LIFE" envDefault:"720h" help:"durée d’un jeton de renouvellement qui n’a pas servi : une session inactive plus longtemps est finie"`
	SessionLife time.Duration `env:"VIGUEUR_SESSION_LIFE" envDefault:"2160h" help:"durée d’une session, qu’aucun renouvellement n’allonge, 8760h au plus"`
}

// Lifetimes that are the same everywhere.
const (
	RefreshGrace = 30 * time.Second // in which a renewal whose reply was lost may be repeated once
	CodeLife     = 5 * time.Minute  // between the password and the code of a sign-in
	AttemptLife  = 10 * time.Minute // of a sign-in at an identity provider
	ResetLife    = time.Hour        // of the link that changes a forgotten password
	SignupLife   = 24 * time.Hour   // of the link that opens an account
)

// longestSession is the maximum lifetime of a session: people must sign in again at least
// once a year.
const longestSession = 365 * 24 * time.Hour

func (c Lives) livesFaults(f *faults) {
	f.between("VIGUEUR_ACCESS_TOKEN_LIFE", c.AccessLife, time.Minute, 24*time.Hour)
	f.between("VIGUEUR_SESSION_LIFE", c.SessionLife, time.Hour, longestSession)
	f.between("VIGUEUR_REFRESH_TOKEN_LIFE", c.RefreshLife, time.Minute, longestSession)
	if c.RefreshLife < c.AccessLife {
		f.add("VIGUEUR_REFRESH_TOKEN_LIFE : %v, moins que VIGUEUR_ACCESS_TOKEN_LIFE (%v) : un jeton d’accès qui finit ne pourrait plus être renouvelé", c.RefreshLife, c.AccessLife)
	}
	if c.RefreshLife > c.SessionLife {
		f.add("VIGUEUR_REFRESH_TOKEN_LIFE : %v, plus que VIGUEUR_SESSION_LIFE (%v)", c.RefreshLife, c.SessionLife)
	}
}

func (f *faults) between(name string, d, least, most time.Duration) {
	if d < least || d > most {
		f.add("%s : %v n’est pas entre %v et %v", name, d, least, most)
	}
}
