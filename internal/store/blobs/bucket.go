package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"path"
	"time"

	"github.com/minio/minio-go/v7"

	"vigueur/internal/kit/errs"
)

const (
	// wholeLimit is the largest file that is sent in one request. A larger one is sent in
	// parts, so that a lost connection costs one part, not the whole file.
	wholeLimit = 8 << 20
	// partSize is the size of a part. S3 accepts 10,000 parts: 160 GB.
	partSize = 16 << 20
	// attempts is how often a request is sent if the server is busy or does not respond. It is
	// low, because people retry requests and the queue retries jobs.
	attempts = 3
)

// Bucket is a Store in a bucket of an S3 server. Its objects have the names that a Folder
// gives to files, prefix/ab/cd/abcd…, so that any tool can copy a folder into the bucket.
//
// A file of up to 8 MiB is sent in one request. A larger file is sent in parts while it is
// read, and its name appears with the last part, after the hash was verified. If the
// process is killed before that, Abandoned removes the parts.
type Bucket struct {
	client *minio.Client
	bucket string
	prefix string
	copies *copies
	// whole and part are wholeLimit and partSize, except in tests.
	whole, part int64
}

// newBucket returns the bucket at an address. It sends no request, so that a program can
// start and do work that needs no files while the server is down.
func newBucket(a bucketAddress) (*Bucket, error) { return newBucketOver(a, transport(a.secure)) }

// newBucketOver returns the bucket at an address, with a given transport for its requests.
func newBucketOver(a bucketAddress, over http.RoundTripper) (*Bucket, error) {
	client, err := minio.New(a.host, &minio.Options{Creds: a.credentials, Secure: a.secure, Region: a.region,
		Transport: over, MaxRetries: attempts})
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : l’adresse du serveur S3 est incorrecte.", err)
	}
	return &Bucket{client: client, bucket: a.bucket, prefix: a.prefix, copies: newCopies(copiesLimit), whole: wholeLimit, part: partSize}, nil
}

// key returns the name of a file's object in the bucket.
func (b *Bucket) key(sha string) string { return path.Join(b.prefix, sha[:2], sha[2:4], sha) }

// Put implements Store.
func (b *Bucket) Put(ctx context.Context, sha string, r io.Reader) error {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return err
	}
	checked := &checkedReader{r: &reader{ctx: ctx, r: r}, sum: sha256.New(), sha: sha}
	var head bytes.Buffer
	_, err := io.CopyN(&head, checked, b.whole)
	if err != nil && !errors.Is(err, io.EOF) {
		return b.classify("put "+sha, err)
	}
	options := minio.PutObjectOptions{ContentType: "application/pdf", PartSize: uint64(b.part), SendContentMd5: true}
	if err != nil { // the file ended: it fits into one request
		_, err = b.client.PutObject(ctx, b.bucket, b.key(sha), bytes.NewReader(head.Bytes()), int64(head.Len()), options)
	} else {
		_, err = b.client.PutObject(ctx, b.bucket, b.key(sha), io.MultiReader(&head, checked), -1, options)
	}
	return b.classify("put "+sha, err)
}

// checkedReader reads from r, and returns Conflict instead of io.EOF if the bytes do not
// have the expected hash.
type checkedReader struct {
	r   io.Reader
	sum hash.Hash
	sha string
}

func (c *checkedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	if errors.Is(err, io.EOF) {
		if got := hex.EncodeToString(c.sum.Sum(nil)); got != c.sha {
			return n, errs.Wrap(errs.Conflict, "Le fichier a changé pendant sa lecture.", fmt.Errorf("content has hash %s", got))
		}
	}
	return n, err
}

// Open implements Store. A Seek starts a new range request.
func (b *Bucket) Open(ctx context.Context, sha string) (File, error) {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return nil, err
	}
	object, err := b.client.GetObject(ctx, b.bucket, b.key(sha), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.classify("open "+sha, err)
	}
	info, err := object.Stat()
	if err != nil {
		return nil, b.classify("open "+sha, errors.Join(err, object.Close()))
	}
	return &bucketFile{Object: object, size: info.Size, bucket: b, sha: sha}, nil
}

// bucketFile is an open file that knows its size and gives its errors a kind.
type bucketFile struct {
	*minio.Object
	size   int64
	bucket *Bucket
	sha    string
}

// Size implements File.
func (f *bucketFile) Size() int64 { return f.size }

// Read implements File.
func (f *bucketFile) Read(p []byte) (int, error) {
	n, err := f.Object.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = f.bucket.classify("read "+f.sha, err)
	}
	return n, err //nolint:wrapcheck // classified above, or io.EOF, which readers compare
}

// Local implements Store: a verified copy on this machine, shared by concurrent readers and
// cached for a while afterwards.
func (b *Bucket) Local(ctx context.Context, sha string) (path string, release func(), err error) {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return "", nil, err
	}
	return b.copies.take(ctx, sha, func(ctx context.Context, w io.Writer) error {
		file, err := b.Open(ctx, sha)
		if err != nil {
			return err
		}
		defer file.Close()
		sum := sha256.New()
		if _, err := io.Copy(io.MultiWriter(w, sum), file); err != nil {
			return err
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != sha {
			return errs.Wrap(errs.Unavailable, "Le fichier PDF est abîmé dans le compartiment S3 : ajoutez-le de nouveau.",
				fmt.Errorf("blobs: object %s has hash %s", sha, got))
		}
		return nil
	})
}

// Delete implements Store.
func (b *Bucket) Delete(ctx context.Context, sha string) error {
	if err := errors.Join(ctx.Err(), checkName(sha)); err != nil {
		return err
	}
	b.copies.forget(sha)
	err := b.client.RemoveObject(ctx, b.bucket, b.key(sha), minio.RemoveObjectOptions{})
	if err = b.classify("delete "+sha, err); errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// List implements Lister. Objects whose names are not those of files are skipped.
func (b *Bucket) List(ctx context.Context, yield func(sha string, written time.Time) error) error {
	for object := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.within(), Recursive: true}) {
		if object.Err != nil {
			return b.classify("list", object.Err)
		}
		sha := path.Base(object.Key)
		if checkName(sha) != nil || object.Key != b.key(sha) {
			continue
		}
		if err := yield(sha, object.LastModified); err != nil {
			return err
		}
	}
	return b.classify("list", ctx.Err())
}

// within returns the common prefix of the keys of all files.
func (b *Bucket) within() string {
	if b.prefix == "" {
		return ""
	}
	return b.prefix + "/"
}

// Abandoned counts the uploads that processes left incomplete at least a day ago, and
// removes their parts if remove is true. The parts are invisible but take space.
func (b *Bucket) Abandoned(ctx context.Context, remove bool) (found int, err error) {
	core := minio.Core{Client: b.client}
	var key, upload string // start of the next page of the list
	for {
		list, err := core.ListMultipartUploads(ctx, b.bucket, b.within(), key, upload, "", 0)
		if err != nil {
			return found, b.classify("abandoned", err)
		}
		for _, u := range list.Uploads {
			if time.Since(u.Initiated) < abandonedAge || checkName(path.Base(u.Key)) != nil {
				continue
			}
			found++
			if !remove {
				continue
			}
			err := b.classify("abandoned", core.AbortMultipartUpload(ctx, b.bucket, u.Key, u.UploadID))
			if err != nil && !errs.Is(err, errs.NotFound) { // NotFound means that another process removed it
				return found, err
			}
		}
		if !list.IsTruncated {
			return found, nil
		}
		key, upload = list.NextKeyMarker, list.NextUploadIDMarker
	}
}
