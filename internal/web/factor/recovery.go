package factor

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

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
