// Package factor implements the second factor of a sign-in: a secret from which an
// authenticator app generates six-digit codes (TOTP, RFC 6238, with the parameters that
// every app supports: SHA-1, 30 seconds), and recovery codes for people who have lost the
// app. It has no store.
//
// A secret is encrypted before it is stored, with a key that is derived from a setting, and
// bound to its account: a copy of the database alone generates no codes, and a row moved to
// another account cannot be decrypted. Recovery codes have 80 random bits, so their SHA-256
// reveals nothing.
package factor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // of RFC 6238, and the only one that every app supports; HMAC does not need collision resistance
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
)

const (
	// period is the validity of a code in seconds, digits its length, and codes the number
	// of different codes.
	period = 30
	digits = 6
	codes  = 1_000_000
	// window is the number of codes before and after the current one that are accepted, to
	// allow for the time that typing takes and for clocks that differ (RFC 6238, 5.2: at
	// most one).
	window = 1
	// secretBytes is the length of a secret (RFC 4226, 4: 160 bits recommended).
	secretBytes = 20
)

var spelled = base32.StdEncoding.WithPadding(base32.NoPadding)

// ErrSealed means that a secret cannot be decrypted, because the key or the account is not
// the one that it was encrypted with.
var ErrSealed = sealed.ErrSealed

// Box encrypts secrets.
type Box struct{ box *sealed.Box }

// NewBox returns a box whose key is derived from a setting's secret, from which other keys
// may be derived, too.
func NewBox(secret []byte) (*Box, error) {
	box, err := sealed.NewBox(secret, "vigueur second factor")
	if err != nil {
		return nil, fmt.Errorf("factor: %w", err)
	}
	return &Box{box}, nil
}

// Secret is the secret of codes in base 32, as a person may type it.
type Secret string

// NewSecret generates a secret for an account, and its encrypted form for the database.
func (b *Box) NewSecret(user uuid.UUID) (Secret, []byte) {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the process instead
	return Secret(spelled.EncodeToString(raw)), b.box.Seal(raw, user[:])
}

// Open decrypts an account's secret; ErrSealed if that fails.
func (b *Box) Open(kept []byte, user uuid.UUID) (Secret, error) {
	raw, err := b.box.Open(kept, user[:])
	if err != nil {
		return "", err
	}
	return Secret(spelled.EncodeToString(raw)), nil
}

// Step returns the number of the period that contains a time; each period has its own code.
func Step(moment time.Time) int64 { return moment.Unix() / period }

// Code returns the code of a step (RFC 4226, 5.3); an error if the secret is not in base 32.
func (s Secret) Code(step int64) (string, error) {
	key, err := spelled.DecodeString(string(s))
	if err != nil {
		return "", fmt.Errorf("factor: code: %w", err)
	}
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[offset:]) &^ (1 << 31)
	return fmt.Sprintf("%0*d", digits, number%codes), nil
}

// Match returns the step of a code that is valid at a time: the current step, the one before
// or the one after, and later than last. All these codes are compared, in constant time. ok
// is false if none matches.
func (s Secret) Match(code string, moment time.Time, last int64) (step int64, ok bool, err error) {
	for n := Step(moment) - window; n <= Step(moment)+window; n++ {
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

// Link returns the URL with which apps import a secret
// (github.com/google/google-authenticator/wiki/Key-Uri-Format).
func (s Secret) Link(issuer, account string) string {
	q := url.Values{"secret": {string(s)}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {fmt.Sprint(digits)}, "period": {fmt.Sprint(period)}}
	return "otpauth://totp/" + url.PathEscape(issuer+":"+account) + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// Picture is a QR code: Size modules wide and high, the dark modules as an SVG path, in
// which a module is 1 by 1. The caller adds the quiet zone of 4 modules.
type Picture struct {
	Size int
	Path string
}

// Draw encodes a text as a QR code; it fails if the text is too long.
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
			start := x
			for x+1 < size && dark(x+1, y) {
				x++
			}
			fmt.Fprintf(&path, "M%d %dh%dv1H%dz", start, y, x-start+1, start)
		}
	}
	return Picture{size, path.String()}, nil
}

const (
	// Codes is the number of recovery codes of an account.
	Codes = 10
	// recoveryBytes is the length of a code in bytes, before it is encoded as 4 groups of 4
	// characters.
	recoveryBytes = 10
)

// readable is Crockford's base 32, without letters that are easily confused.
var readable = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// typed normalizes a code that a person has typed: it removes hyphens and blanks, and
// replaces similar letters by digits.
var typed = strings.NewReplacer("-", "", " ", "", "\u00a0", "", "\u202f", "", "o", "0", "i", "1", "l", "1")

// NewCodes generates the recovery codes of an account, and their hashes for the database.
func NewCodes(user uuid.UUID) (codes []string, hashes [][]byte) {
	for range Codes {
		raw := make([]byte, recoveryBytes)
		_, _ = rand.Read(raw) // never fails: crypto/rand ends the process instead
		s := readable.EncodeToString(raw)
		code := s[:4] + "-" + s[4:8] + "-" + s[8:12] + "-" + s[12:]
		codes, hashes = append(codes, code), append(hashes, HashCode(user, code))
	}
	return codes, hashes
}

// HashCode returns the hash under which a recovery code of an account is stored. The code
// may be typed in capitals, with blanks or without hyphens.
func HashCode(user uuid.UUID, code string) []byte {
	h := sha256.New()
	h.Write(user[:])
	h.Write([]byte(typed.Replace(strings.ToLower(code))))
	return h.Sum(nil)
}

// IsCode returns the digits of an authenticator code; ok is false for anything else, such
// as a recovery code.
func IsCode(given string) (code string, ok bool) {
	code = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "").Replace(given)
	return code, len(code) == digits && strings.Trim(code, "0123456789") == ""
}
