package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/lab/gazettes"
	"vigueur/lab/readpages"
)

// counting is what the numbers of articles tell of how files were cut, without any truth.
type counting struct {
	files, unreadable int
	texts, articles   int // articles with a number
	faulty            int // texts with a number that is skipped or does not follow
	skipped, standing int // numbers left out; of these, such that the article before has a line that begins as their head
	elsewhere         int // of the skipped: in another part of the text
	outside           int // or only outside it, as what another text counts may
	odd               map[oddity]int
	told              []string // of each: where it is
}

func (c *counting) add(o counting) {
	c.files, c.unreadable = c.files+o.files, c.unreadable+o.unreadable
	c.texts, c.articles, c.faulty = c.texts+o.texts, c.articles+o.articles, c.faulty+o.faulty
	c.skipped, c.standing = c.skipped+o.skipped, c.standing+o.standing
	c.elsewhere, c.outside = c.elsewhere+o.elsewhere, c.outside+o.outside
	for why, n := range o.odd {
		c.note(why, n)
	}
}

func (c *counting) note(why oddity, n int) {
	if c.odd == nil {
		c.odd = map[oddity]int{}
	}
	c.odd[why] += n
}

func (c counting) String() string {
	s := fmt.Sprintf("%d texts, %d articles; %d texts out of count: %d skipped (%d stand in the article before, %d elsewhere in the text, %d outside it)",
		c.texts, c.articles, c.faulty, c.skipped, c.standing, c.elsewhere, c.outside)
	for _, why := range oddities() {
		s += fmt.Sprintf(", %d %s", c.odd[why], why)
	}
	return s
}

func (c counting) figures() map[string]int {
	f := map[string]int{"files": c.files, "unreadable": c.unreadable, "texts": c.texts, "articles": c.articles,
		"texts_out_of_count": c.faulty, "skipped": c.skipped, "standing": c.standing, "elsewhere": c.elsewhere, "outside": c.outside}
	for _, why := range oddities() {
		f[strings.ReplaceAll(string(why), " ", "_")] = c.odd[why]
	}
	return f
}

// count counts the articles of the texts of a file.
func count(issue gazette.Issue) counting {
	c := counting{files: 1, texts: len(issue.Texts)}
	for t, x := range issue.Texts {
		numbers := make([]string, len(x.Articles))
		for i, a := range x.Articles {
			if numbers[i] = a.Number; a.Number != "" {
				c.articles++
			}
		}
		o := follow(numbers)
		if len(o.skipped)+len(o.odd) > 0 {
			c.faulty++
		}
		c.skipped += len(o.skipped)
		for _, g := range o.skipped {
			c.seek(issue, t, g)
		}
		for _, odd := range o.odd {
			c.note(odd.why, 1)
			a := x.Articles[odd.article]
			c.told = append(c.told, fmt.Sprintf("text %d, p%d %q: %s", t+1, a.Page, a.Number, odd.why))
		}
	}
	return c
}

// seek looks for the head of a number that text t of a file skips, and tells where it is.
func (c *counting) seek(issue gazette.Issue, t int, g gap) {
	var before, inside, outside string // the first such line in each
	for _, l := range issue.Lines {
		if !headed(l.Text, g.number) {
			continue
		}
		place := &outside
		switch {
		case l.TextIndex == t && l.Article >= g.after && l.Article < g.before:
			place = &before
		case l.TextIndex == t:
			place = &inside
		}
		if *place == "" {
			*place = fmt.Sprintf(", p%d %s « %s »", l.Page, l.Label, short(l.Text))
		}
	}
	where := "nowhere"
	switch {
	case before != "":
		c.standing++
		where = "in the article before" + before
	case inside != "":
		c.elsewhere++
		where = "elsewhere in the text" + inside
	case outside != "":
		c.outside++
		where = "outside the text" + outside
	}
	articles := issue.Texts[t].Articles
	c.told = append(c.told, fmt.Sprintf("text %d skips %s before p%d %q: %s", t+1, g.number, articles[g.before].Page, articles[g.before].Number, where))
}

// What a line begins with that is, or was, the head of an article. It reads more than the
// cutting does: a slip in the word, signs that are lost or too many.
var (
	headLike  = law.Pattern(`^A(?i:rt(?:[a-z1]{3}e)?s?)(?: |[.:,]|~)*(?:[nN] ?[°ºo] ?)?(?:\((?i:nouveau)\) ?)?((?:[LRDA][. *]{0,3})?\d+(?: ?(?:er|ER|e|ème)\b)?(?:(?: ?~ ?|\.)\d+)*(?: ?(?i:` + law.SuffixWords + `)\b)?|(?i:premier|premi[eè]re|unique)\b|[IVXLC]+\b)`)
	blankDash = law.Pattern(`(?: ~ ?| ?~ ).*$`)
)

// headed reports whether a printed line begins as the head of that article does.
func headed(line string, n number) bool {
	m := headLike.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for _, printed := range []string{m[1], blankDash.ReplaceAllString(m[1], "")} { // « Art. 3 - 2 personnes »
		if read, ok := read(law.ArticleNumber(printed)); ok && read.String() == n.String() {
			return true
		}
	}
	return false
}

// halves are the two parts of a folder: into one people may look, of the other only totals
// are told.
type halves struct{ open, closed counting }

// count reads and cuts every PDF file of a folder and counts the articles.
func (o options) count(ctx context.Context, dir string) error {
	r := &readpages.Reader{Cache: o.cache, Reading: readpages.Tell}
	defer r.Close()
	var h halves
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(name), ".pdf") || !strings.HasPrefix(name, o.only) {
			return err
		}
		issue, _, err := r.Issue(ctx, filepath.Join(dir, name))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c := counting{files: 1, unreadable: 1} // damaged files are among those that one is given
		if err == nil {
			c = count(issue)
		}
		h.add(name, c, o.details)
		return nil
	})
	if err != nil {
		return fmt.Errorf("count the articles of %s: %w", dir, err)
	}
	fmt.Printf("open half: %d files, %d cannot be read, %s\n", h.open.files, h.open.unreadable, h.open)
	fmt.Printf("other half: %d files, %d cannot be read, %s\n", h.closed.files, h.closed.unreadable, h.closed)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"eval": "gazette counts", "figures": map[string]any{"open": h.open.figures(), "other": h.closed.figures()}})
}

// add adds what came of a file, and tells it where people may look into the file.
func (h *halves) add(name string, c counting, details bool) {
	if !gazettes.Open(name) {
		h.closed.add(c)
		return
	}
	h.open.add(c)
	if c.unreadable > 0 {
		fmt.Printf("%s: cannot be read\n", name)
		return
	}
	fmt.Printf("%s: %s\n", name, c)
	for _, line := range c.told {
		if details {
			fmt.Println("   " + line)
		}
	}
}
