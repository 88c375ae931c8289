package idp

import (
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
)

// Attempt is a sign-in at a provider that has begun; the browser stores it encrypted until
// the provider redirects back.
type Attempt struct {
	Provider string    `json:"p"`
	State    string    `json:"s"` // returned with the code: binds the redirect to this browser
	Nonce    string    `json:"n"` // returned in the token: binds the token to this attempt
	Verifier string    `json:"v"` // PKCE verifier: nobody else can use the code
	Again    uuid.UUID `json:"a"` // account whose owner must sign in once more; zero: any account
	Began    time.Time `json:"b"`
	ReturnTo string    `json:"r"` // a path of the page, for the caller
}

// Attempts encrypts attempts.
type Attempts struct {
	Life time.Duration // maximum duration of an attempt
	box  *sealed.Box
	now  func() time.Time
}

// NewAttempts returns an Attempts with a key derived from a secret of the settings.
func NewAttempts(secret []byte, life time.Duration, now func() time.Time) (*Attempts, error) {
	box, err := sealed.NewBox(secret, "vigueur sign-in at a provider")
	if err != nil {
		return nil, err
	}
	return &Attempts{life, box, now}, nil
}

// Seal encrypts an attempt for the browser.
func (k *Attempts) Seal(a Attempt) string {
	data, err := json.Marshal(a)
	if err != nil {
		return "" // an attempt can always be encoded
	}
	return base64.RawURLEncoding.EncodeToString(k.box.Seal(data, []byte(a.Provider)))
}

// errOver returns the error for an attempt that did not begin in this browser, or that
// began too long ago.
func errOver(cause error) error {
	return errs.Wrap(errs.Invalid, "La connexion a trop duré, ou a été commencée dans un autre navigateur ou un autre onglet. Recommencez.", cause)
}

// Open decrypts the attempt that the browser kept and checks that it belongs to the
// provider, to the state that was returned and to the given account; Invalid otherwise.
func (k *Attempts) Open(kept, provider, state string, again uuid.UUID) (a Attempt, err error) {
	data, err := base64.RawURLEncoding.DecodeString(kept)
	if err != nil {
		return a, errOver(err)
	}
	if data, err = k.box.Open(data, []byte(provider)); err != nil {
		return a, errOver(err)
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return Attempt{}, errOver(err)
	}
	age := k.now().Sub(a.Began)
	if age > k.Life || age < -leeway || a.State == "" || a.Again != again || subtle.ConstantTimeCompare([]byte(a.State), []byte(state)) != 1 {
		return Attempt{}, errOver(errors.New("idp: the attempt is another one, or has expired"))
	}
	return a, nil
}
