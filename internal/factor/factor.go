// Package factor is the second factor of a sign-in: a secret that a person's program
// makes six-figure codes of (TOTP, RFC 6238, with what every such program takes: SHA-1,
// 30 seconds), and recovery codes for who has lost that program. It knows no store.
//
// A secret is sealed before it is kept, with a key that is derived from a setting and
// bound to its account: a copy of the database makes no codes, and a row that is put
// under another account opens nothing. Recovery codes have 80 random bits, so that their
// SHA-256 tells nothing of them.
package factor

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/google/uuid"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"vigueur/internal/sealed"
)

const (
	// period is for how many seconds a code is shown, digits how many figures it has.
	period = 30
	digits = otp.DigitsSix
	// window is how many codes before and after that of the moment are taken: for the
	// time that typing takes, and clocks that differ (RFC 6238, 5.2: one at most).
	window = 1
	// secretBytes is the length of a secret (RFC 4226, 4: 160 bits recommended).
	secretBytes = 20
)

var spelled = base32.StdEncoding.WithPadding(base32.NoPadding)

// ErrSealed says that a secret cannot be opened: the key, or the account, is not the one
// that it was sealed with.
var ErrSealed = sealed.ErrSealed

// Box seals secrets.
type Box struct{ box *sealed.Box }

// NewBox makes a box whose key is derived from a setting's secret, which others may be
// derived from as well.
func NewBox(secret []byte) (*Box, error) {
	box, err := sealed.NewBox(secret, "vigueur second factor")
	if err != nil {
		return nil, fmt.Errorf("factor: %w", err)
	}
	return &Box{box}, nil
}

// Secret is what codes are made of, as a person may type it: base 32.
type Secret string

// NewSecret makes a secret for an account, and what is kept of it.
func (b *Box) NewSecret(user uuid.UUID) (Secret, []byte) {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // it never fails: crypto/rand ends the process instead
	return Secret(spelled.EncodeToString(raw)), b.box.Seal(raw, user[:])
}

// Open gives the secret that was sealed for an account; ErrSealed when it cannot.
func (b *Box) Open(kept []byte, user uuid.UUID) (Secret, error) {
	raw, err := b.box.Open(kept, user[:])
	if err != nil {
		return "", err
	}
	return Secret(spelled.EncodeToString(raw)), nil
}

// Step is the number of the code that is shown at a moment.
func Step(at time.Time) int64 { return at.Unix() / period }

// Code gives the code of a step.
func (s Secret) Code(step int64) (string, error) {
	code, err := hotp.GenerateCodeCustom(string(s), uint64(step), hotp.ValidateOpts{Digits: digits, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return "", fmt.Errorf("factor: code: %w", err)
	}
	return code, nil
}

// Match gives the step of a code that is good at a moment: the step's, or that before or
// after it, and later than last. All are tried, whichever fits. ok is false where none
// does.
func (s Secret) Match(code string, at time.Time, last int64) (step int64, ok bool, err error) {
	for n := Step(at) - window; n <= Step(at)+window; n++ {
		right, err := s.Code(n)
		if err != nil {
			return 0, false, err
		}
		if subtle.ConstantTimeCompare([]byte(right), []byte(code)) == 1 && n > last {
			step, ok = n, true
		}
	}
	return step, ok, nil
}

// Link is the address by which programs take a secret over
// (github.com/google/google-authenticator/wiki/Key-Uri-Format).
func (s Secret) Link(issuer, account string) string {
	q := url.Values{"secret": {string(s)}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {digits.String()}, "period": {fmt.Sprint(period)}}
	return "otpauth://totp/" + url.PathEscape(issuer+":"+account) + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// Picture is a QR code: Size modules wide and high, the dark ones as the path of an SVG
// in which a module is 1 by 1. The quiet zone of 4 modules around it is the drawer's.
type Picture struct {
	Size int
	Path string
}

// Draw makes the QR code of a text; an error when it is too long for one.
func Draw(text string) (Picture, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return Picture{}, fmt.Errorf("factor: draw: %w", err)
	}
	size := code.Bounds().Dx()
	dark := func(x, y int) bool { r, _, _, _ := code.At(x, y).RGBA(); return r == 0 }
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			if !dark(x, y) {
				continue
			}
			from := x
			for x+1 < size && dark(x+1, y) {
				x++
			}
			fmt.Fprintf(&path, "M%d %dh%dv1H%dz", from, y, x-from+1, from)
		}
	}
	return Picture{size, path.String()}, nil
}
