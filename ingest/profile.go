package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/zalando/go-keyring"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/account"
)

// profile is a server on which somebody has signed in.
type profile struct {
	Name    string `json:"-"`
	Address string `json:"address"`
	Who     string `json:"who,omitempty"` // e-mail address of the account; empty for an API key
	// Secret is the refresh token or the API key; empty if the system's keyring has it.
	Secret string `json:"secret,omitempty"`
}

// profiles are the contents of the file of profiles.
type profiles struct {
	Current string              `json:"current"` // empty: the commands work on this machine
	Known   map[string]*profile `json:"profiles"`
}

const (
	keyringService = "vigueur-ingest"
	noProfile      = "Aucun profil ne s’appelle « %s ». « ingest profile list » donne la liste."
)

// profilesPath returns the path of the file of profiles, which only its owner can read.
func (a *app) profilesPath() (string, error) {
	folder := a.environ["XDG_CONFIG_HOME"]
	if folder == "" {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", usage("Le dossier des réglages de votre compte est inconnu (HOME, XDG_CONFIG_HOME).")
		}
	}
	return filepath.Join(folder, "vigueur", "profiles.json"), nil
}

// readProfiles reads the file of profiles. A missing file has none.
func (a *app) readProfiles() (p profiles, err error) {
	p.Known = map[string]*profile{}
	path, err := a.profilesPath()
	if err != nil {
		return p, err
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil {
		return p, usage("Les profils (%s) sont illisibles (%v). Corrigez ce fichier ou supprimez-le.", path, reasonOf(err))
	}
	for name, of := range p.Known {
		of.Name = name
	}
	return p, nil
}

// writeProfiles replaces the file of profiles: a command that is killed leaves the old one or the new one.
func (a *app) writeProfiles(p profiles) error {
	path, err := a.profilesPath()
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return err
	}
	written, err := os.CreateTemp(filepath.Dir(path), ".profiles-*") // only its owner can read it
	if err != nil {
		return usage("Les profils (%s) ne peuvent pas être écrits : %v.", path, reasonOf(err))
	}
	_, err = written.Write(raw)
	if err = errors.Join(err, written.Sync(), written.Close()); err == nil {
		err = os.Rename(written.Name(), path)
	}
	if err != nil {
		_ = os.Remove(written.Name()) // it is of no use
		return usage("Les profils (%s) ne peuvent pas être écrits : %v.", path, reasonOf(err))
	}
	return nil
}

// profile returns the profile in use: that of --profile or VIGUEUR_PROFILE, else the current one; nil for
// this machine.
func (a *app) profile() (*profile, error) {
	name, named := a.profileName, a.profileName != ""
	if !named {
		name, named = a.environ["VIGUEUR_PROFILE"]
	}
	if named && name == "" || name == localProfile {
		return nil, nil
	}
	all, err := a.readProfiles()
	if err != nil {
		return nil, err
	}
	if !named {
		name = all.Current
	}
	if name == "" || name == localProfile {
		return nil, nil
	}
	p := all.Known[name]
	if p == nil {
		return nil, usage(noProfile, terminal.Line(name))
	}
	return p, nil
}

// localProfile is the name of this machine among profiles.
const localProfile = "local"

// remote returns the API of a profile.
func (a *app) remote(p *profile) (*server, error) {
	secret, err := secretOf(p)
	if err != nil {
		return nil, err
	}
	s := a.serverAt(p.Address)
	if strings.HasPrefix(secret, auth.KeyPrefix) {
		s.Bearer = func(context.Context) (string, error) { return secret, nil }
		return s, nil
	}
	var access string
	var deadline time.Time
	var over error     // why there is no session any more
	var one sync.Mutex // files are sent at once
	s.Bearer = func(ctx context.Context) (string, error) {
		one.Lock()
		defer one.Unlock()
		if over != nil || time.Now().Before(deadline) {
			return access, over
		}
		session, err := a.renew(ctx, p)
		if errs.Is(err, errs.Unauthorized) {
			over = err
		}
		// The clock of this machine only measures how long the token has been here.
		access, deadline = session.AccessToken, time.Now().Add(time.Duration(session.ExpiresIn)*time.Second/2)
		return access, err
	}
	return s, nil
}

// serverAt returns the API at an address, without a token.
func (a *app) serverAt(address string) *server {
	c := client.At(address, a.transport)
	c.Name = a.running.optionOf
	return &server{Client: c, atOnce: 4, patience: 8 * a.stalled}
}

func secretOf(p *profile) (string, error) {
	if p.Secret != "" {
		return p.Secret, nil
	}
	secret, err := keyring.Get(keyringService, p.Name)
	if err != nil {
		return "", errs.Newf(errs.Unauthorized, "Le trousseau du système ne rend pas le secret du profil « %s » : %v. Connectez-vous : ingest login %s", p.Name, err, p.Address)
	}
	return secret, nil
}

// renew renews the session of a profile. Commands that run at the same time do so one after the other,
// because a refresh token that is used twice ends its session.
func (a *app) renew(ctx context.Context, p *profile) (session account.SessionBody, err error) {
	path, err := a.profilesPath()
	if err != nil {
		return session, err
	}
	lock := flock.New(path + ".lock")
	if _, err := lock.TryLockContext(ctx, a.poll); err != nil {
		return session, usage("Les profils (%s) ne peuvent pas être verrouillés : %v.", path, reasonOf(err))
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	all, err := a.readProfiles()
	if err != nil {
		return session, err
	}
	if p = all.Known[p.Name]; p == nil {
		return session, errs.New(errs.Unauthorized, "Ce profil vient d’être oublié (ingest logout).")
	}
	secret, err := secretOf(p)
	if err != nil {
		return session, err
	}
	err = a.serverAt(p.Address).Call(ctx, http.MethodPost, "/auth/refresh", nil, map[string]string{"refresh_token": secret}, &session)
	if errs.Is(err, errs.Unauthorized) {
		return session, errs.Newf(errs.Unauthorized, "La session de %s sur %s est finie. Connectez-vous de nouveau : ingest login %s", p.Who, p.Address, p.Address)
	}
	if err != nil {
		return session, err
	}
	return session, a.keep(p, session.RefreshToken, false)
}

// keep stores a profile with its secret, in the system's keyring where there is one; current makes it the
// one in use.
func (a *app) keep(p *profile, secret string, current bool) error {
	all, err := a.readProfiles()
	if err != nil {
		return err
	}
	p.Secret = ""
	if keyring.Set(keyringService, p.Name, secret) != nil { // there is none, or it is locked
		p.Secret = secret
	}
	all.Known[p.Name] = p
	if current {
		all.Current = p.Name
	}
	return a.writeProfiles(all)
}

// login runs « login ».
func (a *app) login(ctx context.Context, in *input) error {
	address, err := serverAddress(in.args[0])
	if err != nil {
		return err
	}
	p := &profile{Address: address, Name: cmp.Or(strings.TrimSpace(in.text("name")), hostOf(address))}
	if p.Name == localProfile || strings.ContainsFunc(p.Name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return usage("--name attend un mot, autre que « %s ».", localProfile)
	}
	if source := in.text("key"); source != "" {
		return a.loginByKey(ctx, p, source)
	}
	secret, err := a.signIn(ctx, p)
	if err != nil {
		return err
	}
	return a.loggedIn(p, secret)
}

// serverAddress parses the address of a server. Only to this machine a password may travel unencrypted.
func serverAddress(typed string) (string, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(typed), "/"))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", usage("« %s » n’est pas l’adresse d’un serveur, comme https://droit.example.", terminal.Line(typed))
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", usage("%s n’est pas chiffrée : qui écoute le réseau y lirait votre session. Donnez l’adresse en https.", u)
	}
	return u.String(), nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}

// signIn asks on the terminal for the e-mail address, the password and, where the account has one, the code of its
// second factor, and returns the refresh token of the session.
func (a *app) signIn(ctx context.Context, p *profile) (secret string, err error) {
	email := p.Who
	if email == "" {
		var asked bool
		email, asked, err = a.question("Adresse e-mail : ")
		if err == nil && !asked {
			err = usage("Il n’y a pas de terminal pour demander un mot de passe. Connectez-vous par une clé d’API : ingest login %s --key - < FICHIER", p.Address)
		}
		if err != nil {
			return "", err
		}
	}
	password, _, err := a.secret("Mot de passe : ")
	if err != nil {
		return "", err
	}
	s := a.serverAt(p.Address)
	var session struct {
		account.SessionBody
		Pending string `json:"pending_token"`
	}
	err = s.Call(ctx, http.MethodPost, "/auth/login", nil, map[string]string{"email": email, "password": password}, &session)
	if errs.Is(err, errs.Unauthorized) {
		return "", errs.New(errs.Unauthorized, errs.Public(err)+" Un compte d’un fournisseur d’identité se connecte par une clé d’API (--key).")
	}
	if err == nil && session.Pending != "" {
		var code string
		if code, _, err = a.question("Code du second facteur : "); err != nil {
			return "", err
		}
		err = s.Call(ctx, http.MethodPost, "/auth/login/code", nil, map[string]string{"pending_token": session.Pending, "code": code}, &session)
	}
	if err != nil {
		return "", s.ExplainVersion(ctx, err)
	}
	p.Who = terminal.Line(session.User.Email)
	return session.RefreshToken, nil
}

// loginByKey keeps an API key, once the server has admitted it. Only the terminal or the standard input gives it:
// everybody on the machine can read the arguments of a program.
func (a *app) loginByKey(ctx context.Context, p *profile, source string) error {
	if source != "-" {
		return usage("--key attend « - » : la clé est demandée au terminal, ou lue sur l’entrée standard.")
	}
	key, asked, err := a.secret("Clé d’API : ")
	if err == nil && !asked {
		key, err = a.firstLine()
	}
	if err != nil {
		return err
	}
	if key = strings.TrimSpace(key); !strings.HasPrefix(key, auth.KeyPrefix) {
		return usage("Ce n’est pas une clé d’API : elles commencent par « %s ».", auth.KeyPrefix)
	}
	s := a.serverAt(p.Address)
	s.Bearer = func(context.Context) (string, error) { return key, nil }
	err = s.Call(ctx, http.MethodGet, "/models", nil, nil, nil)
	if err != nil && !errs.Is(err, errs.Forbidden) { // a key without this scope is known all the same
		return err
	}
	return a.loggedIn(p, key)
}

// loggedIn keeps a profile and says so.
func (a *app) loggedIn(p *profile, secret string) error {
	if err := a.keep(p, secret, true); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, profileViewOf(p, true))
	}
	_, err := fmt.Fprintf(a.outcome(), "Connecté à %s%s. Les commandes y vont désormais ; « ingest profile use %s » revient à cette machine.\n", p.Address, byWhom(p), localProfile)
	return err
}

// byWhom says whose session a profile is.
func byWhom(p *profile) string {
	if p.Who == "" {
		return " par une clé d’API"
	}
	return " comme " + p.Who
}

// logout runs « logout ».
func (a *app) logout(ctx context.Context, in *input) error {
	all, err := a.readProfiles()
	if err != nil {
		return err
	}
	name := all.Current
	if len(in.args) > 0 {
		name = in.args[0]
	}
	p := all.Known[name]
	if p == nil {
		return usage(noProfile, terminal.Line(name))
	}
	told := a.endSession(ctx, p)
	_ = keyring.Delete(keyringService, name) // it may not be there
	delete(all.Known, name)
	if all.Current == name {
		all.Current = ""
	}
	if err := a.writeProfiles(all); err != nil {
		return err
	}
	if told != nil {
		fmt.Fprintf(a.err, "La session n’a pas pu être fermée sur le serveur ; fermez-la dans « Compte », « Sessions ». %s\n", sentence(told))
	}
	return a.said(map[string]any{"profile": name, "removed": true}, "Le profil %s est oublié.", name)
}

// endSession ends the session of a profile on its server. An API key stays.
func (a *app) endSession(ctx context.Context, p *profile) error {
	secret, err := secretOf(p)
	if err != nil || strings.HasPrefix(secret, auth.KeyPrefix) {
		return err
	}
	return a.serverAt(p.Address).Call(ctx, http.MethodPost, "/auth/logout", nil, map[string]string{"refresh_token": secret}, nil)
}

// profileUse runs « profile use ».
func (a *app) profileUse(_ context.Context, in *input) error {
	all, err := a.readProfiles()
	if err != nil {
		return err
	}
	if in.args[0] != localProfile && all.Known[in.args[0]] == nil {
		return usage(noProfile, terminal.Line(in.args[0]))
	}
	all.Current = in.args[0]
	if err := a.writeProfiles(all); err != nil {
		return err
	}
	return a.said(map[string]any{"profile": in.args[0], "current": true}, "Profil en usage : %s.", in.args[0])
}

// profileView is the printed form of a profile.
type profileView struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Who     string `json:"who"`
	Current bool   `json:"current"`
}

func profileViewOf(p *profile, current bool) profileView {
	return profileView{p.Name, p.Address, p.Who, current}
}

// profileList runs « profile list ».
func (a *app) profileList(context.Context, *input) error {
	all, err := a.readProfiles()
	if err != nil {
		return err
	}
	list := []profileView{}
	t := terminal.Table{Head: []string{"PROFIL", "ADRESSE", "COMPTE", "EN USAGE"}}
	for _, name := range slices.Sorted(maps.Keys(all.Known)) {
		v := profileViewOf(all.Known[name], name == all.Current)
		who, used := v.Who, ""
		if who == "" {
			who = "(clé d’API)"
		}
		if v.Current {
			used = "oui"
		}
		list = append(list, v)
		t.Add(v.Name, v.Address, who, used)
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	return t.Write(a.out, "Aucun profil. Connectez-vous à un serveur : ingest login https://droit.example")
}

// said prints v as JSON, or else a message.
func (a *app) said(v any, format string, args ...any) error {
	if a.json {
		return writeJSON(a.out, v)
	}
	return a.say(format, args...)
}
