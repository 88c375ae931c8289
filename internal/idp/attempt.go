package idp

import (
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/sealed"
)

// Attempt is a sign-in at a provider that has begun, as the browser keeps it, sealed,
// until it comes back.
type Attempt struct {
	Provider string    `json:"p"`
	State    string    `json:"s"` // comes back with the code: whoever has begun is who comes back
	Nonce    string    `json:"n"` // comes back in the token: it was made for this attempt
	Verifier string    `json:"v"` // of PKCE: nobody else can use the code
	Again    uuid.UUID `json:"a"` // whose owner is to sign in once more; zero: whoever comes
	Began    time.Time `json:"b"`
	ReturnTo string    `json:"r"` // a path of the page, for the caller
}

// Attempts seals attempts.
type Attempts struct {
	Life time.Duration // for how long an attempt may take
	box  *sealed.Box
	now  func() time.Time
}

// NewAttempts makes what seals attempts, with a key derived from a secret of the settings.
func NewAttempts(secret []byte, life time.Duration, now func() time.Time) (*Attempts, error) {
	box, err := sealed.NewBox(secret, "vigueur sign-in at a provider")
	if err != nil {
		return nil, err
	}
	return &Attempts{life, box, now}, nil
}

// Seal gives an attempt as the browser may keep it.
func (k *Attempts) Seal(a Attempt) string {
	data, err := json.Marshal(a)
	if err != nil {
		return "" // an attempt always has JSON
	}
	return base64.RawURLEncoding.EncodeToString(k.box.Seal(data, []byte(a.Provider)))
}

// errOver is what whoever comes back is told that did not begin here, or too long ago.
func errOver(cause error) error {
	return errs.Wrap(errs.Invalid, "La connexion a trop duré, ou a été commencée dans un autre navigateur ou un autre onglet. Recommencez.", cause)
}

// Open gives the attempt that the browser kept, at a provider and with the state that came
// back, begun for the given account; Invalid when there is none such.
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
		return Attempt{}, errOver(errors.New("idp: another attempt, or one that is over"))
	}
	return a, nil
}
