// Package account serves signing in and what belongs to an account: passwords, second factors,
// identity providers, sessions, the profile, and the authorization of programs.
package account

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/oauth"
)

// FullNameLimit is the maximum length of a person's name, in code points.
const FullNameLimit = 255

// clientLimit is the maximum length of a stored program name, in code points.
const clientLimit = 200

// Handlers serve the routes of accounts.
type Handlers struct {
	*guard.Guard

	Passwords       *auth.Passwords
	Logins          LoginLimits
	LinkRequests    *ratelimit.Limiter // requests for messages with links, and uses of links, from one network
	Mailbox         *ratelimit.Limiter // requests for such messages to one address
	Signup          Signup
	Lives           Lives
	Factors         Factors
	Providers       Providers
	Programs        Programs
	PublicCatalogue bool // whether the catalogue can be read without an account
	GuestQuestions  int  // questions that a browser may ask a day without an account
}

// Routes registers the routes.
func (s *Handlers) Routes(routes contract.Routes) {
	session := routes.Below(transport.Prefix).Tag("Session")
	session.Post("/auth/login", "login", "Se connecter", contract.Open(s.login)).Fails(401, 403).Also(202, PendingBody{}).Headers("Set-Cookie")
	session.Post("/auth/login/code", "loginCode", "Finir de se connecter avec un code", contract.Open(s.loginCode)).Fails(401, 403, 409).Headers("Set-Cookie")
	session.Post("/auth/refresh", "refresh", "Renouveler la session", contract.Reading[refreshInput](s.refresh)).Optional().Fails(401).Headers("Set-Cookie")
	session.Post("/auth/logout", "logout", "Se déconnecter", contract.Reading[refreshInput](s.logout)).Optional().Headers("Set-Cookie")
	session.Get("/auth/me", "me", "Voir son compte", s.Enrolling(contract.Do(s.me)))
	session.Get("/auth/methods", "listMethods", "Voir comment se connecter", contract.Open(s.listMethods))
	session.Get("/auth/sessions", "listSessions", "Lister ses sessions", s.Signed(contract.Do(s.listSessions)))
	session.Delete("/auth/sessions", "endSessions", "Se déconnecter partout", s.Signed(contract.Do(s.endSessions))).Headers("Set-Cookie")
	session.Delete("/auth/sessions/:id", "endSession", "Fermer l’une de ses sessions", s.Signed(contract.Do(s.endSession)))
	session.Post("/auth/password", "changePassword", "Changer de mot de passe", s.Signed(contract.Do(s.changePassword)))
	session.Post("/auth/password/forgotten", "askReset", "Demander un lien pour changer un mot de passe oublié", contract.Open(s.askReset)).Gives(202).Fails(403)
	session.Post("/auth/password/reset", "resetPassword", "Choisir un mot de passe par un lien", contract.Open(s.resetPassword)).Fails(403)
	session.Post("/auth/signup", "askSignup", "Demander un compte", contract.Open(s.askSignup)).Gives(202).Fails(403)
	session.Post("/auth/signup/confirm", "confirmSignup", "Ouvrir un compte par un lien", contract.Open(s.confirmSignup)).Gives(201).Fails(403, 409)
	session.Get("/auth/second-factor", "showFactor", "Voir son second facteur", s.Enrolling(contract.Do(s.showFactor)))
	session.Post("/auth/second-factor", "beginFactor", "Choisir un second facteur", s.Enrolling(contract.Do(s.beginFactor))).Fails(409)
	session.Post("/auth/second-factor/confirm", "confirmFactor", "Confirmer son second facteur par un premier code", s.Enrolling(contract.Do(s.confirmFactor))).Fails(409).Headers("Set-Cookie")
	session.Post("/auth/second-factor/recovery-codes", "renewCodes", "Remplacer ses codes de secours", s.Signed(contract.Do(s.renewCodes))).Fails(404, 409)
	session.Post("/auth/second-factor/disable", "disableFactor", "Retirer son second facteur", s.Signed(contract.Do(s.disableFactor))).Fails(404, 409)
	session.Post("/auth/providers/:provider", "beginAtProvider", "Commencer à se connecter chez un fournisseur d’identité", contract.Open(s.beginAtProvider)).Fails(404).Headers("Set-Cookie")
	session.Post("/auth/providers/:provider/callback", "finishAtProvider", "Finir de se connecter chez un fournisseur d’identité", contract.Open(s.finishAtProvider)).Fails(401, 403, 404, 409).Also(202, providerPending{}).Headers("Set-Cookie")
	session.Post("/auth/providers/:provider/fresh", "beginFresh", "Commencer à confirmer son identité", s.Enrolling(contract.Do(s.beginFresh))).Fails(404).Headers("Set-Cookie")
	session.Post("/auth/providers/:provider/fresh/callback", "finishFresh", "Finir de confirmer son identité", s.Enrolling(contract.Do(s.finishFresh))).Fails(404).Headers("Set-Cookie")
	session.Post("/auth/programs/request", "showProgram", "Voir le programme qui demande une autorisation", s.Signed(contract.Do(s.showProgram)))
	session.Post("/auth/programs", "authorizeProgram", "Autoriser un programme", s.Signed(contract.Do(s.authorizeProgram)))
	session.Get("/me", "showProfile", "Voir son profil", s.Signed(contract.Do(s.showProfile)))
	session.Patch("/me", "changeProfile", "Changer son profil", s.Signed(contract.Do(s.changeProfile)))

	others := session.Tag("Administration des comptes")
	others.Delete("/admin/users/:id/identities", "untieIdentities", "Délier un compte de ses fournisseurs d’identité", s.Role("admin", contract.Do(s.unlinkIdentities)))
	others.Delete("/admin/users/:id/second-factor", "resetFactor", "Retirer le second facteur de quelqu’un d’autre", s.Role("admin", contract.Do(s.resetFactor))).Fails(409)

	programs := routes.Tag("Programmes")
	programs.Get(oauth.ResourceMetadata, "describeResource", "Décrire les outils comme ressource protégée", contract.Open(s.describeTools))
	programs.Get(oauth.ResourceMetadata+transport.ToolsRoute, "describeTools", "Décrire les outils comme ressource protégée, à l’adresse dérivée de la leur", contract.Open(s.describeTools))
	programs.Get(oauth.ServerMetadata, "describeAuthorization", "Décrire le serveur d’autorisation", contract.Open(s.describeServer))
	programs.Post(oauth.RegisterPath, "registerProgram", "Enregistrer un programme", contract.Reading[registrationInput](s.registerProgram)).Gives(201).Refuses(grantError{})
	programs.Post(oauth.TokenPath, "exchangeGrant", "Échanger un code ou un jeton de renouvellement", contract.Open(s.exchangeGrant)).TakesQuery(grantForm{}).Refuses(grantError{})
	programs.Post(oauth.RevokePath, "revokeGrant", "Mettre fin à la session d’un programme", contract.Open(s.revokeGrant)).TakesQuery(revocationForm{}).Refuses(grantError{})
}

// UserBody is an account as its owner sees it.
type UserBody struct {
	ID       uuid.UUID `json:"id"`
	Email    string    `json:"email"`
	FullName string    `json:"full_name"`
	Role     string    `json:"role" enum:"user,editor,admin"`
}

func showUser(u postgres.User) UserBody {
	return UserBody{ID: u.ID, Email: u.Email, FullName: u.FullName, Role: u.Role}
}

// me serves GET /auth/me. It shows the caller's account.
func (s *Handlers) me(_ *fiber.Ctx, user postgres.User, _ contract.None) (UserBody, error) {
	return showUser(user), nil
}

// Body is an account as an administrator sees it.
type Body struct {
	UserBody
	Active       bool    `json:"active"`
	SecondFactor bool    `json:"second_factor" doc:"Le compte se connecte avec un second facteur."`
	Country      string  `json:"pays" doc:"Le pays dont le droit répond aux questions qui n’en nomment pas ; vide, tous."` // default country of questions; empty: all countries
	CreatedAt    string  `json:"created_at" format:"date-time"`
	LastSignIn   *string `json:"last_sign_in_at" format:"date-time" doc:"La dernière connexion ; null : aucune."`
}

// ShowAccount shows an account as an administrator sees it.
func ShowAccount(u postgres.User) Body {
	return Body{UserBody: showUser(u), Active: u.Active, SecondFactor: u.SecondFactor, Country: u.Country, CreatedAt: respond.ShowTime(u.CreatedAt), LastSignIn: respond.MaybeTime(u.LastSignIn)}
}

// NameAccount gives a NotFound error the sentence for a missing account.
func NameAccount(err error) error {
	return respond.NotFound(err, "Compte introuvable.")
}

// ProfileBody is an account as its owner sees it.
type ProfileBody struct {
	Body
	HasPassword bool     `json:"has_password" doc:"Sans mot de passe, le compte n’est ouvert que par un fournisseur d’identité."`
	Providers   []string `json:"providers" doc:"Les fournisseurs proposés ici qui connaissent le compte."`
}

// showProfile serves GET /me. It shows the caller's account.
func (s *Handlers) showProfile(c *fiber.Ctx, user postgres.User, _ contract.None) (ProfileBody, error) {
	return s.Profile(c, user)
}

// Profile reads the account of a user as its owner sees it.
func (s *Handlers) Profile(c *fiber.Ctx, user postgres.User) (body ProfileBody, err error) {
	issuers, err := s.DB.IssuersOf(c.UserContext(), user.ID)
	if err != nil {
		return body, err
	}
	body = ProfileBody{Body: ShowAccount(user), HasPassword: user.PasswordHash != "", Providers: []string{}}
	for _, p := range s.Providers.List {
		if slices.Contains(issuers, p.Issuer) {
			body.Providers = append(body.Providers, p.ID)
		}
	}
	return body, nil
}

type profileInput struct {
	FullName *string `json:"full_name,omitempty" minLength:"1" maxLength:"255" format:"line"`
	Country  *string `json:"pays,omitempty" or:"" format:"country" doc:"Le pays dont le droit répond aux questions qui n’en nomment pas ; vide, tous."`
}

// changeProfile serves PATCH /me. It changes those fields of an account that its owner may change.
func (s *Handlers) changeProfile(c *fiber.Ctx, user postgres.User, input profileInput) (reply ProfileBody, err error) {
	if change := (postgres.UserChange{FullName: input.FullName, Country: input.Country}); change != (postgres.UserChange{}) {
		if user, err = s.DB.ChangeUser(c.UserContext(), user.ID, change); err != nil {
			return reply, err
		}
	}
	return s.Profile(c, user)
}

// OpenSessionBody is a session as its owner sees it.
type OpenSessionBody struct {
	ID      uuid.UUID `json:"id"`
	Client  *string   `json:"client" doc:"Le programme qui l’a ouverte, comme il se nomme (User-Agent)."`
	Started string    `json:"started_at" format:"date-time"`
	Renewed string    `json:"renewed_at" format:"date-time"`
	Ends    string    `json:"ends_at" format:"date-time"`
	Current bool      `json:"current"`
}

// SessionsOf reads the sessions of an account as its owner sees them.
func (s *Handlers) SessionsOf(c *fiber.Ctx, user postgres.User) ([]OpenSessionBody, error) {
	current := guard.SessionFor(c, user, user.Role).ID
	sessions, err := s.DB.OpenSessions(c.UserContext(), user.ID)
	return respond.ShowAll(sessions, func(o postgres.OpenSession) OpenSessionBody {
		return OpenSessionBody{o.ID, respond.NonEmpty(o.Client), respond.ShowTime(o.Started), respond.ShowTime(o.Renewed), respond.ShowTime(o.Ends), o.ID == current}
	}), err
}

// listSessions serves GET /auth/sessions. It lists the caller's sessions.
func (s *Handlers) listSessions(c *fiber.Ctx, user postgres.User, _ contract.None) (respond.All[OpenSessionBody], error) {
	list, err := s.SessionsOf(c, user)
	return respond.All[OpenSessionBody]{Items: list}, err
}

// endSession serves DELETE /auth/sessions/:id. It ends one of the caller's sessions.
func (s *Handlers) endSession(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.DB.EndSession(c.UserContext(), user.ID, input.ID), "Session introuvable.")
}

// endSessions serves DELETE /auth/sessions. It ends all of the caller's sessions and invalidates
// every token.
func (s *Handlers) endSessions(c *fiber.Ctx, user postgres.User, _ contract.None) (reply contract.None, _ error) {
	if err := s.DB.EndSessions(c.UserContext(), user.ID); err != nil {
		return reply, err
	}
	s.ForgetSession(c)
	return reply, nil
}

// ForgetSession takes the cookie of a session that has ended from the client.
func (s *Handlers) ForgetSession(c *fiber.Ctx) { s.setRefreshCookie(c, "", 0) }

// printable maps unprintable runes to -1.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}

// clientName returns the printable part of the client's User-Agent.
func clientName(c *fiber.Ctx) string {
	name := strings.Map(printable, strings.ToValidUTF8(c.Get(fiber.HeaderUserAgent), ""))
	runes := []rune(strings.TrimSpace(name))
	return string(runes[:min(len(runes), clientLimit)])
}

// ProviderBody is an identity provider as shown to users.
type ProviderBody struct {
	ID   string `json:"id"`
	Name string `json:"name" doc:"Tel que les gens le connaissent."`
}

type methodsBody struct {
	Password  bool           `json:"password" doc:"Par adresse e-mail et mot de passe."`
	Providers []ProviderBody `json:"providers"`
	Signup    bool           `json:"signup" doc:"Des adresses peuvent ouvrir un compte par POST /api/v1/auth/signup."`
	Public    bool           `json:"public_catalogue" doc:"Les textes se lisent sans compte, à /akn."`
	Guests    int            `json:"guest_questions" doc:"Questions par jour et par navigateur qui se posent sans compte (POST /api/v1/guest/questions) ; 0 : aucune."`
}

// listMethods serves GET /auth/methods. It lists the ways to sign in and to sign up, and says
// whether the catalogue can be read without an account.
func (s *Handlers) listMethods(*fiber.Ctx, contract.None) (methodsBody, error) {
	providers := make([]ProviderBody, len(s.Providers.List))
	for i, p := range s.Providers.List {
		providers[i] = ProviderBody{p.ID, p.Name}
	}
	return methodsBody{true, providers, len(s.Signup.Domains) > 0, s.PublicCatalogue, s.GuestQuestions}, nil
}
