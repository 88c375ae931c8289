package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// reviewed is the maximum length of the lists of these commands.
const reviewed = 10_000

func (a *app) reviewEditionsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "editions", Short: "Liste les textes qu’une meilleure édition a remplacés", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reviewEditions(c.Context(), db) })
		},
	}
}

func (a *app) reviewEditions(ctx context.Context, db *postgres.DB) error {
	list, err := db.AllSuperseded(ctx, reviewed)
	if err != nil {
		return err
	}
	type view struct {
		document
		By uuid.UUID `json:"remplace_par"`
	}
	views := make([]view, len(list))
	t := table{head: []string{"PROMULGATION", "NATURE", "NUMÉRO", "TITRE", "ID", "REMPLACÉ PAR"},
		omit: []string{"NATURE", "PROMULGATION"}}
	var ids []uuid.UUID
	for i, s := range list {
		d := s.Document
		views[i] = view{documentOf(d), s.By.ID}
		ids = append(ids, d.ID, s.By.ID)
		t.add(isoDay(d.Promulgated), law.Kind(d.Type, d.Nature), d.OfficialNumber, d.Title, d.ID, s.By.ID)
	}
	if a.json {
		return writeList(a.out, views, len(views))
	}
	if t.ids, err = a.shortIDs(ctx, db, texts, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Aucun texte n’a été remplacé.")
}

func (a *app) reviewRestoreCommand() *cobra.Command {
	return &cobra.Command{
		Use: "restore ID", Short: "Remet au catalogue un texte remplacé, à côté de l’autre édition", Args: takes(1, 1, "l’identifiant du texte"),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := typedID(texts, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reviewRestore(c.Context(), db, id) })
		},
	}
}

func (a *app) reviewRestore(ctx context.Context, db *postgres.DB, meant typed) error {
	id, err := meant.find(ctx, db)
	if err != nil {
		return err
	}
	d, err := db.Document(ctx, id)
	if errs.Is(err, errs.NotFound) || err == nil && d.SupersededBy == nil {
		return errs.Newf(errs.NotFound, "Aucune édition n’a remplacé de texte %s. « ingest review editions » donne la liste.", id)
	}
	if err != nil {
		return err
	}
	if d, err = db.AcceptText(ctx, d.IngestionID, id, postgres.DocumentChange{}); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, documentOf(d))
	}
	_, err = fmt.Fprintf(a.outcome(), "De nouveau au catalogue : %s (%s).\n", cleanLine(d.Title), d.ID)
	return err
}

func (a *app) reviewRelationsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "relations", Short: "Liste les abrogations et modifications dont la cible est incertaine", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reviewRelations(c.Context(), db) })
		},
	}
}

// relationView is an uncertain relation in JSON.
type relationView struct {
	ID         uuid.UUID        `json:"id"`
	Type       law.RelationKind `json:"type"`
	Document   uuid.UUID        `json:"document_id"`
	Title      string           `json:"title"`
	Article    string           `json:"article"`
	Target     string           `json:"target"`
	Articles   []string         `json:"target_articles"`
	Date       string           `json:"date"`
	Candidates []candidateView  `json:"candidates"`
}

type candidateView struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date"`
}

func (a *app) reviewRelations(ctx context.Context, db *postgres.DB) error {
	list, err := db.UncertainRelations(ctx, reviewed)
	if err != nil {
		return err
	}
	views := make([]relationView, len(list))
	for i, u := range list {
		views[i] = relationOf(u)
	}
	if a.json {
		return writeList(a.out, views, len(views))
	}
	if len(views) == 0 {
		_, err := fmt.Fprintln(a.out, "Aucune relation n’est incertaine.")
		return err
	}
	if err := a.printRelations(ctx, db, views); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s. Régler : ingest review relation ID --target ID_DU_TEXTE, ou --none\n", count(len(views), "relation"))
	return err
}

// printRelations prints uncertain relations, each with the texts that it may mean.
func (a *app) printRelations(ctx context.Context, db *postgres.DB, views []relationView) error {
	var own, candidates []uuid.UUID
	for _, v := range views {
		own = append(own, v.ID)
		for _, c := range v.Candidates {
			candidates = append(candidates, c.ID)
		}
	}
	short, err := a.shortIDs(ctx, db, relations, own...)
	if err != nil {
		return err
	}
	shortTexts, err := a.shortIDs(ctx, db, texts, candidates...)
	if err != nil {
		return err
	}
	for _, v := range views {
		fmt.Fprintln(a.out, shortOf(short, v.ID))
		printField(a.out, 2, "", cleanLine(fmt.Sprintf("%s, article %s", v.Title, v.Article)))
		printField(a.out, 2, "", cleanLine(fmt.Sprintf("%s : %s, le %s", v.Type, v.Target, v.Date)))
		for _, c := range v.Candidates {
			printField(a.out, 4, "", cleanLine(shortOf(shortTexts, c.ID)+"  "+c.Date+"  "+c.Title))
		}
	}
	return nil
}

func relationOf(u postgres.UncertainRelation) relationView {
	r := u.Relation
	v := relationView{ID: r.ID, Type: r.Kind, Document: r.SourceID, Title: u.Title, Article: u.Article, Articles: append([]string{}, r.TargetArticles...),
		Date: isoDay(r.Effective), Candidates: []candidateView{},
		Target: strings.TrimSpace(string(r.TargetType) + " " + r.TargetNumber)}
	if r.TargetNumber == "" {
		v.Target = r.TargetTitle
	}
	if r.TargetDate != nil {
		v.Target += " du " + isoDay(*r.TargetDate)
	}
	if len(r.TargetArticles) > 0 {
		v.Target += ", articles " + strings.Join(r.TargetArticles, ", ")
	}
	for _, c := range u.Candidates {
		v.Candidates = append(v.Candidates, candidateView{c.ID, c.Title, isoDay(c.Date)})
	}
	return v
}

func (a *app) reviewRelationCommand() *cobra.Command {
	var target string
	var none bool
	c := &cobra.Command{
		Use: "relation ID --target ID_DU_TEXTE|--none", Short: "Dit quel texte une relation vise, ou qu’elle n’en vise aucun", Args: takes(1, 1, "l’identifiant de la relation"),
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			relation, err := typedID(relations, args[0])
			if err != nil {
				return err
			}
			if none == (target != "") {
				return usage("Donnez --target ou --none.")
			}
			var meant *typed
			if target != "" {
				id, err := typedID(texts, target)
				if err != nil {
					return err
				}
				meant = &id
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.reviewRelation(c.Context(), db, relation, meant) })
		},
	}
	c.Flags().StringVar(&target, "target", "", "`ID` du texte visé")
	c.Flags().BoolVar(&none, "none", false, "aucun texte du catalogue n’est visé")
	return c
}

func (a *app) reviewRelation(ctx context.Context, db *postgres.DB, meant typed, text *typed) error {
	relation, err := meant.find(ctx, db)
	if err != nil {
		return err
	}
	var target *uuid.UUID
	if text != nil {
		id, err := text.find(ctx, db)
		if err != nil {
			return err
		}
		target = &id
	}
	err = db.SettleRelation(ctx, relation, target)
	if errs.Is(err, errs.NotFound) {
		return relations.absent(relation)
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": relation, "target": target})
	}
	_, err = fmt.Fprintln(a.outcome(), "C’est noté ; les statuts ont suivi.")
	return err
}
