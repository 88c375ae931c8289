package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/catalogue"
)

func versionsOf(ctx context.Context, s *server, text uuid.UUID) ([]catalogue.ArticleVersion, error) {
	list, err := client.Whole[catalogue.ArticleVersion](ctx, s.Client, "/documents/"+text.String()+"/versions")
	return list, catalogued.orAbsent(err, text)
}

// versionsShow runs « versions show ».
func (a *app) versionsShow(ctx context.Context, in *input) error {
	date, source, target := in.text("date"), in.text("from"), in.text("to")
	if date != "" && source+target != "" || (source == "") != (target == "") {
		return usage("Donnez --date, ou --from et --to, ou aucun des trois.")
	}
	if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil { // the others go to the API
		return usage("--date attend une date de la forme AAAA-MM-JJ, pas « %s ».", terminal.Line(date))
	}
	return a.withServer(ctx, func(s *server) error {
		text, err := s.find(ctx, texts, in.args[0])
		if err != nil {
			return err
		}
		article, err := articleNumbered(ctx, s, text, in.args[1])
		if err != nil {
			return err
		}
		path := "/documents/" + text.String() + "/articles/" + article.String()
		if source != "" {
			return a.showDiff(ctx, s, in, path)
		}
		list, err := client.Whole[catalogue.ArticleVersion](ctx, s.Client, path+"/versions")
		if date != "" {
			list = slices.DeleteFunc(list, func(v catalogue.ArticleVersion) bool {
				return value(v.ValidFrom) > date || v.ValidTo != nil && *v.ValidTo <= date
			})
			if err == nil && len(list) == 0 {
				return errs.Newf(errs.NotFound, "L’article %s n’est pas en vigueur le %s.", terminal.Line(in.args[1]), date)
			}
		}
		switch {
		case err != nil:
			return err
		case a.json:
			return writeList(a.out, list, len(list))
		}
		for i, v := range list {
			if i > 0 {
				fmt.Fprintln(a.out)
			}
			if err := a.record(in.shownColumns(), v); err != nil {
				return err
			}
			if !v.Gone {
				fmt.Fprintln(a.out, "\n"+v.Text)
			}
		}
		return nil
	})
}

// articleNumbered returns the article of a text with a number, also one that acts have inserted.
func articleNumbered(ctx context.Context, s *server, text uuid.UUID, number string) (uuid.UUID, error) {
	key := law.ArticleKey(number)
	changed, err := versionsOf(ctx, s, text)
	if err != nil {
		return uuid.Nil, err
	}
	if pos := slices.IndexFunc(changed, func(v catalogue.ArticleVersion) bool { return law.ArticleKey(v.Number) == key }); pos >= 0 {
		return changed[pos].Article, nil
	}
	articles, err := client.Whole[catalogue.ArticleBody](ctx, s.Client, "/documents/"+text.String()+"/articles")
	if err != nil {
		return uuid.Nil, err
	}
	index := slices.IndexFunc(articles, func(a catalogue.ArticleBody) bool {
		return a.Replaces == nil && a.Number != "" && law.ArticleKey(a.Number) == key
	})
	if index < 0 {
		return uuid.Nil, errs.Newf(errs.NotFound, "Le texte n’a pas d’article %s. « ingest documents show %s » donne la liste.", terminal.Line(number), text)
	}
	return articles[index].ID, nil
}

// showDiff prints what changes in an article between two days.
func (a *app) showDiff(ctx context.Context, s *server, in *input, article string) error {
	var view catalogue.ArticleDiffBody
	days := [2]string{in.text("from"), in.text("to")}
	if err := s.Call(ctx, http.MethodGet, article+"/diff", url.Values{"from": {days[0]}, "to": {days[1]}}, nil, &view); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, view)
	}
	for i, v := range []*catalogue.VersionBody{view.From, view.To} {
		fmt.Fprintf(a.out, "%s le %s :\n", [2]string{"Avant,", "Après,"}[i], days[i])
		if v == nil {
			fmt.Fprintln(a.out, "L’article n’est pas en vigueur.")
		} else if err := a.record(in.shownColumns(), v); err != nil {
			return err
		}
		fmt.Fprintln(a.out)
	}
	var b strings.Builder
	for _, p := range view.Parts {
		words := strings.TrimRight(p.Text, " \n")
		rest := p.Text[len(words):]
		switch {
		case words == "" || p.Kind == law.Same:
			b.WriteString(p.Text)
		case p.Kind == law.Removed:
			b.WriteString("[-" + words + "-]" + rest)
		default:
			b.WriteString("{+" + words + "+}" + rest)
		}
	}
	_, err := fmt.Fprintln(a.out, b.String())
	return err
}

// versionsTruth runs « versions truth », whose response is not one JSON value but many.
func (a *app) versionsTruth(ctx context.Context, _ *input) error {
	return a.withServer(ctx, func(s *server) error {
		lines, err := s.Bytes(ctx, "/admin/versions/truth", nil)
		if err == nil {
			err = a.writeData(lines)
		}
		return err
	})
}

// readWords returns the text of a file, or of in for « - », without the blanks around it.
func readWords(r io.Reader, path string) (string, error) {
	read := func() ([]byte, error) { return os.ReadFile(path) }
	if path == "-" {
		read = func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, amend.MaxBytes+1)) }
	}
	words, err := read()
	text, wrong := strings.TrimSpace(string(words)), ""
	switch {
	case err != nil:
		wrong = fmt.Sprintf("ne peut pas être lu : %v", reasonOf(err))
	case text == "":
		wrong = "est vide : pour ne pas appliquer la modification, --reject"
	case len(words) > amend.MaxBytes:
		wrong = fmt.Sprintf("est plus long que %d octets", amend.MaxBytes)
	case terminal.Clean(text) != strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\t", " "):
		wrong = "n’est pas du texte en UTF-8"
	default:
		return text, nil
	}
	return "", usage("« %s » %s.", terminal.Line(path), wrong)
}
