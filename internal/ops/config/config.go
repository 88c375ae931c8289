// Package config reads the settings of each process from its environment. Each process has
// a struct whose fields name their variable and default. All errors are reported together,
// each with the name of its variable.
//
// A program that runs inside the repository without configuration finds the private stores
// of scripts/services through .state/env; environment variables take precedence over that
// file. Secrets are never printed: Settings hides them, and no other code prints a
// configuration.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"vigueur/internal/kit/errs"
)

// Stores are the settings of every process.
type Stores struct {
	DatabaseURL string `env:"VIGUEUR_DATABASE_URL" secret:"url" help:"PostgreSQL"`
	RedisURL    string `env:"VIGUEUR_REDIS_URL" secret:"url" help:"Redis : file des tâches, limites et flux des réponses"`
	BlobsURL    string `env:"VIGUEUR_BLOBS_URL" help:"fichiers PDF : file:///dossier, ou s3://compartiment/préfixe?endpoint=https://hôte:port"`
	BlobsKey    string `env:"VIGUEUR_BLOBS_KEY" secret:"all" help:"clé du serveur S3, identifiant:secret ; vide : celle que les outils d’AWS trouveraient"`
	MeiliURL    string `env:"VIGUEUR_MEILI_URL" help:"Meilisearch, index des titres ; vide : PostgreSQL cherche seul"`
	MeiliKey    string `env:"VIGUEUR_MEILI_KEY" secret:"all" help:"clé de Meilisearch"`
	MilvusURL   string `env:"VIGUEUR_MILVUS_URL" help:"Milvus, index des passages : http://hôte:19530, puis /base ; vide : la mémoire des workers"`
	MilvusKey   string `env:"VIGUEUR_MILVUS_KEY" secret:"all" help:"clé de Milvus, ou nom:clé"`
	LogLevel    string `env:"VIGUEUR_LOG_LEVEL" envDefault:"info" help:"debug, info, warn ou error"`
}

// API is the configuration of the HTTP process.
type API struct {
	Stores
	Models
	ModelURLs
	Traces
	Identities
	Lives
	Webhooks
	Listen         string        `env:"VIGUEUR_LISTEN" envDefault:"127.0.0.1:8080" help:"adresse d’écoute de l’API"`
	Metrics        string        `env:"VIGUEUR_METRICS_LISTEN" help:"adresse privée des mesures (/metrics), une par processus ; vide : aucune"`
	MailDir        string        `env:"VIGUEUR_MAIL_DIR" help:"dossier des messages (.eml) quand il n’y a pas de serveur de messagerie"`
	BaseURL        string        `env:"VIGUEUR_BASE_URL" envDefault:"http://127.0.0.1:8080" help:"adresse publique de l’API"`
	JWTAlgorithm   string        `env:"VIGUEUR_JWT_ALGORITHM" envDefault:"HS256" help:"signature des jetons : HS256, EdDSA ou RS256"`
	JWTSecret      string        `env:"VIGUEUR_JWT_SECRET" secret:"all" help:"clé des jetons en HS256, 32 octets au moins"`
	JWTKeyFile     string        `env:"VIGUEUR_JWT_KEY_FILE" help:"clé privée des jetons (PEM) en EdDSA ou RS256"`
	AddressSecret  string        `env:"VIGUEUR_ADDRESS_SECRET" secret:"all" help:"clé de hachage des adresses IP, 32 octets au moins"`
	CORSOrigins    []string      `env:"VIGUEUR_CORS_ORIGINS" help:"origines dont les pages web peuvent appeler l’API : https://droit.example,…"`
	TrustedProxies []string      `env:"VIGUEUR_TRUSTED_PROXIES" help:"réseaux (CIDR) des mandataires dont X-Forwarded-For est cru"`
	SignupDomains  []string      `env:"VIGUEUR_SIGNUP_DOMAINS" help:"domaines des adresses qui peuvent ouvrir un compte : justice.example,… ; * : tous ; vide : aucun"`
	NeedFactor     bool          `env:"VIGUEUR_SECOND_FACTOR_REQUIRED" envDefault:"false" help:"second facteur exigé des éditeurs et des administrateurs : true ou false"`
	PublicPages    bool          `env:"VIGUEUR_PUBLIC_CATALOGUE" envDefault:"false" help:"pages du catalogue lues sans compte (/akn), plan du site et flux : true ou false"`
	GuestQuestions int           `env:"VIGUEUR_GUEST_QUESTIONS" envDefault:"0" help:"questions par jour et par navigateur (huit fois plus par réseau) de qui n’a pas de compte, auxquelles le service répond par des citations ; 0 : aucune ; il faut VIGUEUR_PUBLIC_CATALOGUE"`
	Individual     string        `env:"VIGUEUR_PUBLIC_INDIVIDUAL" envDefault:"noindex" help:"nominations, naturalisations et autres mesures individuelles dans ces pages : noindex, que les moteurs de recherche n’ont pas à montrer, ou hidden, sans page"`
	ModelTokens    int           `env:"VIGUEUR_MODEL_DAILY_TOKENS" envDefault:"1000000" help:"jetons de modèles qu’un compte peut dépenser par jour (UTC) ; 0 : sans limite"`
	AnswerWait     time.Duration `env:"VIGUEUR_ANSWER_WAIT" envDefault:"60s" help:"attente d’une question que nul ne prend, au-delà de laquelle les suivantes sont refusées"`
	AnswerQueue    int           `env:"VIGUEUR_ANSWER_QUEUE" envDefault:"1000" help:"questions en attente au plus ; une même personne en a un dixième, dix au moins"`
	Connections    int           `env:"VIGUEUR_CONNECTIONS" envDefault:"0" help:"connexions ouvertes au plus ; 0 : autant que la mémoire et les fichiers ouverts le permettent"`
	Database       int           `env:"VIGUEUR_DATABASE_CONNECTIONS" envDefault:"8" help:"connexions d’un processus à PostgreSQL au plus"`
}

// The values of API.Individual.
const (
	IndividualNoIndex = "noindex"
	IndividualHidden  = "hidden"
)

// Worker is the configuration of the queue process.
type Worker struct {
	Stores
	ModelServer
	Embedder
	Traces
	Retention
	Webhooks
	Metrics    string        `env:"VIGUEUR_METRICS_LISTEN" help:"adresse privée des mesures (/metrics), une par processus ; vide : aucune"`
	Database   int           `env:"VIGUEUR_DATABASE_CONNECTIONS" envDefault:"8" help:"connexions d’un processus à PostgreSQL au plus"`
	Answers    int           `env:"VIGUEUR_WORKER_ANSWERS" envDefault:"16" help:"réponses écrites en même temps"`
	Ingestions int           `env:"VIGUEUR_WORKER_INGESTIONS" envDefault:"2" help:"gazettes lues en même temps"`
	Poll       time.Duration `env:"VIGUEUR_WORKER_POLL" envDefault:"4ms" help:"intervalle entre deux regards d’un travailleur inoccupé sur la file"`
	OCRPages   int           `env:"VIGUEUR_WORKER_OCR_PAGES" envDefault:"2" help:"pages reconnues (OCR) en même temps"`
	FilePages  int           `env:"VIGUEUR_WORKER_FILE_PAGES" envDefault:"5000" help:"pages d’un PDF au plus ; au-delà, le fichier est en échec"`
	FileWords  int           `env:"VIGUEUR_WORKER_FILE_WORDS" envDefault:"512" help:"Mio que peuvent occuper les mots d’un PDF avec leurs places ; au-delà, le fichier est en échec"`
	FileOCR    time.Duration `env:"VIGUEUR_WORKER_FILE_OCR" envDefault:"5h" help:"durée que peut prendre la reconnaissance (OCR) d’un PDF, toutes pages et tous essais ensemble ; au-delà, le fichier est en échec et peut être repris"`
	Sentences  bool          `env:"VIGUEUR_SENTENCES" envDefault:"true" help:"le programme lit les phrases des passages et des questions, pour un meilleur ordre des articles : true ou false"`
	HelpTexts  string        `env:"VIGUEUR_HELP_TEXTS" help:"ce qui s’ajoute pour qui parle de violences ou veut mourir, par pays : sn: Appelez le 116. | ci: … ; vide : rien"`
	IndexDir   string        `env:"VIGUEUR_INDEX_DIR" help:"dossier où l’index garde ce qu’il a lu, pour démarrer vite ; sans lui, il lit tout de la base"`
	SMTPURL    string        `env:"VIGUEUR_SMTP_URL" secret:"url" help:"serveur de messagerie : smtp://nom:clé@hôte:587 ou smtps://… ; sans lui, les messages sont écrits dans VIGUEUR_MAIL_DIR"`
	BaseURL    string        `env:"VIGUEUR_BASE_URL" envDefault:"http://127.0.0.1:8080" help:"adresse publique de l’API, pour les liens des alertes"`
	MailFrom   string        `env:"VIGUEUR_MAIL_FROM" help:"expéditeur des messages"`
	MailTo     string        `env:"VIGUEUR_MAIL_TO" help:"destinataires des demandes de rendez-vous, séparés par des virgules"`
}

// Ingest is the configuration of the operator's command.
type Ingest struct {
	Stores
	Models
	Embedder
	Retention
	KeepAudit int    `env:"VIGUEUR_KEEP_AUDIT_DAYS" envDefault:"1095" help:"jours pendant lesquels un mois du journal d’audit est gardé après sa fin, 62 au moins ; 0 : sans fin ; ingest retention les supprime"`
	OwnerURL  string `env:"VIGUEUR_DATABASE_OWNER_URL" secret:"url" help:"PostgreSQL, en propriétaire de la base : pour ingest migrate, qui fait alors le rôle de VIGUEUR_DATABASE_URL, pour les sauvegardes, qui lisent toutes les tables, et pour les mois du journal que supprime ingest retention"`
}

// Owner returns the database address of the schema's owner, for migrations.
func (c Ingest) Owner() string { return cmp.Or(c.OwnerURL, c.DatabaseURL) }

// LoadAPI reads the settings of the API from environ.
func LoadAPI(environ map[string]string) (API, error) { return load[API](environ) }

// LoadWorker reads the settings of the worker from environ.
func LoadWorker(environ map[string]string) (Worker, error) { return load[Worker](environ) }

// LoadIngest reads the settings of the operator's command from environ.
func LoadIngest(environ map[string]string) (Ingest, error) { return load[Ingest](environ) }

// load parses environ into a configuration and reports all errors together.
func load[C interface{ faults() []string }](environ map[string]string) (C, error) {
	var c C
	environ, found := withFiles(reflect.TypeFor[C](), environ)
	if err := env.ParseWithOptions(&c, env.Options{Environment: environ}); err != nil {
		unread, told := parseFaults(reflect.TypeFor[C](), err)
		found = append(found, told...)
		// Replace values that could not be parsed by their defaults, so that the rest can be
		// validated.
		c, environ = *new(C), maps.Clone(environ)
		for _, name := range unread {
			delete(environ, name)
		}
		_ = env.ParseWithOptions(&c, env.Options{Environment: environ}) // errors were reported above
	}
	found = append(found, c.faults()...)
	if len(found) == 0 {
		return c, nil
	}
	return c, errs.New(errs.Invalid, "Configuration incorrecte :\n  - "+strings.Join(found, "\n  - "))
}

// parseFaults returns the names of the variables that could not be parsed, and a sentence
// for each that says what it should be. The sentences do not contain the values.
func parseFaults(t reflect.Type, err error) (unread, told []string) {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return nil, []string{err.Error()}
	}
	for _, e := range all.Errors {
		var p env.ParseError // p contains the name of the field
		if !errors.As(e, &p) {
			told = append(told, e.Error())
			continue
		}
		for _, name := range variables(t, p.Name) {
			unread = append(unread, name)
			told = append(told, name+" : valeur illisible ; il faut "+kindOf(p.Type))
		}
	}
	return unread, told
}

// variables returns the variables of a field. There is only one, because no two fields
// share a name.
func variables(t reflect.Type, field string) (names []string) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Anonymous:
			names = append(names, variables(f.Type, field)...)
		case f.Name == field:
			names = append(names, f.Tag.Get("env"))
		}
	}
	return names
}

// kindOf describes the expected form of a variable for the operator, in French.
func kindOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "une durée comme 90s, 15m ou 1h"
	case t.Kind() == reflect.Bool:
		return "true ou false"
	case t.Kind() == reflect.Float64:
		return "un nombre"
	}
	return "un nombre entier"
}

// Setting is a setting in effect.
type Setting struct {
	Env    string `json:"env"`
	Value  string `json:"value"` // hidden if it is secret
	Help   string `json:"help"`
	Secret bool   `json:"secret"`
}

// Settings lists the settings of a configuration struct in order. Every secret is hidden.
func Settings(c any) []Setting {
	var list []Setting
	v := reflect.Indirect(reflect.ValueOf(c))
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			list = append(list, Settings(v.Field(i).Interface())...)
			continue
		}
		name := field.Tag.Get("env")
		if name == "" || name == "-" {
			continue
		}
		secret := field.Tag.Get("secret")
		list = append(list, Setting{
			Env: name, Help: field.Tag.Get("help"), Secret: secret != "",
			Value: hide(fmt.Sprint(v.Field(i).Interface()), secret),
		})
	}
	return list
}

// stateFile is the file in which the scripts store the settings in effect.
const stateFile = ".state/env"

// Environ returns the process's environment. It adds the variables of .state/env in the
// working directory or the nearest folder above it, unless VIGUEUR_DATABASE_URL is set:
// then the process is configured from outside.
func Environ() map[string]string {
	set := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	if set["VIGUEUR_DATABASE_URL"] != "" || set["VIGUEUR_DATABASE_URL"+secretFile] != "" {
		return set
	}
	dir, err := os.Getwd()
	if err != nil {
		return set
	}
	for name, value := range findState(dir) {
		if _, given := set[name]; !given {
			set[name] = value
		}
	}
	return set
}

// findState reads the nearest readable .state/env in dir or above it. If there is none, it
// returns no variables.
func findState(dir string) map[string]string {
	for {
		text, err := os.ReadFile(filepath.Join(dir, stateFile))
		if err == nil {
			return parseState(string(text))
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// parseState parses NAME=VALUE lines; blank lines and lines that begin with # are skipped.
func parseState(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(line, "=")
		if ok && !strings.HasPrefix(line, "#") {
			values[name] = value
		}
	}
	return values
}

// secretFile is the suffix of variables that contain the path of a file with a secret, as
// containers and systemd provide them.
const secretFile = "_FILE"

// maxSecretFile is the maximum size of a file with a secret, in bytes.
const maxSecretFile = 16 << 10

// withFiles adds secrets from files to environ: NAME_FILE is the path of the file that
// contains NAME. Errors contain the path, never the content.
func withFiles(t reflect.Type, environ map[string]string) (complete map[string]string, found faults) {
	complete = maps.Clone(environ)
	for _, name := range secretNames(t) {
		path := environ[name+secretFile]
		if path == "" {
			continue
		}
		if environ[name] != "" {
			found.add("%s et %s%s : un seul des deux", name, name, secretFile)
			continue
		}
		content, err := os.ReadFile(path)
		switch {
		case err != nil:
			found.add("%s%s : %s", name, secretFile, fileFault(err))
		case len(content) > maxSecretFile:
			found.add("%s%s : le fichier a %d octets, %d au plus", name, secretFile, len(content), maxSecretFile)
		default:
			complete[name] = strings.TrimRight(string(content), "\r\n")
		}
	}
	return complete, found
}

func fileFault(err error) string {
	switch {
	case os.IsNotExist(err):
		return "le fichier n’existe pas"
	case os.IsPermission(err):
		return "le fichier ne peut pas être lu : vérifiez ses droits"
	}
	return fmt.Sprintf("le fichier ne peut pas être lu : %v", err)
}

// secretNames returns the names of the secret settings of a configuration.
func secretNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		field := t.Field(i)
		switch {
		case field.Anonymous:
			names = append(names, secretNames(field.Type)...)
		case field.Tag.Get("secret") != "":
			names = append(names, field.Tag.Get("env"))
		}
	}
	return names
}

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

// Retention holds the retention periods of personal data, in days.
type Retention struct {
	KeepConversations int    `env:"VIGUEUR_KEEP_CONVERSATIONS_DAYS" envDefault:"0" help:"jours pendant lesquels une conversation est gardée après son dernier message ; 0 : tant que sa personne la garde"`
	KeepInquiries     int    `env:"VIGUEUR_KEEP_INQUIRIES_DAYS" envDefault:"1095" help:"jours pendant lesquels une demande de rendez-vous est gardée ; 0 : sans fin"`
	KeepMessages      int    `env:"VIGUEUR_KEEP_MAILS_DAYS" envDefault:"90" help:"jours pendant lesquels un message de VIGUEUR_MAIL_DIR est gardé ; 0 : sans fin"`
	KeepUsage         int    `env:"VIGUEUR_KEEP_USAGE_DAYS" envDefault:"1095" help:"jours pendant lesquels on garde ce que les modèles ont lu et écrit, et ce que cela a coûté, par réponse ; 0 : sans fin"`
	MailDir           string `env:"VIGUEUR_MAIL_DIR" help:"dossier des messages (.eml) quand il n’y a pas de serveur de messagerie"`
}

// leastAuditDays is the minimum retention period of the audit log: two months, so that the
// current and the previous month are never dropped.
const leastAuditDays = 62

// Days converts a number of days to a duration.
func Days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

func (c Retention) retentionFaults(f *faults) {
	for name, n := range map[string]int{"VIGUEUR_KEEP_CONVERSATIONS_DAYS": c.KeepConversations, "VIGUEUR_KEEP_INQUIRIES_DAYS": c.KeepInquiries, "VIGUEUR_KEEP_MAILS_DAYS": c.KeepMessages,
		"VIGUEUR_KEEP_USAGE_DAYS": c.KeepUsage} {
		f.days(name, n, 1)
	}
}

// maxDays is the maximum retention period, a hundred years. A time.Duration holds about 292 years.
const maxDays = 36500

func (f *faults) days(name string, n, least int) {
	if n != 0 && n < least || n > maxDays {
		f.add("%s : %d, 0 ou de %d à %d jours", name, n, least, maxDays)
	}
}

// Traces holds the settings of the trace collector.
type Traces struct {
	TracesURL string `env:"VIGUEUR_TRACES_URL" help:"collecteur de traces, OTLP par HTTP : http://hôte:4318 ; vide : aucune trace"`
}

func (t Traces) tracesFaults(f *faults) {
	if t.TracesURL != "" {
		f.server("VIGUEUR_TRACES_URL", t.TracesURL)
	}
}

// Webhooks are the settings of webhooks. Without them the service opens no connection to
// addresses that people enter.
type Webhooks struct {
	SendWebhooks bool     `env:"VIGUEUR_WEBHOOKS" envDefault:"false" help:"envoi des alertes aux adresses que les comptes donnent (webhooks) : true ou false"`
	WebhookHosts []string `env:"VIGUEUR_WEBHOOK_HOSTS" help:"hôtes privés, avec leur port, qui peuvent recevoir des webhooks : hooks.intern:8443,… ; vide : les adresses publiques seules"`
}

func (c Webhooks) webhookFaults(f *faults) {
	for _, host := range c.WebhookHosts {
		if name, port, err := net.SplitHostPort(host); err != nil || name == "" || port == "" || strings.ContainsAny(name, "/*") {
			f.add("VIGUEUR_WEBHOOK_HOSTS : « %s » n’est pas un hôte avec son port, comme hooks.intern:8443", host)
		}
	}
}
