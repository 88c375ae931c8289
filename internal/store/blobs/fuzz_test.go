package blobs

import (
	"net/url"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

// FuzzParseBucket: an address of a bucket is read, or refused without a word of it.
func FuzzParseBucket(f *testing.F) {
	for _, seed := range [][2]string{
		{"s3://seau/a/b?region=x&endpoint=http://h:1", "id:tresor"}, {"s3://seau", "id"}, {"s3://u:tresor@seau", ":"}, {"s3://..", "a:b"},
		{"s3://seau?endpoint=%zz", "a:b"}, {"s3://seau?endpoint=ftp://x", "a:b"}, {"s3://seau/../..", "a:b"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, address, key string) {
		u, err := url.Parse(address)
		if err != nil || key == "" {
			return
		}
		a, err := parseBucket(u, key)
		switch {
		case err != nil && !errs.Is(err, errs.Invalid):
			t.Errorf("%q: %v", address, err)
		case err == nil && (a.host == "" || a.bucket == "" || strings.HasPrefix(a.prefix, "/") || strings.Contains("/"+a.prefix+"/", "/../")):
			t.Errorf("%q is read as %+v", address, a)
		}
	})
}
