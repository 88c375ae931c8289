package config

import "time"

// Lives are the lifetimes of credentials.
type Lives struct {
	AccessLife   time.Duration `env:"VIGUEUR_ACCESS_TOKEN_LIFE" envDefault:"1h" help:"durée d’un jeton d’accès, de 1m à 24h"`
	RefreshLife  time.Duration `env:"VIGUEUR_REFRESH_TOKEN_LIFE" envDefault:"720h" help:"durée d’un jeton de renouvellement qui n’a pas servi : une session inactive plus longtemps est finie"`
	SessionLife  time.Duration `env:"VIGUEUR_SESSION_LIFE" envDefault:"2160h" help:"durée d’une session, qu’aucun renouvellement n’allonge, 8760h au plus"`
	RefreshGrace time.Duration `env:"VIGUEUR_REFRESH_GRACE" envDefault:"30s" help:"délai pendant lequel un renouvellement dont la réponse s’est perdue peut être redemandé une fois, 5m au plus ; 0 : jamais"`
	CodeLife     time.Duration `env:"VIGUEUR_SIGN_IN_CODE_LIFE" envDefault:"5m" help:"délai entre le mot de passe et le code d’une connexion, et pendant lequel une connexion chez un fournisseur d’identités vaut mot de passe, de 1m à 1h"`
	AttemptLife  time.Duration `env:"VIGUEUR_OIDC_ATTEMPT_LIFE" envDefault:"10m" help:"délai d’une connexion chez un fournisseur d’identités, de 1m à 1h"`
}

// LinkLives are the lifetimes of the links in messages, from the moment of sending.
type LinkLives struct {
	ResetLife  time.Duration `env:"VIGUEUR_RESET_LINK_LIFE" envDefault:"1h" help:"durée du lien qui change un mot de passe oublié, de 5m à 24h"`
	SignupLife time.Duration `env:"VIGUEUR_SIGNUP_LINK_LIFE" envDefault:"24h" help:"durée du lien qui ouvre un compte, de 5m à 168h"`
}

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
	f.between("VIGUEUR_REFRESH_GRACE", c.RefreshGrace, 0, 5*time.Minute)
	f.between("VIGUEUR_SIGN_IN_CODE_LIFE", c.CodeLife, time.Minute, time.Hour)
	f.between("VIGUEUR_OIDC_ATTEMPT_LIFE", c.AttemptLife, time.Minute, time.Hour)
}

func (c LinkLives) linkFaults(f *faults) {
	f.between("VIGUEUR_RESET_LINK_LIFE", c.ResetLife, 5*time.Minute, 24*time.Hour)
	f.between("VIGUEUR_SIGNUP_LINK_LIFE", c.SignupLife, 5*time.Minute, 7*24*time.Hour)
}

func (f *faults) between(name string, d, least, most time.Duration) {
	if d < least || d > most {
		f.add("%s : %v n’est pas entre %v et %v", name, d, least, most)
	}
}
