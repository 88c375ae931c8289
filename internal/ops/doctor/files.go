package doctor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/blobs"
)

// Limits of free space on a disk, in bytes. A gazette can have 256 MiB, and an upload
// briefly needs that space twice, so below roomFail four concurrent uploads may fail.
const (
	roomWarn = 10 << 30
	roomFail = 1 << 30
	// fewInodes: at least one in fewInodes of a file system's inodes should be free.
	fewInodes = 20
)

// tidying is the timeout for removing the test file.
const tidying = 2 * time.Second

// checkFiles checks the stores of the PDF files, by adding a file and removing it again.
func (p *target) checkFiles(ctx context.Context, n *notes) {
	const name = "VIGUEUR_BLOBS_URL"
	u, err := url.Parse(p.ingest.BlobsURL)
	if err != nil {
		n.fail(name+" est illisible", "Corrigez-la : file:///dossier ou s3://compartiment/préfixe?endpoint=…")
		return
	}
	if u.Scheme == "file" && !p.checkFolder(n, name, u.Path) {
		return
	}
	if u.Scheme == "s3" {
		p.checkBucketTLS(ctx, n, u)
	}
	p.tryStore(ctx, n, name, p.ingest.BlobsURL)
}

// checkFolder checks a folder before a file is written to it. It does not create the folder, and
// reports whether the folder can be used.
func (p *target) checkFolder(n *notes, name, path string) bool {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n.fail(fmt.Sprintf("%s : le dossier %s n’existe pas", name, path), "Vérifiez qu’il est monté ; sinon, faites-le : install -d -m 700.")
		return false
	case err != nil:
		n.fail(fmt.Sprintf("%s : %s", name, cause(err)), "Vérifiez les droits des dossiers au-dessus.")
		return false
	case !info.IsDir():
		n.fail(fmt.Sprintf("%s : %s n’est pas un dossier", name, path), "Nommez un dossier.")
		return false
	}
	if info.Mode().Perm()&0o077 != 0 {
		n.warn(fmt.Sprintf("%s : d’autres comptes peuvent entrer dans %s", name, path), "chmod 700 "+path)
	}
	room(n, path)
	return true
}

// tryStore adds a random file to the store, reads it back and removes it.
func (p *target) tryStore(ctx context.Context, n *notes, name, address string) {
	store, err := blobs.Open(blobs.Settings{URL: address, Key: p.ingest.BlobsKey})
	if err != nil {
		n.fail(name+" : "+publicOr(err), "Corrigez l’adresse ou la clé (VIGUEUR_BLOBS_KEY).")
		return
	}
	content := make([]byte, 64)
	_, _ = rand.Read(content) // never fails
	sum := sha256.Sum256(content)
	sha := hex.EncodeToString(sum[:])
	// Remove the file even if adding it reported an error.
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		_ = store.Delete(ctx, sha)
	}()
	err = store.Put(ctx, sha, strings.NewReader(string(content)))
	if err == nil {
		err = blobs.There(ctx, store, sha)
	}
	if err == nil {
		err = store.Delete(ctx, sha)
	}
	if err != nil {
		n.fail(fmt.Sprintf("%s : écrire, relire et effacer un fichier ne va pas : %s", name, publicOr(err)), "Vérifiez les droits (docs/operating/install.md, « Files in a bucket ») et la place.")
		return
	}
	n.ok(name + " : un fichier a été écrit, relu et effacé")
}

// publicOr returns the public message of an error, with the cause if the message says
// little.
func publicOr(err error) string {
	said := errs.Public(err)
	if inner := errors.Unwrap(err); inner != nil && len(said) < longestCause/2 {
		return said + " (" + cause(err) + ")"
	}
	return said
}

// disk is the room on a file system.
type disk struct {
	free        int64  // bytes
	names, left uint64 // inodes, and how many of them are free
}

// room checks the free space on the disk that contains a folder.
func room(n *notes, path string) {
	d, seen := diskOf(path)
	if !seen {
		n.addUnseen("place libre dans " + path + " non vue")
		return
	}
	judgeRoom(n, path, d)
}

// judgeRoom reports whether a file system has enough free space and free inodes.
func judgeRoom(n *notes, path string, d disk) {
	said := fmt.Sprintf("%s : %s libres", path, terminal.Bytes(d.free))
	switch {
	case d.free < roomFail:
		n.fail(said, "Faites de la place : les fichiers seront refusés.")
	case d.free < roomWarn:
		n.warn(said, "Prévoyez de la place.")
	case d.names > 0 && d.left < d.names/fewInodes:
		n.warn(fmt.Sprintf("%s : %d noms de fichiers libres sur %d", path, d.left, d.names), "Ce système de fichiers n’a presque plus d’inodes.")
	default:
		n.ok(said)
	}
}

// checkMachine checks the machine's own folders and programs.
func (p *target) checkMachine(ctx context.Context, n *notes) {
	temporary := os.TempDir()
	if p.environ["TMPDIR"] != "" {
		temporary = p.environ["TMPDIR"]
	}
	p.checkOwnFolder(n, "TMPDIR", temporary)
	if p.workerHere && p.worker.IndexDir != "" {
		p.checkOwnFolder(n, "VIGUEUR_INDEX_DIR", p.worker.IndexDir)
	}
	if most, seen := mostFiles(); seen && most < leastFiles {
		n.warn(fmt.Sprintf("%d fichiers ouverts au plus : chaque flux en prend un", most), fmt.Sprintf("ulimit -n %d, ou LimitNOFILE dans l’unité systemd.", leastFiles))
	}
	p.checkPrograms(ctx, n)
}

// leastFiles is the number of open files below which a process gets a warning. By default,
// systemd allows more to a process that asks for more; a shell allows 1,024.
const leastFiles = 4096

// checkOwnFolder checks a folder that a program writes to.
func (p *target) checkOwnFolder(n *notes, name, path string) {
	file, err := os.CreateTemp(path, ".vigueur-doctor-*")
	if err != nil {
		n.fail(fmt.Sprintf("%s : %s ne peut pas être écrit : %s", name, path, cause(err)), "Faites ce dossier, et donnez-le au compte du service.")
		return
	}
	_ = errors.Join(file.Close(), os.Remove(filepath.Join(path, filepath.Base(file.Name()))))
	room(n, path)
}
