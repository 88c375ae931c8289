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
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

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
func newBucketOver(a bucketAddress, roundTripper http.RoundTripper) (*Bucket, error) {
	client, err := minio.New(a.host, &minio.Options{Creds: a.credentials, Secure: a.secure, Region: a.region,
		Transport: roundTripper, MaxRetries: attempts})
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

// bucketForm is the form of a bucket's address.
const bucketForm = "s3://compartiment/préfixe?endpoint=https://hôte:port&region=…"

// bucketAddress is a parsed address of a bucket with its key.
type bucketAddress struct {
	host        string // host of the server, with its port unless it is the default port
	secure      bool
	region      string // empty: the server is asked
	bucket      string
	prefix      string // prefix without a slash at either end; may be empty
	credentials *credentials.Credentials
}

// parseBucket parses the address of a bucket. The Invalid error says what is wrong but does
// not contain the address, because somebody may have put a secret into it by mistake.
func parseBucket(u *url.URL, key string) (a bucketAddress, err error) {
	invalid := func(what string) (bucketAddress, error) {
		return a, errs.Newf(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : %s ; attendu %s", what, bucketForm)
	}
	if u.User != nil {
		return invalid("la clé se donne par VIGUEUR_BLOBS_KEY, non dans l’adresse")
	}
	if err := s3utils.CheckValidBucketNameStrict(u.Host); err != nil {
		return invalid("le nom du compartiment est incorrect")
	}
	a.bucket, a.prefix = u.Host, strings.Trim(path.Clean("/"+u.Path), "/")
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return invalid("ce qui suit « ? » est illisible")
	}
	for name, values := range query {
		if (name != "endpoint" && name != "region") || len(values) != 1 || values[0] == "" {
			return invalid("seuls « endpoint » et « region » sont attendus après « ? », une fois chacun")
		}
	}
	a.region = query.Get("region")
	if a.host, a.secure, err = endpoint(query.Get("endpoint"), a.region); err != nil {
		return invalid(errs.Public(err))
	}
	if a.credentials, err = bucketCredentials(key); err != nil {
		return a, err
	}
	return a, nil
}

// endpoint returns the host of the server and whether to use TLS. The default is Amazon's.
func endpoint(address, region string) (host string, secure bool, err error) {
	if address == "" {
		if region == "" {
			return "s3.amazonaws.com", true, nil
		}
		return "s3." + region + ".amazonaws.com", true, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.User != nil {
		return "", false, errs.New(errs.Invalid, "« endpoint » n’est pas une adresse http:// ou https:// d’un serveur")
	}
	return u.Host, u.Scheme == "https", nil
}

// bucketCredentials parses « id:secret ». For an empty key it returns the credentials that
// Amazon's own programs would use: from the environment, from files or from the machine's
// role.
func bucketCredentials(key string) (*credentials.Credentials, error) {
	if key == "" {
		return credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}), nil
	}
	id, secret, ok := strings.Cut(key, ":")
	if !ok || id == "" || secret == "" {
		return nil, errs.New(errs.Invalid, "Clé du serveur S3 : attendu identifiant:secret (VIGUEUR_BLOBS_KEY)")
	}
	return credentials.NewStaticV4(id, secret, ""), nil
}

// bucketFaults maps error codes of S3 servers to messages for operators. Other codes are
// shown as they are.
//
//nolint:gosec // codes and sentences, no credentials
var bucketFaults = map[string]string{
	"NoSuchBucket":          "Le compartiment S3 n’existe pas.",
	"AccessDenied":          "Le serveur S3 refuse l’accès au compartiment : vérifiez la clé et ses droits.",
	"InvalidAccessKeyId":    "Le serveur S3 ne connaît pas la clé (VIGUEUR_BLOBS_KEY).",
	"SignatureDoesNotMatch": "Le serveur S3 refuse la clé : son secret est faux (VIGUEUR_BLOBS_KEY).",
	"ExpiredToken":          "La clé du serveur S3 est expirée.",
	"RequestTimeTooSkewed":  "L’horloge de cette machine et celle du serveur S3 diffèrent trop.",

	"AuthorizationHeaderMalformed": wrongRegion,
	"InvalidRegion":                wrongRegion,
	"PermanentRedirect":            wrongRegion,
	"XAmzRegionMismatch":           wrongRegion,

	"XMinioStorageFull":              noRoom,
	"QuotaExceeded":                  noRoom,
	"XMinioAdminBucketQuotaExceeded": noRoom,
	"InsufficientStorage":            noRoom,
	"507 Insufficient Storage":       noRoom,

	"SlowDown":           tooBusy,
	"SlowDownRead":       tooBusy,
	"SlowDownWrite":      tooBusy,
	"ServiceUnavailable": tooBusy,
}

const (
	wrongRegion = "Le compartiment S3 est dans une autre région : donnez-la par « region » dans VIGUEUR_BLOBS_URL."
	noRoom      = "Il ne reste plus de place dans le compartiment S3."
	tooBusy     = "Le serveur S3 est surchargé."
)

// classify wraps err in the matching kind of package errs, unless it has a kind.
func (b *Bucket) classify(what string, err error) error {
	if err == nil {
		return nil
	}
	wrapped := fmt.Errorf("blobs: %s: %w", what, err)
	var known *errs.Error
	if errors.As(err, &known) || callers(err) {
		return wrapped
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return errs.Wrap(errs.Unavailable, "Le serveur S3 ne répond pas.", wrapped)
	}
	if answer.Code == "NoSuchKey" || answer.Code == "NoSuchUpload" {
		return errs.Wrap(errs.NotFound, "Le fichier PDF n’est plus dans le compartiment S3.", wrapped)
	}
	sentence := bucketFaults[answer.Code]
	switch {
	case sentence != "":
	case answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized:
		sentence = bucketFaults["AccessDenied"]
	case answer.StatusCode == http.StatusInsufficientStorage:
		sentence = noRoom
	case answer.StatusCode == http.StatusMovedPermanently || answer.StatusCode == http.StatusBadRequest && answer.Region != "":
		sentence = wrongRegion
	default:
		sentence = fmt.Sprintf("Le serveur S3 a répondu par une erreur (%.40s).", answer.Code)
	}
	return errs.Wrap(errs.Unavailable, sentence, wrapped)
}

// callers reports whether err means that the caller's context ended. errors.Is would also
// accept timeouts of the HTTP client and of dialing: they count as
// context.DeadlineExceeded, but the server causes them.
func callers(err error) bool {
	//nolint:errorlint // see above
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), callers)
	case interface{ Unwrap() error }:
		return callers(e.Unwrap())
	}
	return err == context.Canceled || err == context.DeadlineExceeded //nolint:errorlint // see above
}

// silence is how long a connection may transfer no byte. A deadline for the whole transfer
// would fail for large files on slow lines, and without any deadline a transfer might never
// end.
const silence = 30 * time.Second

// dial is a function that opens a connection to an address, as net.Dialer does.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

// transport returns the HTTP transport for the server of a bucket.
func transport(secure bool) *http.Transport {
	return newTransport(secure, (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}).DialContext)
}

// newTransport returns a transport whose connections come from open and fail after silence.
func newTransport(secure bool, open dial) *http.Transport {
	t, err := minio.DefaultTransport(secure)
	if err != nil { // the environment names an invalid file of certificates
		t = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := open(ctx, network, address)
		if err != nil {
			return nil, err //nolint:wrapcheck // the client's error contains what it dialed
		}
		return &watchedConn{conn}, nil
	}
	t.ResponseHeaderTimeout = silence
	t.IdleConnTimeout = silence / 2 // close idle connections before silence would make them fail
	return t
}

// watchedConn is a connection that fails if no byte was transferred for silence.
type watchedConn struct{ net.Conn }

func (c *watchedConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err //nolint:wrapcheck // a connection in between
	}
	return c.Conn.Read(p) //nolint:wrapcheck // a connection in between
}

func (c *watchedConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(silence)); err != nil {
		return 0, err //nolint:wrapcheck // a connection in between
	}
	return c.Conn.Write(p) //nolint:wrapcheck // a connection in between
}
