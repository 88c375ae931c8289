package blobs_test

import (
	"os"
	"path/filepath"
	"testing"

	"vigueur/internal/store/blobs"
)

func TestSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	const server = "?endpoint=https://s3.example.org"
	for name, c := range map[string]struct {
		one, other string
		want       bool
	}{
		"one folder":            {"file://" + dir + "/a", "file://localhost" + dir + "/a/", true},
		"a link":                {"file://" + dir + "/a", "file://" + dir + "/link", true},
		"one that is not yet":   {"file://" + dir + "/new", "file://" + dir + "/x/../new", true},
		"two folders":           {"file://" + dir + "/a", "file://" + dir, false},
		"two that are not":      {"file://" + dir + "/new", "file://" + dir + "/newer", false},
		"one prefix":            {"s3://bucket/a" + server, "s3://bucket/a/" + server + "&region=eu-1", true},
		"two prefixes":          {"s3://bucket/a" + server, "s3://bucket" + server, false},
		"two buckets":           {"s3://bucket" + server, "s3://other" + server, false},
		"two servers":           {"s3://bucket" + server, "s3://bucket", false},
		"a bucket and a folder": {"s3://bucket/a", "file:///bucket/a", false},
		"no address":            {"%zz", "%zz", false},
		"nor the other":         {"file:///a", "%zz", false},
		"no bucket":             {"s3:///a", "s3:///a", false},
		"nothing known":         {"gs://bucket", "gs://bucket", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if blobs.Same(c.one, c.other) != c.want || blobs.Same(c.other, c.one) != c.want {
				t.Errorf("Same(%q, %q) is not %v", c.one, c.other, c.want)
			}
		})
	}
}
