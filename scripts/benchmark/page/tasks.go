package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// asked is a question that the sample answers.
const asked = "Quel est le préavis d’un cadre ?"

// signupDomain is that of addresses that may open accounts, editor who mends the catalogue.
const signupDomain, editor = "inscrits.example", "editrice@exemple.org"

// hand does what a person does, and counts it: clicks, keys of what is typed or pressed, and how often what is clicked has
// to be scrolled to.
type hand struct {
	*browser.Tab
	clicks, keys, scrolls int
}

// unseen is an expression: whether an element is out of the window.
const unseen = `(() => { const e = %s, r = e.getBoundingClientRect(); return r.bottom < 0 || r.top > innerHeight || r.right < 0 || r.left > innerWidth })()`

func (h *hand) on(element string) error {
	if err := h.Await(element); err != nil {
		return err
	}
	far, err := browser.Eval[bool](h.Tab, fmt.Sprintf(unseen, element))
	if far {
		h.scrolls++
	}
	h.clicks++
	return err
}

func (h *hand) Click(selector string) error {
	return inOrder(func() error { return h.on(`document.querySelector(` + quoted(selector) + `)`) }, func() error { return h.Tab.Click(selector) })
}

func (h *hand) Press(name string) error {
	return inOrder(func() error { return h.on(browser.Named(name)) }, func() error { return h.Tab.Press(name) })
}

func (h *hand) Choose(selector, value string) error { // opened, and picked
	h.clicks++
	return inOrder(func() error { return h.on(`document.querySelector(` + quoted(selector) + `)`) }, func() error { return h.Tab.Choose(selector, value) })
}

func (h *hand) Type(selector, text string) error {
	focused, err := browser.Eval[bool](h.Tab, `!!document.activeElement?.matches(`+quoted(selector)+`)`)
	if err != nil {
		return err
	}
	if !focused {
		if err := h.on(`document.querySelector(` + quoted(selector) + `)`); err != nil {
			return err
		}
	}
	h.keys += len([]rune(text))
	return h.Tab.Type(selector, text)
}

func (h *hand) Enter() error {
	h.keys++
	return h.Key("\r")
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// errand is something that people come for: who, from which screen.
type errand struct {
	name, who, path string
	do              func(h *hand) error
}

const reader = "reader"

// errands are those of a citizen and of an operator. turn is different for each device.
func (v *visit) errands(ctx context.Context, turn string) []errand {
	leaving, newcomer := "adieu-"+turn+"@exemple.org", "noe-"+turn+"@"+signupDomain
	answered := func(h *hand) error {
		return inOrder(func() error { return h.Type("#question", asked) }, h.Enter, func() error { return h.Await(ended) })
	}
	return []errand{
		{"ask_and_open_the_source", "", "/", func(h *hand) error {
			return inOrder(func() error { return h.Type("#guest-question", asked) }, h.Enter, func() error { return h.Await(ended) },
				func() error { return h.Click(".answer .cite") }, func() error { return h.Has(".source blockquote mark") })
		}},
		{"refine_the_country", reader, "/", func(h *hand) error {
			return inOrder(func() error { return answered(h) }, func() error { return h.Choose(".composer .country select", "bj") }, func() error { return h.See("le droit de ce pays") },
				func() error { return h.Press("Reposer") }, func() error { return h.Await(`document.querySelectorAll(".answer").length === 2 && ` + ended) },
				func() error { return h.See("Droit demandé : Bénin") })
		}},
		{"copy_a_quotation", reader, "/", func(h *hand) error {
			return inOrder(func() error { return answered(h) }, func() error { return h.Click(".answer .cite") }, func() error { return h.Press("Copier la citation") }, func() error { return h.See("Citation copiée") })
		}},
		{"export", reader, "/", func(h *hand) error {
			return inOrder(func() error { return answered(h) }, func() error { return h.Press("Garder") }, func() error { return h.Press("Exporter pour Word") },
				func() error {
					return h.Await(`performance.getEntriesByType("resource").some((e) => e.name.includes("/export") && e.responseEnd > 0)`)
				})
		}},
		{"sign_up", "", "/", func(h *hand) error {
			return inOrder(func() error { return h.Press("Se connecter") }, func() error { return h.Press("Demandez-en un.") }, func() error { return h.Type("[name=email]", newcomer) },
				func() error { return h.Type("[name=full_name]", "Noé Lancel") }, h.Enter, func() error { return h.See("Regardez vos messages") },
				func() error {
					link, err := v.linkTo(ctx, newcomer)
					if err != nil {
						return err
					}
					h.clicks++
					return h.Open(link)
				},
				func() error { return h.Type("[name=password]", "marée haute sur le port") }, func() error { return h.Type("[name=again]", "marée haute sur le port") }, h.Enter, func() error { return h.Has("#question") })
		}},
		{"delete_the_account", leaving, "/", func(h *hand) error {
			_, password := v.stage.Account()
			return inOrder(func() error { return h.Press("Compte") }, func() error { return h.Press("Supprimer mon compte") }, func() error { return h.Type("form:has(button.danger) [name=password]", password) }, h.Enter,
				func() error { return h.See("Votre compte est supprimé.") })
		}},
		{"find_an_article", reader, "/", func(h *hand) error {
			return inOrder(func() error { return h.Press("Textes") }, func() error { return h.Type("#find-text", "article 36 du code du travail") },
				func() error {
					return h.Await(`document.querySelector(".texts li a")?.textContent.includes("Article 36")`)
				}, func() error { return h.Click(".texts li a") }, func() error {
					return h.Await(`document.querySelector(".law-text") && location.search.includes("article=")`)
				})
		}},
		{"add_a_file", editor, "/", func(h *hand) error {
			name := "sel-" + turn + ".pdf"
			path, err := draw(v.stage, name, turn)
			if err != nil {
				return err
			}
			h.clicks += 2 // the button, and the file
			return inOrder(func() error { return h.Press("Administration") }, func() error { return h.Has("input[type=file]") }, func() error { return h.Upload("input[type=file]", path) },
				func() error {
					return h.Await(`[...document.querySelectorAll(".file.review, .file.done")].some((f) => f.textContent.includes("` + name + `"))`)
				})
		}},
		{"settle_a_doubt", editor, "/", func(h *hand) error { // of the file that was added
			return inOrder(func() error { return h.Press("Administration") }, func() error { return h.Press("sel-" + turn + ".pdf") }, func() error { return h.Await(`document.activeElement.name === "date_promulgation"`) },
				func() error {
					h.keys += 8
					return h.Fill("document.activeElement", "2024-06-03")
				},
				func() error {
					for range 10 {
						more, err := browser.Eval[bool](h.Tab, `!document.body.innerText.includes("entre au catalogue") && !!document.querySelector(".review-form")`)
						if err != nil || !more {
							return err
						}
						if err := h.Enter(); err != nil {
							return err
						}
						if err := h.Await(`!document.querySelector(".review-form [aria-disabled=true]")`); err != nil {
							return err
						}
					}
					return nil
				}, func() error { return h.See("Le texte entre au catalogue") })
		}},
		{"correct_a_country", editor, "/", func(h *hand) error {
			return inOrder(func() error { return h.Open("/textes?q=sel+gris+" + turn) }, func() error { return h.Click(".texts li a") }, // where it is seen
				func() error { return h.Choose("main select[name=pays]", "tg") }, func() error { return h.Press("Enregistrer le pays") }, func() error { return h.See("Le pays est corrigé.") })
		}},
	}
}

// tasks takes each errand on a phone and on a desk, and prints what it takes.
func (v *visit) tasks(ctx context.Context, r *report.Report) error {
	fmt.Printf("%-28s %20s %20s\n%-28s %20s %20s\n", "", "360 px", "1280 px", "", "clicks keys scrolls s", "clicks keys scrolls s")
	rows := map[string]string{}
	for _, d := range []device{devices[0], devices[2]} {
		if err := v.stage.AddUser(ctx, "adieu-"+d.name+"@exemple.org", "user"); err != nil {
			return err
		}
		var clicks, keys float64
		var took time.Duration
		for _, e := range v.errands(ctx, d.name) {
			h, spent, err := v.take(e, d)
			if err != nil {
				return fmt.Errorf("%s at %s: %w", e.name, d.name, err)
			}
			rows[e.name] += fmt.Sprintf(" %6d %4d %7d %4.1f", h.clicks, h.keys, h.scrolls, spent.Seconds())
			clicks, keys, took = clicks+float64(h.clicks), keys+float64(h.keys), took+spent
		}
		r.Figure("tasks_clicks_"+d.name, clicks, "of the ten tasks")
		r.Figure("tasks_keys_"+d.name, keys, "")
		r.Figure("tasks_s_"+d.name, took.Seconds(), "s, of a hand that never waits")
		r.Goal("tasks_clicks_"+d.name, report.AtMost, 50)
		r.Goal("tasks_s_"+d.name, report.AtMost, 60)
	}
	for _, e := range v.errands(ctx, "") { // in their order
		fmt.Printf("%-28s%s\n", e.name, rows[e.name])
	}
	return nil
}

// take takes an errand, from a screen that is open and known.
func (v *visit) take(e errand, d device) (h hand, spent time.Duration, err error) {
	tab, err := v.chrome.Tab(v.url)
	if err != nil {
		return h, 0, err
	}
	defer tab.Close()
	who, password := v.stage.Account()
	if e.who != reader {
		who = e.who
	}
	// A browser without a window may not write to the clipboard.
	err = inOrder(func() error { return tab.Size(d.width, d.height) }, func() error {
		return tab.Before(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } })`)
	})
	if err == nil && who != "" {
		err = inOrder(func() error { return tab.Open("/connexion") }, func() error { return tab.Type("input[name=email]", who) },
			func() error { return tab.Type("input[name=password]", password) }, func() error { return tab.Key("\r") }, func() error { return tab.Has("#question") }, func() error {
				_, err := browser.Eval[any](tab, byQuotations)
				return err
			})
	}
	if err == nil {
		err = inOrder(func() error { return tab.Open(e.path) }, func() error {
			return tab.Await(`document.querySelector("#question, #guest-question")?.checkVisibility({ visibilityProperty: true })`)
		})
	}
	if err != nil {
		return h, 0, err
	}
	h.Tab = tab
	begun := time.Now()
	err = e.do(&h)
	spent = time.Since(begun)
	if err == nil && v.pictures != "" {
		err = tab.Seen(filepath.Join(v.pictures, e.name+"-"+d.name+".png"))
	}
	return h, spent, err
}

// linkTo waits for the message that confirms an address, and gives the path of its link.
func (v *visit) linkTo(ctx context.Context, address string) (path string, err error) {
	link := regexp.MustCompile(`/inscription#jeton=\S+`)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		letters, err := filepath.Glob(filepath.Join(v.stage.Dir, "mail", "*.eml"))
		if err != nil {
			return "", err
		}
		for _, letter := range letters {
			raw, err := os.ReadFile(letter)
			if err != nil {
				return "", err
			}
			words, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(raw)))
			if found := link.Find(words); err == nil && found != nil && bytes.Contains(raw, []byte(address)) {
				tick.Stop()
				return string(found), nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return "", fmt.Errorf("no message to %s: %w", address, ctx.Err())
		}
	}
}

// draw draws a gazette with a decree that does not tell its day.
func draw(s *stage.Stage, name, about string) (path string, err error) {
	pdf := fpdf.New("P", "mm", "A4", "")
	latin := pdf.UnicodeTranslatorFromDescriptor("")
	pdf.AddPage()
	for i, words := range []string{"Journal officiel de la République d’Astrevalle", "Décrets", "Décret n° 2024-9" + about + " fixant le prix du sel gris " + about, "Le Premier ministre,", "Vu la Constitution,", "Décrète :",
		"Article 1er. — Le prix du sel gris est fixé à douze écus le kilogramme.", "Article 2. — Le ministre chargé du commerce est chargé de l’exécution du présent décret."} {
		style, align := "", "L"
		if i < 3 {
			style, align = "B", "C"
		}
		pdf.SetFont("Times", style, 12)
		pdf.MultiCell(0, 6, latin(words), "", align, false)
		pdf.Ln(2)
	}
	path = filepath.Join(s.Dir, name)
	return path, pdf.OutputFileAndClose(path)
}
