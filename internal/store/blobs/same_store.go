package blobs

import (
	"net/url"
	"os"
	"path/filepath"
)

// Same reports whether two addresses mean the same store. It compares the addresses, and
// the folders of this machine. It cannot recognize a server that has two names.
func Same(one, other string) bool {
	a, err := url.Parse(one)
	if err != nil {
		return false
	}
	b, err := url.Parse(other)
	if err != nil || a.Scheme != b.Scheme {
		return false
	}
	switch a.Scheme {
	case "file":
		return sameFolder(a.Path, b.Path)
	case "s3":
		x, err := parseBucket(a, "")
		if err != nil {
			return false
		}
		y, err := parseBucket(b, "")
		return err == nil && x.host == y.host && x.bucket == y.bucket && x.prefix == y.prefix
	}
	return false
}

// sameFolder reports whether two paths lead to the same folder. It follows symbolic links.
func sameFolder(one, other string) bool {
	if filepath.Clean(one) == filepath.Clean(other) {
		return true
	}
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}
