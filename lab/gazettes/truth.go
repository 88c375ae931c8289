// Package gazettes reads what people noted of real gazettes, for those who train the
// cutting of gazettes and those who measure it: the truth about their texts, and the
// lines at which these texts begin.
package gazettes

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// File is one file and its truth.
type File struct {
	Name  string // « congo/jo-2025-26.pdf »
	Issue string // the issue's date, YYYY-MM-DD, "" when it shows none
	Texts []Text
	// Single tells of a file that is described as one text and no more.
	Single bool
	// Learned tells of a file from which the weights that the program carries were learned.
	Learned bool

	sum string // its SHA-256 where it is noted
}

// Text is what a person noted of a text.
type Text struct {
	Type     string `json:"type"`
	Nature   string `json:"nature"` // where it is not the type's own word
	Number   string `json:"number"`
	Date     string `json:"date"` // YYYY-MM-DD
	Title    string `json:"title"`
	Page     int    `json:"page"` // of the file, from 1; 0: not noted
	Articles int    `json:"articles"`
	Kind     string `json:"kind"` // « acte en abrégé », « end only … », « beginning only … »
	// What is no error either.
	TypeAlso     []string `json:"type_also"`
	DateAlso     []string `json:"date_also"`
	ArticlesAlso []int    `json:"articles_also"`
	PageAlso     []int    `json:"page_also"`
	Optional     bool     `json:"optional"` // no error where it is not there
	Unsure       string   `json:"doubt"`    // « count »: the number of articles was not counted for sure
}

// NoLaw tells of a text that is no law: a draft, the decision of a court. It may be there for a person to look at, and
// not without a doubt.
func (t Text) NoLaw() bool { return t.Optional && t.Kind != "" && t.Kind != "acte en abrégé" }

// EndOnly tells of a text that begins before the file.
func (t Text) EndOnly() bool { return strings.HasPrefix(t.Kind, "end only") }

// Source is where a file comes from: its country or union.
func (f File) Source() string {
	source, _, _ := strings.Cut(f.Name, "/")
	return source
}

// Sealed tells of a file into whose faults no person looks: only totals are told
// of the third of the noted files that the hash of their names chooses.
func (f File) Sealed() bool { return !f.Single && sha256.Sum256([]byte(f.Name))[0]%3 == 0 }

// Open tells of a name, relative to its folder, whether people may look into what is cut of
// the file where nothing is noted of it: half of all names, none of them of a sealed file.
func Open(name string) bool {
	rest := sha256.Sum256([]byte(name))[0] % 6
	return rest%3 != 0 && rest != 1 // two of six are sealed
}

// Load reads « groundtruth.json » and « manifest.csv » of a folder of gazettes:
// files whose texts were noted, and files that are described as one text, in the
// order of their names. In a folder without them it looks for the files of further.json.
func Load(dir string) ([]File, error) {
	noted, err := groundTruth(filepath.Join(dir, "groundtruth.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return further(dir)
	}
	if err != nil {
		return nil, err
	}
	described, err := manifest(filepath.Join(dir, "manifest.csv"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // files that operators have reviewed have none
		return nil, err
	}
	for name, f := range described {
		if _, ok := noted[name]; !ok {
			noted[name] = f
		}
	}
	out := make([]File, 0, len(noted))
	for _, f := range noted {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	for i := range out {
		if out[i].Learned, err = learned(filepath.Join(dir, out[i].Name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// learnedFile lists the files from which the weights that the program carries were learned, by the beginnings of their
// hashes. scripts/train segment -learned writes it with new weights.
//
//go:embed learned.txt
var learnedFile string

// learned reports whether the carried weights were learned from a file. A file that is not there was none.
func learned(path string) (bool, error) {
	sum, err := hashOf(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && strings.Contains(learnedFile, sum), err
}

// hashOf returns the beginning of the hash of a file.
func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("a gazette: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// WriteLearned writes the list of the files of a folder of gazettes, which weights were learned from.
func WriteLearned(dir, out string) error {
	files, err := Load(dir)
	if err != nil {
		return err
	}
	var sums []string
	for _, f := range files {
		sum, err := hashOf(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	slices.Sort(sums)
	return os.WriteFile(out, []byte(strings.Join(sums, "\n")+"\n"), 0o644)
}

// furtherFile notes the texts of files of public repositories. Each entry says where its file is from and has its hash;
// the files themselves are not kept.
//
//go:embed further.json
var furtherFile []byte

// further returns the files of furtherFile that a folder has, in the order of their names. Nothing was learned from them.
func further(dir string) ([]File, error) {
	noted, err := noted(furtherFile)
	if err != nil {
		return nil, fmt.Errorf("further.json: %w", err)
	}
	var out []File
	for _, name := range slices.Sorted(maps.Keys(noted)) {
		sum, err := hashOf(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if f := noted[name]; strings.HasPrefix(f.sum, sum) {
			out = append(out, f)
		} else {
			return nil, fmt.Errorf("%s is not the file whose texts were noted", name)
		}
	}
	return out, nil
}

func groundTruth(path string) (map[string]File, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the truth about the gazettes: %w", err)
	}
	out, err := noted(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// noted reads what was noted of files.
func noted(raw []byte) (map[string]File, error) {
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, err
	}
	out := map[string]File{}
	for name, entry := range entries {
		var e struct {
			Date   string
			SHA256 string
			Texts  []Text
		}
		if json.Unmarshal(entry, &e) == nil && e.Texts != nil { // none: a file that holds no law
			out[name] = File{Name: name, Issue: e.Date, Texts: e.Texts, sum: e.SHA256}
		}
	}
	return out, nil
}

// longest is how many pages a file that is one text has at most: longer books hold
// other texts beside it that nobody noted.
const longest = 60

// manifest reads the files that are one text.
func manifest(path string) (map[string]File, error) {
	rows, err := Columns(path, "file", "doc_type", "number", "promulgation_date", "title", "pages")
	if err != nil {
		return nil, err
	}
	out := map[string]File{}
	for _, row := range rows {
		name, kind := row[0], row[1]
		pages, _ := strconv.Atoi(row[5]) // 0 where it is not noted
		if pages > longest || kind == "journal_officiel" {
			continue
		}
		t := Text{Type: nearest(kind), Nature: kind, Number: row[2], Date: row[3], Title: row[4]}
		out[name] = File{Name: name, Texts: []Text{t}, Single: true}
	}
	return out, nil
}

// nearest is the catalogue's kind for a kind of the manifest.
func nearest(kind string) string {
	switch kind {
	case "acte_uniforme", "traite", "reglement", "convention", "loi_organique":
		return string(law.Loi)
	}
	return kind
}
