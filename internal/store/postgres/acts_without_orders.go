package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// withoutOrders is the SQL condition that a person said of the act act_id of the rows w that it orders nothing.
const withoutOrders = `EXISTS (SELECT FROM acts_without_orders x WHERE x.act_id = w.act_id)`

// UndecidedAct is an act with passages that wait and that nobody can decide one by one, because the text or the article
// that they change is unknown; or one of which a person said that it orders nothing.
type UndecidedAct struct {
	Act      law.Document
	Passages int
	First    string // words of the first passage
}

// UndecidedActs returns one page of the acts with passages that nobody can decide one by one, those with the most first, and the
// number of all; without, those that a person has said to order nothing, the last one first.
func (db *DB) UndecidedActs(ctx context.Context, without bool, page, size int) (list []UndecidedAct, total int, err error) {
	from := ` FROM (SELECT w.act_id, count(DISTINCT w.ordinal) AS passages, (array_agg(o.words ORDER BY w.ordinal))[1] AS first, now() AS settled_at` +
		waitingTables + ` WHERE NOT ` + decidable + ` AND ` + known + ` AND NOT ` + withoutOrders + ` GROUP BY w.act_id) w JOIN documents d ON d.id = w.act_id AND NOT d.in_review`
	if without {
		from = ` FROM (SELECT act_id, 0 AS passages, '' AS first, settled_at FROM acts_without_orders) w JOIN documents d ON d.id = w.act_id AND NOT d.in_review`
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+from).Scan(&total); err != nil {
			return err
		}
		list, err = collect(ctx, tx, func(r pgx.CollectableRow) (u UndecidedAct, err error) {
			return u, r.Scan(&u.Act.ID, &u.Act.Title, &u.Act.Promulgated, &u.Passages, &u.First)
		}, `SELECT d.id, d.title, d.promulgated_on, w.passages, w.first`+from+` ORDER BY w.passages DESC, w.settled_at DESC, d.promulgated_on DESC, d.id LIMIT $1 OFFSET $2`,
			size, int64(page-1)*int64(size))
		return err
	})
	return list, total, classify("acts whose passages nobody can decide", err)
}

// SetWithoutOrders records that a person said of an act that none of its passages orders a change, or takes that back. The
// act is read again by the follower of the versions; until then what waits of it is not shown. NotFound if there is no such
// text, or nothing to take back.
func (db *DB) SetWithoutOrders(ctx context.Context, act uuid.UUID, without bool) error {
	return db.inTx(ctx, "act without orders "+act.String(), func(tx pgx.Tx) error {
		change := `DELETE FROM acts_without_orders WHERE act_id = $1`
		if without {
			change = `INSERT INTO acts_without_orders (act_id) SELECT id FROM documents WHERE id = $1 AND NOT in_review
				ON CONFLICT (act_id) DO UPDATE SET settled_at = acts_without_orders.settled_at`
		}
		if err := execOne(ctx, tx, errs.New(errs.NotFound, "Aucun texte n’a cet identifiant."), change, act); err != nil {
			return err
		}
		decision := "no_orders"
		if !without {
			decision = "undo"
		}
		if err := audit(ctx, tx, AmendmentSettled, act.String(), details{"act": act, "decision": decision}); err != nil {
			return err
		}
		return announce(ctx, tx, []uuid.UUID{act})
	})
}

// isWithoutOrders reports whether a person said of an act that it orders nothing.
func isWithoutOrders(ctx context.Context, tx pgx.Tx, act uuid.UUID) (without bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM acts_without_orders WHERE act_id = $1)`, act).Scan(&without)
	return without, err
}

// ToldAct is an act of which persons have said what it orders.
type ToldAct struct {
	Act
	Without  bool       // it orders nothing
	Accepted []Evidence // instructions whose wording a person accepted or wrote
}

// ToldActs calls yield with each act of the catalogue of which persons have said what it orders.
func (db *DB) ToldActs(ctx context.Context, yield func(ToldAct) error) error {
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT act_id FROM acts_without_orders
		UNION SELECT act_id FROM amendment_settlements WHERE decision <> 'reject' ORDER BY 1`)
	if err != nil {
		return classify("told acts", err)
	}
	for _, id := range ids {
		var told ToldAct
		there := false
		err := db.snapshot(ctx, func(tx pgx.Tx) (err error) {
			if told.Act, there, err = readAct(ctx, tx, id); err != nil || !there {
				return err
			}
			if told.Without, err = isWithoutOrders(ctx, tx, id); err != nil || told.Without {
				return err
			}
			told.Accepted, err = collect(ctx, tx, func(r pgx.CollectableRow) (e Evidence, err error) {
				return e, r.Scan(&e.Article, &e.Words)
			}, `SELECT DISTINCT o.article_id, o.words FROM amendment_settlements s JOIN amendment_operations o ON o.act_id = s.act_id AND o.target_id = s.target_id
					AND o.operation->>'Article' = s.article WHERE s.act_id = $1 AND s.decision <> 'reject'`, id)
			return err
		})
		if err != nil {
			return classify("told act "+id.String(), err)
		}
		if there {
			if err := yield(told); err != nil {
				return err
			}
		}
	}
	return nil
}
