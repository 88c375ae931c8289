package factor

import (
	"bytes"
	"encoding/base32"
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// The codes of RFC 6238, appendix B, have eight digits; the last six are the codes of this
// package.
func TestCodesAreThoseOfTheStandard(t *testing.T) {
	t.Parallel()
	secret := Secret(base32.StdEncoding.EncodeToString([]byte("12345678901234567890")))
	for offset, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		code, err := secret.Code(Step(time.Unix(offset, 0)))
		if err != nil || code != want {
			t.Errorf("at %d: %q (%v), want %q", offset, code, err, want)
		}
		if step, ok, err := secret.Match(want, time.Unix(offset, 0), 0); !ok || step != offset/30 || err != nil {
			t.Errorf("at %d: step %d, %v, %v", offset, step, ok, err)
		}
	}
}

func TestACodeIsGoodOnceAndNearItsTime(t *testing.T) {
	t.Parallel()
	box := newBox(t, "a")
	secret, _ := box.NewSecret(uuid.New())
	now := time.Unix(1_800_000_000, 0)
	code, err := secret.Code(Step(now))
	if err != nil {
		t.Fatal(err)
	}
	for shift, want := range map[int]bool{-60: false, -30: true, 0: true, 30: true, 60: false} {
		if _, ok, _ := secret.Match(code, now.Add(time.Duration(shift)*time.Second), 0); ok != want {
			t.Errorf("%d s off: %v", shift, ok)
		}
	}
	step, _, _ := secret.Match(code, now, 0)
	if _, ok, _ := secret.Match(code, now, step); ok {
		t.Error("taken a second time")
	}
	if _, ok, _ := secret.Match(code, now, step-1); !ok {
		t.Error("not taken after the one before")
	}
	for _, bad := range []string{"", "0", code + "0", strings.Repeat("0", 1000)} {
		if _, ok, err := secret.Match(bad, now, 0); ok || err != nil {
			t.Errorf("%q: %v, %v", bad, ok, err)
		}
	}
}

func newBox(t *testing.T, owner string) *Box {
	t.Helper()
	box, err := NewBox([]byte(strings.Repeat(owner, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func TestASecretIsSealedForItsAccount(t *testing.T) {
	t.Parallel()
	box, user := newBox(t, "a"), uuid.New()
	secret, sealed := box.NewSecret(user)
	if len(secret) != 32 {
		t.Errorf("secret %q", secret)
	}
	raw, _ := spelled.DecodeString(string(secret))
	if strings.Contains(string(sealed), string(raw)) {
		t.Error("the secret stands in what is kept")
	}
	if got, err := newBox(t, "a").Open(sealed, user); got != secret || err != nil {
		t.Errorf("opened by another process: %q, %v", got, err)
	}
	_, again := box.NewSecret(user)
	broken := append([]byte{}, sealed...)
	broken[len(broken)-1] ^= 1
	for name, open := range map[string]func() (Secret, error){
		"another account": func() (Secret, error) { return box.Open(sealed, uuid.New()) },
		"another key":     func() (Secret, error) { return newBox(t, "b").Open(sealed, user) },
		"changed":         func() (Secret, error) { return box.Open(broken, user) },
		"cut":             func() (Secret, error) { return box.Open(sealed[:8], user) },
		"empty":           func() (Secret, error) { return box.Open(nil, user) },
	} {
		if got, err := open(); !errors.Is(err, ErrSealed) || got != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if bytes.Equal(again, sealed) {
		t.Error("two secrets alike")
	}
}

func TestLinkAndPicture(t *testing.T) {
	t.Parallel()
	secret := Secret(strings.Repeat("A2", 16))
	link := secret.Link("Vigueur", "awa+é@example.org")
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Vigueur:awa+é@example.org" || u.Query().Get("secret") != string(secret) || u.Query().Get("issuer") != "Vigueur" {
		t.Fatalf("%s: %v", link, err)
	}
	picture, err := Draw(link)
	if err != nil {
		t.Fatal(err)
	}
	// The finder pattern in the corner: 7 dark modules, then 1 dark, 5 light and 1 dark.
	if picture.Size < 21 || (picture.Size-17)%4 != 0 || !strings.HasPrefix(picture.Path, "M0 0h7v1H0z") || !strings.Contains(picture.Path, "M0 1h1v1H0zM6 1h1v1H6z") {
		t.Errorf("%+v", picture)
	}
	if _, err := Draw(strings.Repeat("x", 5000)); err == nil {
		t.Error("a text too long for a code")
	}
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	user := uuid.New()
	codes, hashes := NewCodes(user)
	seen := map[string]bool{}
	for i, code := range codes {
		if !regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$`).MatchString(code) || seen[code] {
			t.Errorf("code %q", code)
		}
		seen[code] = true
		for _, spelled := range []string{code, strings.ToUpper(code), strings.ReplaceAll(code, "-", ""), strings.ReplaceAll(code, "-", " "), strings.ReplaceAll(code, "0", "O")} {
			if !bytes.Equal(HashCode(user, spelled), hashes[i]) {
				t.Errorf("%q is not %q", spelled, code)
			}
		}
		if _, ok := IsCode(code); ok || bytes.Equal(HashCode(uuid.New(), code), hashes[i]) {
			t.Errorf("%q is taken for another", code)
		}
	}
	if len(codes) != 10 || len(hashes) != 10 {
		t.Errorf("%d codes", len(codes))
	}
	for given, want := range map[string]string{"123456": "123456", "123 456": "123456", " 123\u202f456 ": "123456", "12345": "", "1234567": "", "12345a": "", "": "", "１２３４５６": ""} {
		if code, ok := IsCode(given); ok != (want != "") || (ok && code != want) {
			t.Errorf("%q: %q, %v", given, code, ok)
		}
	}
}
