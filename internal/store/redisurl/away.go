package redisurl

import (
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

// refusals maps the beginning of a reply with which a running server refuses a client to the
// French explanation.
var refusals = []struct{ reply, text string }{
	{"WRONGPASS", "refuse le mot de passe, ou le compte, de VIGUEUR_REDIS_URL : corrigez-le"},
	{"NOAUTH", "demande un mot de passe : mettez-le dans VIGUEUR_REDIS_URL (redis://:MOT_DE_PASSE@hôte:port/0)"},
	{"NOPERM", "ne donne pas au compte de VIGUEUR_REDIS_URL le droit à une commande : donnez-le-lui (ACL SETUSER)"},
}

// refusal returns the server's reply and its explanation; ok is false if err is no refusal.
func refusal(err error) (reply, text string, ok bool) {
	var said redis.Error
	if !errors.As(err, &said) {
		return "", "", false
	}
	for _, r := range refusals {
		if strings.HasPrefix(said.Error(), r.reply) {
			return said.Error(), r.text, true
		}
	}
	return "", "", false
}

// Refused reports whether the server answered but refuses the client: the password is wrong
// or missing, or the account has no right to use a command.
func Refused(err error) bool {
	_, _, ok := refusal(err)
	return ok
}

// Away returns the Unavailable error for an operator that Redis does not respond or refuses
// the client. It returns nil if err is nil.
func Away(err error) error {
	if reply, text, ok := refusal(err); ok {
		return errs.Wrap(errs.Unavailable, "Redis tourne, mais "+text+". Réponse du serveur : "+reply, err)
	}
	return errs.Away("Redis", "", "VIGUEUR_REDIS_URL", err)
}
