package config

import (
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/redisurl"
)

// minSecret is the minimum length of a signing key in bytes. A key of HS256 must be as long as the hash (RFC 7518,
// 3.2).
const minSecret = 32

// mostGuestQuestions is the maximum of VIGUEUR_GUEST_QUESTIONS: who asks more has an account.
const mostGuestQuestions = 1000

// guestFaults adds what is wrong with the questions of people without an account.
func (c API) guestFaults(f *faults) {
	switch {
	case c.GuestQuestions < 0 || c.GuestQuestions > mostGuestQuestions:
		f.add("VIGUEUR_GUEST_QUESTIONS : %d n’est pas entre 0 et %d", c.GuestQuestions, mostGuestQuestions)
	case c.GuestQuestions > 0 && !c.PublicPages:
		f.add("VIGUEUR_GUEST_QUESTIONS : il faut VIGUEUR_PUBLIC_CATALOGUE=true, les réponses citent le catalogue")
	case c.GuestQuestions > 0 && c.Individual == IndividualHidden:
		f.add("VIGUEUR_GUEST_QUESTIONS : avec VIGUEUR_PUBLIC_INDIVIDUAL=hidden, une réponse pourrait citer ce qui est caché ; choisissez l’un des deux")
	}
}

func (c Stores) faults() []string {
	var f faults
	f.url("VIGUEUR_DATABASE_URL", c.DatabaseURL, "postgres", "postgresql")
	f.redis(c.RedisURL)
	f.url("VIGUEUR_BLOBS_URL", c.BlobsURL, "file", "s3")
	if c.MeiliURL != "" {
		f.server("VIGUEUR_MEILI_URL", c.MeiliURL)
	}
	if c.MilvusURL != "" {
		f.server("VIGUEUR_MILVUS_URL", c.MilvusURL)
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel) {
		f.add("VIGUEUR_LOG_LEVEL : « %s » n’est pas debug, info, warn ou error", c.LogLevel)
	}
	return f
}

func (c API) faults() []string {
	f := faults(c.Stores.faults())
	f.address("VIGUEUR_LISTEN", c.Listen)
	f.site("VIGUEUR_BASE_URL", c.BaseURL)
	c.modelFaults(&f)
	c.urlFaults(&f)
	c.tracesFaults(&f)
	f.maybeAddress("VIGUEUR_METRICS_LISTEN", c.Metrics)
	f.checkSigning(c)
	f.secret("VIGUEUR_ADDRESS_SECRET", c.AddressSecret)
	f.domains("VIGUEUR_SIGNUP_DOMAINS", c.SignupDomains)
	c.identityFaults(&f)
	c.livesFaults(&f)
	c.webhookFaults(&f)
	for _, origin := range c.CORSOrigins {
		f.origin("VIGUEUR_CORS_ORIGINS", origin)
	}
	if c.AnswerWait < time.Second {
		f.add("VIGUEUR_ANSWER_WAIT : %v, une seconde (1s) au moins", c.AnswerWait)
	}
	f.atLeastOne("VIGUEUR_ANSWER_QUEUE", c.AnswerQueue)
	if c.ModelTokens < 0 {
		f.add("VIGUEUR_MODEL_DAILY_TOKENS : %d, 0 au moins", c.ModelTokens)
	}
	if c.Connections < 0 {
		f.add("VIGUEUR_CONNECTIONS : %d, 0 au moins", c.Connections)
	}
	f.databaseConnections(c.Database)
	for _, network := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			f.add("VIGUEUR_TRUSTED_PROXIES : « %s » n’est pas un réseau de la forme 10.0.0.0/8", network)
		}
	}
	c.guestFaults(&f)
	if c.Individual != IndividualNoIndex && c.Individual != IndividualHidden {
		f.add("VIGUEUR_PUBLIC_INDIVIDUAL : « %s » n’est ni noindex ni hidden", c.Individual)
	}
	return f
}

// checkSigning checks the settings of the token keys without reading key files.
func (f *faults) checkSigning(c API) {
	switch c.JWTAlgorithm {
	case "HS256":
		f.secret("VIGUEUR_JWT_SECRET", c.JWTSecret)
		if c.JWTKeyFile != "" {
			f.add("VIGUEUR_JWT_KEY_FILE : ne sert qu’avec VIGUEUR_JWT_ALGORITHM=EdDSA ou RS256")
		}
	case "EdDSA", "RS256":
		if c.JWTKeyFile == "" {
			f.add("VIGUEUR_JWT_KEY_FILE : manque, VIGUEUR_JWT_ALGORITHM=%s signe avec une clé privée", c.JWTAlgorithm)
		}
	default:
		f.add("VIGUEUR_JWT_ALGORITHM : « %s » n’est pas HS256, EdDSA ou RS256", c.JWTAlgorithm)
	}
}

func (c Ingest) faults() []string {
	f := faults(c.Stores.faults())
	c.modelFaults(&f)
	c.embedderFaults(&f)
	c.retentionFaults(&f)
	f.days("VIGUEUR_KEEP_AUDIT_DAYS", c.KeepAudit, leastAuditDays)
	if c.OwnerURL != "" {
		f.url("VIGUEUR_DATABASE_OWNER_URL", c.OwnerURL, "postgres", "postgresql")
	}
	return f
}

// The range of VIGUEUR_WORKER_FILE_OCR, the time that the recognition of one file may take. Less than the minimum would
// not suffice for a single page; with more than the maximum, one file could occupy a worker almost for ever.
const (
	leastFileOCR = time.Minute
	mostFileOCR  = 7 * 24 * time.Hour
)

func (c Worker) faults() []string {
	f := faults(c.Stores.faults())
	f.databaseConnections(c.Database)
	f.atLeastOne("VIGUEUR_WORKER_ANSWERS", c.Answers)
	f.atLeastOne("VIGUEUR_WORKER_INGESTIONS", c.Ingestions)
	f.atLeastOne("VIGUEUR_WORKER_OCR_PAGES", c.OCRPages)
	f.atLeastOne("VIGUEUR_WORKER_FILE_PAGES", c.FilePages)
	f.atLeastOne("VIGUEUR_WORKER_FILE_WORDS", c.FileWords)
	f.between("VIGUEUR_WORKER_FILE_OCR", c.FileOCR, leastFileOCR, mostFileOCR)
	f.between("VIGUEUR_WORKER_POLL", c.Poll, time.Millisecond, 10*time.Second)
	f.maybeAddress("VIGUEUR_METRICS_LISTEN", c.Metrics)
	c.mailFaults(&f)
	c.retentionFaults(&f)
	c.modelFaults(&f)
	c.embedderFaults(&f)
	c.tracesFaults(&f)
	f.site("VIGUEUR_BASE_URL", c.BaseURL)
	c.webhookFaults(&f)
	return f
}

// mailFaults checks that there is a mail server, or a folder for messages.
func (c Worker) mailFaults(f *faults) {
	if _, err := mail.ParseAddress(c.MailFrom); c.MailFrom != "" && err != nil {
		f.add("VIGUEUR_MAIL_FROM : « %s » n’est pas une adresse e-mail", c.MailFrom)
	}
	if _, err := mail.ParseAddressList(c.MailTo); c.MailTo != "" && err != nil {
		f.add("VIGUEUR_MAIL_TO : « %s » n’est pas une liste d’adresses e-mail", c.MailTo)
	}
	if c.SMTPURL == "" {
		if c.MailDir == "" {
			f.add("VIGUEUR_MAIL_DIR : manque, et VIGUEUR_SMTP_URL aussi" + whereWritten)
		}
		return
	}
	f.url("VIGUEUR_SMTP_URL", c.SMTPURL, "smtp", "smtps")
	if c.MailFrom == "" {
		f.add("VIGUEUR_MAIL_FROM : manque ; VIGUEUR_SMTP_URL en a besoin")
	}
	if c.MailTo == "" {
		f.add("VIGUEUR_MAIL_TO : manque ; VIGUEUR_SMTP_URL en a besoin")
	}
}

// whereWritten tells the operator in French where to put a missing setting.
const whereWritten = " (à mettre dans l’environnement ; avec le paquet Debian, dans /etc/vigueur/vigueur.env ; dans une copie du dépôt, scripts/services start l’écrit dans .state/env)"

// faults collects French sentences, each beginning with the name of a variable.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (f *faults) url(name, value string, schemes ...string) {
	if value == "" {
		f.add("%s : manque"+whereWritten, name)
		return
	}
	u, err := url.Parse(value)
	if err != nil || !slices.Contains(schemes, u.Scheme) {
		f.add("%s : une adresse %s:// est attendue", name, strings.Join(schemes, ":// ou "))
	}
}

// site checks the address of the service: page, routes and cookies are at its root, so that an
// address with a path would lead nowhere.
func (f *faults) site(name, value string) {
	f.url(name, value, "http", "https")
	u, err := url.Parse(value)
	if err == nil && (u.Host == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		f.add("%s : une adresse sans chemin est attendue, comme https://droit.exemple.org ; le service répond à la racine de son nom, pas sous un chemin", name)
	}
}

// fewestConnections is the minimum number of a worker's database connections: two renew leases, one listens to the
// catalogue, and two work.
const fewestConnections = 5

func (f *faults) databaseConnections(n int) {
	if n < fewestConnections {
		f.add("VIGUEUR_DATABASE_CONNECTIONS : %d, %d au moins", n, fewestConnections)
	}
}

func (f *faults) redis(value string) {
	if value == "" {
		f.url("VIGUEUR_REDIS_URL", value)
		return
	}
	if _, err := redisurl.Parse(value); err != nil {
		*f = append(*f, errs.Public(err))
	}
}

func (f *faults) address(name, value string) {
	if _, _, err := net.SplitHostPort(value); err != nil {
		f.add("%s : « %s » n’est pas une adresse de la forme hôte:port", name, value)
	}
}

// origin checks that a value is an origin in exactly the form that browsers send, because origins are compared as
// strings.
func (f *faults) origin(name, value string) {
	u, err := url.Parse(value)
	exact := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.Scheme+"://"+u.Host == value &&
		strings.ToLower(value) == value && !strings.ContainsFunc(value, func(r rune) bool { return r == '*' || r > unicode.MaxASCII }) &&
		!strings.HasSuffix(value, ":") && (u.Scheme != "https" || u.Port() != "443") && (u.Scheme != "http" || u.Port() != "80")
	if !exact {
		f.add("%s : « %s » n’est pas une origine exacte, https://nom ou https://nom:port, en minuscules, sans chemin ni « * » ni port par défaut", name, value)
	}
}

func (f *faults) maybeAddress(name, value string) {
	if value != "" {
		f.address(name, value)
	}
}

func (f *faults) secret(name, value string) {
	if len(value) < minSecret {
		f.add("%s : %d octets au moins, %d reçus", name, minSecret, len(value))
	}
}

func (f *faults) atLeastOne(name string, n int) {
	if n < 1 {
		f.add("%s : 1 au moins", name)
	}
}

// redact hides the passwords in an address, including passwords in its parameters.
func redact(u *url.URL) string {
	query := u.Query()
	for name := range query {
		if strings.Contains(name, "password") {
			query.Set(name, "xxxxx")
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

// hide returns a setting without its secret part: secret says whether this is the whole value or the password of an
// address.
func hide(value, secret string) string {
	const hidden = "(masqué)"
	switch {
	case secret == "" || value == "":
		return value
	case secret == "url":
		if u, err := url.Parse(value); err == nil {
			return redact(u)
		}
	}
	return hidden
}
