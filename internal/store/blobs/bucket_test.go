package blobs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/minio/minio-go/v7"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/bucket"
)

// s3server is an S3 server of one test, with the bucket « gazettes ».
type s3server struct {
	*httptest.Server
	requests atomic.Int64
	// meddle responds instead of the server if it returns true; it may be nil.
	meddle atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
}

func newS3(t *testing.T) *s3server {
	t.Helper()
	inner, err := bucket.New("gazettes")
	if err != nil {
		t.Fatal(err)
	}
	return before(t, func(w http.ResponseWriter, r *http.Request) {
		unchunk(r)
		inner.ServeHTTP(w, r)
	})
}

// before is a handler that can change the requests to another handler.
func before(t *testing.T, inner http.HandlerFunc) *s3server {
	t.Helper()
	s := &s3server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if f := s.meddle.Load(); f != nil && (*f)(w, r) {
			return
		}
		inner(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// unchunk removes the signatures of chunks from a body (aws-chunked, as clients send it
// without TLS), which the server would store as part of the file.
func unchunk(r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return
	}
	chunks, plain := bufio.NewReader(r.Body), &bytes.Buffer{}
	for {
		var size int64
		head, err := chunks.ReadString('\n')
		if _, scanErr := fmt.Sscanf(head, "%x;", &size); err != nil || scanErr != nil {
			panic(http.ErrAbortHandler)
		}
		if size == 0 {
			break
		}
		if _, err := io.CopyN(plain, chunks, size); err != nil {
			panic(http.ErrAbortHandler)
		}
		if _, err := chunks.Discard(len("\r\n")); err != nil {
			panic(http.ErrAbortHandler)
		}
	}
	r.Body, r.ContentLength = io.NopCloser(plain), int64(plain.Len())
	r.Header.Set("Content-Length", fmt.Sprint(plain.Len()))
	r.Header.Del("X-Amz-Content-Sha256")
}

func (s *s3server) meddles(f func(w http.ResponseWriter, r *http.Request) bool) { s.meddle.Store(&f) }

func (s *s3server) address(bucket string) string {
	return "s3://" + bucket + "/pdf/en vigueur?region=us-east-1&endpoint=" + s.URL
}

// store opens the server's bucket as the programs do.
func (s *s3server) store(t *testing.T) *Bucket {
	t.Helper()
	return small(openBucket(t, s.address("gazettes"), "clef:tresor"))
}

const (
	smallWhole = 100_000
	smallPart  = 5 << 20 // the minimum size of a part in S3
)

// small makes a bucket send files of a few megabytes in parts.
func small(b *Bucket) *Bucket {
	b.whole, b.part = smallWhole, smallPart
	return b
}

func openBucket(t *testing.T, address, key string) *Bucket {
	t.Helper()
	store, err := Open(Settings{URL: address, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	b, ok := store.(*Bucket)
	if !ok {
		t.Fatalf("%T", store)
	}
	t.Cleanup(func() {
		if b.copies.dir != "" {
			_ = os.RemoveAll(b.copies.dir)
		}
	})
	return b
}

func TestBucketConforms(t *testing.T) {
	t.Parallel()
	conform(t, newS3(t).store(t))
}

// TestBucketConformsOnRealServer checks the contract of Store with the S3 server that
// scripts/check --deep starts, which verifies signatures and regions.
func TestBucketConformsOnRealServer(t *testing.T) {
	t.Parallel()
	address, key := os.Getenv("VIGUEUR_TEST_BUCKET_URL"), os.Getenv("VIGUEUR_TEST_BUCKET_KEY")
	if address == "" {
		t.Skip("VIGUEUR_TEST_BUCKET_URL is not set: scripts/check --deep sets it")
	}
	b := openBucket(t, address, key)
	conform(t, b)
	large := bytes.Repeat([]byte("journal "), (wholeLimit+partSize)/8+1)
	if err := b.Put(t.Context(), hashOf(large), bytes.NewReader(large)); err != nil {
		t.Fatal(err)
	}
	checkContent(t, b, hashOf(large), large)
	listed := map[string]bool{}
	err := b.List(t.Context(), func(sha string, _ time.Time) error { listed[sha] = true; return nil })
	if err != nil || !listed[hashOf(large)] {
		t.Errorf("listed %v, %v", listed, err)
	}
	if err := b.Delete(t.Context(), hashOf(large)); err != nil {
		t.Error(err)
	}
	if _, err := b.Abandoned(t.Context(), true); err != nil {
		t.Error(err)
	}
	wrong := openBucket(t, address, key+"x")
	if _, err := wrong.Open(t.Context(), hashOf(large)); !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "clé") {
		t.Errorf("a wrong secret: %v", err)
	}
	if err := wrong.Put(t.Context(), hashOf(nil), strings.NewReader("")); !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "secret est faux") {
		t.Errorf("a wrong secret: %v", err)
	}
	other := openBucket(t, strings.Replace(address, "region=", "region=mars-", 1), key)
	if err := other.Put(t.Context(), hashOf(nil), strings.NewReader("")); !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "région") {
		t.Errorf("another region: %v", err)
	}
}

func TestBucketLargeFile(t *testing.T) {
	t.Parallel()
	b := newS3(t).store(t)
	// Sizes at the limit, one byte above, and with an incomplete last part.
	for _, size := range []int{1, smallWhole - 1, smallWhole, smallWhole + 1, smallWhole + smallPart + 3} {
		data := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
		if err := b.Put(t.Context(), hashOf(data), iotest.HalfReader(bytes.NewReader(data))); err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		path, release, err := b.Local(t.Context(), hashOf(data))
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
		release()
	}
}

// TestBucketRefusedPutLeavesNothing checks that a large file with a wrong hash, and a file
// whose reader fails or whose upload is canceled, leave neither a name nor parts.
func TestBucketRefusedPutLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newS3(t).store(t)
	data := bytes.Repeat([]byte("x"), smallWhole+smallPart+1)
	sha := hashOf(data)
	broken := errors.New("the disk went away")
	ctx, cancel := context.WithCancel(t.Context())
	half := data[:smallWhole+smallPart]
	for _, c := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
		as   func(error) bool
	}{
		{"other bytes", t.Context(), bytes.NewReader(append(bytes.Clone(half), 'y')), func(err error) bool { return errs.Is(err, errs.Conflict) }},
		{"failing reader", t.Context(), io.MultiReader(bytes.NewReader(half), iotest.ErrReader(broken)), func(err error) bool { return errors.Is(err, broken) }},
		{"given up", ctx, io.MultiReader(bytes.NewReader(half), call(cancel), bytes.NewReader(data[len(half):])), func(err error) bool { return errs.Is(err, errs.Cancelled) }},
	} {
		if err := b.Put(c.ctx, sha, c.r); !c.as(err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := There(t.Context(), b, sha); !errs.Is(err, errs.NotFound) {
			t.Errorf("%s: %v, want NotFound", c.name, err)
		}
		for upload := range b.client.ListIncompleteUploads(t.Context(), b.bucket, "", true) {
			t.Errorf("%s: parts are left: %+v", c.name, upload)
		}
	}
}

func TestBucketList(t *testing.T) {
	t.Parallel()
	b := newS3(t).store(t)
	want := map[string]bool{}
	for i := range 5 {
		data := fmt.Appendf(nil, "file %d", i)
		want[hashOf(data)] = true
		if err := b.Put(t.Context(), hashOf(data), bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	// Objects of other programs in the bucket are not listed.
	stray := strings.Repeat("a", 64)
	for _, key := range []string{b.prefix + "/notes.txt", b.prefix + "/" + stray, "ailleurs/aa/aa/" + stray} {
		if _, err := b.client.PutObject(t.Context(), b.bucket, key, strings.NewReader("x"), 1, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]bool{}
	err := b.List(t.Context(), func(sha string, written time.Time) error {
		if time.Since(written).Abs() > time.Hour {
			t.Errorf("%s was written %v", sha, written)
		}
		got[sha] = true
		return nil
	})
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("List gives %v, error %v, want %v", got, err, want)
	}
	enough := errors.New("enough")
	if err := b.List(t.Context(), func(string, time.Time) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("List: %v, want the error of yield", err)
	}
}

func TestBucketAbandoned(t *testing.T) {
	t.Parallel()
	s := newS3(t)
	b := s.store(t)
	core := minio.Core{Client: b.client}
	if _, err := core.NewMultipartUpload(t.Context(), b.bucket, b.key(strings.Repeat("a", 64)), minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Abandoned(t.Context(), true); n != 0 || err != nil {
		t.Errorf("a fresh upload: %d, %v", n, err)
	}
	// The server reports that the upload began two days ago.
	old := time.Now().Add(-2 * abandonedAge).UTC().Format("2006-01-02T15:04:05.000Z")
	var aborted atomic.Int64
	s.meddles(func(w http.ResponseWriter, r *http.Request) bool {
		if _, list := r.URL.Query()["uploads"]; !list {
			if r.Method == http.MethodDelete && r.URL.Query().Get("uploadId") != "" {
				aborted.Add(1)
			}
			return false
		}
		key, other := b.key(strings.Repeat("a", 64)), b.prefix+"/video.mp4"
		fmt.Fprintf(w, `<ListMultipartUploadsResult><Bucket>gazettes</Bucket>
			<Upload><Key>%s</Key><UploadId>1</UploadId><Initiated>%s</Initiated></Upload>
			<Upload><Key>%s</Key><UploadId>2</UploadId><Initiated>%s</Initiated></Upload></ListMultipartUploadsResult>`, key, old, other, old)
		return true
	})
	if n, err := b.Abandoned(t.Context(), false); n != 1 || err != nil || aborted.Load() != 0 {
		t.Errorf("counted %d, %v, aborted %d", n, err, aborted.Load())
	}
	if n, err := b.Abandoned(t.Context(), true); n != 1 || err != nil || aborted.Load() != 1 {
		t.Errorf("removed %d, %v, aborted %d", n, err, aborted.Load())
	}
}

// TestBucketFaults checks that each refusal by a server becomes one sentence that says what
// to do, is Unavailable, and contains no key.
func TestBucketFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status     int
		code, want string
	}{
		{404, "NoSuchBucket", "n’existe pas"},
		{403, "AccessDenied", "droits"},
		{403, "InvalidAccessKeyId", "VIGUEUR_BLOBS_KEY"},
		{403, "SignatureDoesNotMatch", "secret est faux"},
		{403, "RequestTimeTooSkewed", "horloge"},
		{403, "SomethingNew", "droits"},
		{400, "AuthorizationHeaderMalformed", "région"},
		{301, "PermanentRedirect", "région"},
		{507, "XMinioStorageFull", "place"},
		{507, "SomethingElse", "place"},
		{409, "OperationAborted", "OperationAborted"},
	} {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			s := newS3(t)
			s.meddles(func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Type", "application/xml")
				w.WriteHeader(c.status)
				fmt.Fprintf(w, `<Error><Code>%s</Code><Message>no</Message></Error>`, c.code)
				return true
			})
			err := s.store(t).Put(t.Context(), hashOf(nil), strings.NewReader(""))
			if !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), c.want) {
				t.Errorf("%v (« %s »), want Unavailable with « %s »", err, errs.Public(err), c.want)
			}
			if strings.Contains(err.Error(), "tresor") {
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
}

func TestBucketServerAway(t *testing.T) {
	t.Parallel()
	s := newS3(t)
	b := s.store(t)
	s.Close()
	_, openErr := b.Open(t.Context(), hashOf(nil))
	_, _, localErr := b.Local(t.Context(), hashOf(nil))
	for _, err := range []error{openErr, localErr, b.Put(t.Context(), hashOf(nil), strings.NewReader("")), b.Delete(t.Context(), hashOf(nil)),
		b.List(t.Context(), func(string, time.Time) error { return nil })} {
		if !errs.Is(err, errs.Unavailable) || errs.Public(err) != "Le serveur S3 ne répond pas." {
			t.Errorf("%v (« %s »)", err, errs.Public(err))
		}
	}
}

// TestBucketConnectionLost cuts the connection in the middle of an upload and of a
// download: no incomplete file is left, and the next attempt succeeds.
func TestBucketConnectionLost(t *testing.T) {
	t.Parallel()
	s := newS3(t)
	b := s.store(t)
	data := bytes.Repeat([]byte("journal "), (smallWhole+2*smallPart)/8)
	sha := hashOf(data)
	s.meddles(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && r.URL.Query().Get("partNumber") == "2" {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			panic(http.ErrAbortHandler)
		}
		return false
	})
	if err := b.Put(t.Context(), sha, bytes.NewReader(data)); !errs.Is(err, errs.Unavailable) {
		t.Errorf("Put: %v, want Unavailable", err)
	}
	if err := There(t.Context(), b, sha); !errs.Is(err, errs.NotFound) {
		t.Errorf("after the lost upload: %v, want NotFound", err)
	}
	s.meddles(func(http.ResponseWriter, *http.Request) bool { return false })
	if err := b.Put(t.Context(), sha, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	s.meddles(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, sha) {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		_, _ = w.Write(data[:len(data)/2])
		panic(http.ErrAbortHandler)
	})
	if _, _, err := b.Local(t.Context(), sha); !errs.Is(err, errs.Unavailable) {
		t.Errorf("Local: %v, want Unavailable", err)
	}
	s.meddles(func(http.ResponseWriter, *http.Request) bool { return false })
	checkContent(t, b, sha, data)
	if left, _ := filepath.Glob(filepath.Join(b.copies.dir, "half-*")); len(left) != 0 {
		t.Errorf("left aside: %v", left)
	}
}

// TestBucketKilledPut kills a process in the middle of an upload: the file has no name, and
// storing it again succeeds.
func TestBucketKilledPut(t *testing.T) {
	t.Parallel()
	if address := os.Getenv("BLOBS_TEST_PUT"); address != "" {
		b, data := small(openBucket(t, address, os.Getenv("BLOBS_TEST_KEY"))), inParts()
		t.Fatal(b.Put(t.Context(), hashOf(data), bytes.NewReader(data)))
	}
	s := newS3(t)
	killedPut(t, s, s.address("gazettes"), "clef:tresor")
}

// TestBucketKilledPutOnRealServer does the same with the server of scripts/check --deep.
func TestBucketKilledPutOnRealServer(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(os.Getenv("VIGUEUR_TEST_BUCKET_URL"))
	if err != nil || address.Host == "" {
		t.Skip("VIGUEUR_TEST_BUCKET_URL is not set: scripts/check --deep sets it")
	}
	query := address.Query()
	endpoint, err := url.Parse(query.Get("endpoint"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(endpoint) // keeps the signed host name in the request
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	s := before(t, proxy.ServeHTTP)
	query.Set("endpoint", s.URL)
	address.Path, address.RawQuery = "/killed", query.Encode()
	killedPut(t, s, address.String(), os.Getenv("VIGUEUR_TEST_BUCKET_KEY"))
}

// inParts returns a file that is sent in parts.
func inParts() []byte { return bytes.Repeat([]byte("x"), smallWhole+2*smallPart) }

func killedPut(t *testing.T, s *s3server, address, key string) {
	t.Helper()
	data := inParts()
	b := small(openBucket(t, address, key))
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBucketKilledPut$")
	child.Env = append(os.Environ(), "BLOBS_TEST_PUT="+address, "BLOBS_TEST_KEY="+key)
	var second sync.Once
	started := make(chan struct{})
	s.meddles(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && r.URL.Query().Get("partNumber") == "2" {
			<-started
			second.Do(func() { _ = child.Process.Kill() })
			_, _ = io.Copy(io.Discard, r.Body) // otherwise the server would not notice that the client has disconnected
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		}
		return false
	})
	err := child.Start()
	close(started)
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); child.ProcessState.Exited() {
		t.Fatalf("the child was not killed in mid-upload: %v", err)
	}
	s.meddles(func(http.ResponseWriter, *http.Request) bool { return false })
	if err := There(t.Context(), b, hashOf(data)); !errs.Is(err, errs.NotFound) {
		t.Errorf("after the kill: %v, want NotFound", err)
	}
	parts := 0
	for upload := range b.client.ListIncompleteUploads(t.Context(), b.bucket, b.within(), true) {
		if upload.Err != nil {
			t.Fatal(upload.Err)
		}
		parts++
	}
	if parts != 1 {
		t.Errorf("%d uploads are left, want the one that was killed", parts)
	}
	if err := b.Put(t.Context(), hashOf(data), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if err := There(t.Context(), b, hashOf(data)); err != nil {
		t.Error(err)
	}
}

func TestBucketDamagedObject(t *testing.T) {
	t.Parallel()
	b := newS3(t).store(t)
	data := []byte("%PDF-1.7")
	if _, err := b.client.PutObject(t.Context(), b.bucket, b.key(hashOf(data)), strings.NewReader("%PDF-1.6"), 8, minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Local(t.Context(), hashOf(data)); !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "abîmé") {
		t.Errorf("Local: %v", err)
	}
}

// TestBucketRanges checks that reading from an offset requests only the bytes from there
// on.
func TestBucketRanges(t *testing.T) {
	t.Parallel()
	s := newS3(t)
	b := s.store(t)
	data := bytes.Repeat([]byte("0123456789"), 100)
	if err := b.Put(t.Context(), hashOf(data), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	var asked sync.Map
	s.meddles(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			asked.Store(r.Header.Get("Range"), true)
		}
		return false
	})
	file, err := b.Open(t.Context(), hashOf(data))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(990, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := io.ReadFull(file, got); err != nil || string(got) != "012" {
		t.Errorf("read %q, %v", got, err)
	}
	if _, whole := asked.Load(""); whole {
		t.Error("the whole file was asked for")
	}
}

func TestBucketCopiesAreShared(t *testing.T) {
	t.Parallel()
	s := newS3(t)
	b := s.store(t)
	data := bytes.Repeat([]byte("x"), 1000)
	sha := hashOf(data)
	if err := b.Put(t.Context(), sha, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	previous := s.requests.Load()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			path, release, err := b.Local(t.Context(), sha)
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			if got, err := os.ReadFile(path); err != nil || len(got) != len(data) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	group.Wait()
	if asked := s.requests.Load() - previous; asked > 3 { // two requests are for the headers and the bytes
		t.Errorf("%d requests for one file", asked)
	}
	path, release, err := b.Local(t.Context(), sha)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Delete(t.Context(), sha); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the copy went while it was read: %v", err)
	}
	release()
	release() // a second call does nothing
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the copy of a deleted file is still there: %v", err)
	}
	if _, _, err := b.Local(t.Context(), sha); !errs.Is(err, errs.NotFound) {
		t.Errorf("Local after Delete: %v", err)
	}
}

func TestCopiesKeepWithinTheirLimit(t *testing.T) {
	t.Parallel()
	c := newCopies(250)
	t.Cleanup(func() { _ = os.RemoveAll(c.dir) })
	fetches := 0
	fetch := func(_ context.Context, w io.Writer) error {
		fetches++
		_, err := w.Write(make([]byte, 100))
		return err
	}
	take := func(name string) (string, func()) {
		t.Helper()
		path, release, err := c.take(t.Context(), name, fetch)
		if err != nil {
			t.Fatal(err)
		}
		return path, release
	}
	name := func(n int) string { return hashOf([]byte{byte(n)}) }
	held, releaseHeld := take(name(0))
	for i := 1; i <= 4; i++ {
		_, release := take(name(i))
		release()
	}
	if got, err := os.ReadFile(held); err != nil || len(got) != 100 {
		t.Errorf("a copy that is read is gone: %v", err)
	}
	releaseHeld()
	if _, release := take(name(4)); fetches != 5 {
		t.Errorf("%d fetches, want 5: the last copies are kept", fetches)
		release()
	}
	if _, release := take(name(1)); fetches != 6 {
		t.Errorf("%d fetches, want 6: the longest unread copy is gone", fetches)
		release()
	}
}

// A fetch that runs out of a time of its own is told, and not tried for ever; who waits for another's fetch need not.
func TestCopiesAreNotWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	c := newCopies(250)
	t.Cleanup(func() { _ = os.RemoveAll(c.dir) })
	c.forget(hashOf(nil)) // before there is a folder
	late := errs.Wrap(errs.Unavailable, "", context.DeadlineExceeded)
	if _, _, err := c.take(t.Context(), hashOf(nil), func(context.Context, io.Writer) error { return late }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that is too late: %v", err)
	}
	began, end := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		_, release, err := c.take(t.Context(), hashOf(nil), func(context.Context, io.Writer) error { close(began); <-end; return nil })
		if err == nil {
			release()
		}
		first <- err
	}()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.take(ctx, hashOf(nil), func(context.Context, io.Writer) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was given up: %v", err)
	}
	close(end)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestCopiesOfDeadProcessesAreSwept(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	dead := filepath.Join(parent, copiesName+"dead")
	if err := os.Mkdir(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead, lockName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	living := newCopies(1)
	if err := living.open(); err != nil {
		t.Fatal(err)
	}
	if err := newCopies(1).open(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("the folder of a process that died is still there: %v", err)
	}
	if _, err := os.Stat(living.dir); err != nil {
		t.Errorf("the folder of a living process is gone: %v", err)
	}
	slog.Debug("kept until here", "lock", living.lock.Path()) // keeps the lock file from being garbage-collected, which would release the lock
}

func TestCopy(t *testing.T) {
	t.Parallel()
	older, err := NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, newer := []byte("%PDF-1.4 from before"), newS3(t).store(t)
	if err := older.Put(t.Context(), hashOf(data), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	for want := range 2 {
		if copied, err := Copy(t.Context(), older, newer, hashOf(data)); err != nil || copied != (want == 0) {
			t.Errorf("Copy %d: %v, %v", want, copied, err)
		}
	}
	checkContent(t, newer, hashOf(data), data)
	if _, err := Copy(t.Context(), older, newer, hashOf(nil)); !errs.Is(err, errs.NotFound) {
		t.Errorf("Copy of a file that is nowhere: %v", err)
	}
}
