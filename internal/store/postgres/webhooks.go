package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/journal"
)

const (
	// WebhooksMost is the number of webhooks that an account may have.
	WebhooksMost = 10
	// DeliveryTries is the number of failures after which a delivery is given up.
	DeliveryTries = 10
	// webhookPatience is how long all deliveries to a webhook may fail before it is turned off.
	webhookPatience = 5 * 24 * time.Hour
)

// Webhook is an address of another program that receives an account's alerts.
type Webhook struct {
	ID        uuid.UUID
	URL       string
	Active    bool
	Failing   *time.Time // first failure after the last success; nil: the last delivery went well
	Reason    string     // why the service turned it off, in French
	CreatedAt time.Time
}

const webhookColumns = `w.id, w.url, w.active, w.failing_since, w.reason, w.created_at`

// CreateWebhook adds a webhook and the secret that signs its deliveries. Conflict if the account has the address
// already, or WebhooksMost webhooks.
func (db *DB) CreateWebhook(ctx context.Context, user uuid.UUID, url string, secret []byte) (w Webhook, err error) {
	err = db.inTx(ctx, "create webhook", func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		var n int
		var there bool
		if err := tx.QueryRow(ctx, `SELECT count(*), coalesce(bool_or(url = $2), false) FROM webhooks WHERE user_id = $1`, user, url).Scan(&n, &there); err != nil {
			return err
		}
		switch {
		case there:
			return errs.New(errs.Conflict, "Vous avez déjà un webhook à cette adresse.")
		case n >= WebhooksMost:
			return errs.Newf(errs.Conflict, "Vous avez déjà %d webhooks, autant qu’un compte peut en avoir.", n)
		}
		if w, err = one[Webhook](ctx, tx, `INSERT INTO webhooks AS w (id, user_id, url, secret) VALUES ($1, $2, $3, $4) RETURNING `+webhookColumns, NewID(), user, url, secret); err != nil {
			return err
		}
		return audit(ctx, tx, WebhookCreated, w.ID.String(), nil)
	})
	return w, err
}

// Webhooks lists the webhooks of an account, the oldest first.
func (db *DB) Webhooks(ctx context.Context, user uuid.UUID) ([]Webhook, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Webhook], `SELECT `+webhookColumns+` FROM webhooks w WHERE user_id = $1 ORDER BY id`, user)
	return list, classify("webhooks", err)
}

// SetWebhook turns a webhook of an account on or off. Alerts of the time in which it is off are never delivered.
// NotFound if there is no such webhook.
func (db *DB) SetWebhook(ctx context.Context, user, id uuid.UUID, active bool) (w Webhook, err error) {
	err = db.inTx(ctx, "set webhook "+id.String(), func(tx pgx.Tx) error {
		if w, err = one[Webhook](ctx, tx, `UPDATE webhooks w SET active = $3, failing_since = NULL, reason = '' WHERE id = $1 AND user_id = $2 RETURNING `+webhookColumns, id, user, active); err != nil {
			return errNoWebhook(classify("set webhook", err))
		}
		if !active {
			if err := dropDeliveries(ctx, tx, id, "Le webhook a été éteint."); err != nil {
				return err
			}
		}
		return audit(ctx, tx, WebhookChanged, id.String(), details{"active": active})
	})
	return w, err
}

// dropDeliveries gives up what waits to be delivered to a webhook.
func dropDeliveries(ctx context.Context, tx pgx.Tx, webhook uuid.UUID, why string) error {
	_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET state = 'failed', error = $2, updated_at = now() WHERE webhook_id = $1 AND state = 'queued'`, webhook, why)
	return err
}

// DeleteWebhook deletes a webhook of an account with its deliveries. NotFound if there is no
// such webhook.
func (db *DB) DeleteWebhook(ctx context.Context, user, id uuid.UUID) error {
	return db.inTx(ctx, "delete webhook "+id.String(), func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `DELETE FROM webhooks WHERE id = $1 AND user_id = $2 RETURNING id`, id, user).Scan(new(uuid.UUID)); err != nil {
			return errNoWebhook(classify("delete webhook", err))
		}
		return audit(ctx, tx, WebhookDeleted, id.String(), nil)
	})
}

// Delivery is one message to a webhook.
type Delivery struct {
	ID        uuid.UUID `json:"id"`
	Webhook   uuid.UUID `json:"-"`
	State     string    `json:"state" enum:"queued,running,done,failed"` // queued, running, done, failed
	Test      bool      `json:"test"`
	Kind      string    `json:"kind"` // of the change; "" for a test
	Title     string    `json:"title"`
	Attempt   int       `json:"attempts"`
	Failures  int       `json:"-"`
	Status    *int      `json:"status"`  // of the last response; nil: there was none
	Error     string    `json:"error"`   // of the last attempt, in French
	Took      *int      `json:"took_ms"` // milliseconds of the last attempt
	NextAt    time.Time `json:"-"`
	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// deliveryQuery reads the fields of Delivery.
const deliveryQuery = `SELECT d.id, d.webhook_id, d.state, d.change_id IS NULL, coalesce(c.kind, ''), coalesce(c.title, ''),
	d.attempt, d.failures, d.status, d.error, d.took_ms, greatest(d.not_before, d.created_at), d.created_at, d.updated_at FROM webhook_deliveries d LEFT JOIN law_changes c ON c.id = d.change_id `

// Deliveries lists the newest deliveries to a webhook of an account. NotFound if there is no
// such webhook.
func (db *DB) Deliveries(ctx context.Context, user, webhook uuid.UUID, limit int) (list []Delivery, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT id FROM webhooks WHERE id = $1 AND user_id = $2`, webhook, user).Scan(new(uuid.UUID)); err != nil {
			return errNoWebhook(classify("deliveries", err))
		}
		list, err = collect(ctx, tx, pgx.RowToStructByPos[Delivery], deliveryQuery+`WHERE d.webhook_id = $1 ORDER BY d.created_at DESC, d.id LIMIT $2`, webhook, limit)
		return err
	})
	return list, classify("deliveries", err)
}

// TestWebhook queues a delivery without a change. NotFound if there is no such webhook; Conflict if it is off.
func (db *DB) TestWebhook(ctx context.Context, user, webhook uuid.UUID) (d Delivery, err error) {
	err = db.inTx(ctx, "test webhook "+webhook.String(), func(tx pgx.Tx) error {
		if err := holdActive(ctx, tx, user, webhook); err != nil {
			return err
		}
		id := NewID()
		if _, err := tx.Exec(ctx, `INSERT INTO webhook_deliveries (id, webhook_id) VALUES ($1, $2)`, id, webhook); err != nil {
			return err
		}
		if d, err = one[Delivery](ctx, tx, deliveryQuery+`WHERE d.id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, WebhookTested, webhook.String(), nil)
	})
	return d, err
}

func holdActive(ctx context.Context, tx pgx.Tx, user, webhook uuid.UUID) error {
	var active bool
	if err := tx.QueryRow(ctx, `SELECT active FROM webhooks WHERE id = $1 AND user_id = $2 FOR SHARE`, webhook, user).Scan(&active); err != nil {
		return errNoWebhook(classify("webhook", err))
	}
	if !active {
		return errs.New(errs.Conflict, "Ce webhook est éteint : rallumez-le d’abord.")
	}
	return nil
}

// Redeliver queues an ended delivery again, under the same id. NotFound if there is no such
// delivery; Conflict if it has not ended, or if the webhook is off.
func (db *DB) Redeliver(ctx context.Context, user, webhook, delivery uuid.UUID) (d Delivery, err error) {
	err = db.inTx(ctx, "redeliver "+delivery.String(), func(tx pgx.Tx) error {
		if err := holdActive(ctx, tx, user, webhook); err != nil {
			return err
		}
		if d, err = one[Delivery](ctx, tx, deliveryQuery+`WHERE d.id = $1 AND d.webhook_id = $2 FOR UPDATE OF d`, delivery, webhook); err != nil {
			return err
		}
		if d.State != "done" && d.State != "failed" {
			return errs.New(errs.Conflict, "Cet envoi n’est pas terminé.")
		}
		if _, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET state = 'queued', failures = 0, hints = 0, attempt_floor = attempt, not_before = now(), lease_until = now(), updated_at = now() WHERE id = $1`, delivery); err != nil {
			return err
		}
		if d, err = one[Delivery](ctx, tx, deliveryQuery+`WHERE d.id = $1`, delivery); err != nil {
			return err
		}
		return audit(ctx, tx, WebhookRedelivered, webhook.String(), details{"delivery": delivery})
	})
	return d, err
}

// DueDeliveries selects, of each webhook for which no delivery is under way, the oldest delivery
// that waits, so that changes arrive in their order and no receiver is flooded. A delivery that
// crashed its workers MaxAttempts times is given up.
func (db *DB) DueDeliveries(ctx context.Context, limit int) ([]uuid.UUID, error) {
	if _, err := db.pool.Exec(ctx, `UPDATE webhook_deliveries SET state = 'failed', error = $1, updated_at = now()
		WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor >= $2`, LostText, MaxAttempts); err != nil {
		return nil, classify("give up deliveries", err)
	}
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `WITH first AS (SELECT DISTINCT ON (webhook_id) id, lease_until, not_before FROM webhook_deliveries d
				WHERE state IN ('queued', 'running') ORDER BY webhook_id, state DESC, created_at, id),
			due AS (SELECT d.id FROM webhook_deliveries d JOIN first f USING (id) WHERE f.lease_until < now() AND f.not_before <= now() AND d.state IN ('queued', 'running') AND d.lease_until < now()
				ORDER BY f.lease_until LIMIT $1 FOR NO KEY UPDATE OF d SKIP LOCKED)
		UPDATE webhook_deliveries t SET state = 'queued', hints = hints + 1,
			lease_until = now() + least($2::interval * power(2, least(hints, 10)), interval '1 minute') * (1 - random() / 10)
		FROM due WHERE t.id = due.id RETURNING t.id`, limit, Grace)
	return ids, classify("due deliveries", err)
}

// Shipment is an attempt at a delivery.
type Shipment struct {
	Delivery
	Leased Leased
	URL    string
	Secret []byte
	Change *journal.Change // nil: a test
	Labels []string        // names of the account's follows that the change concerns
}

// deliveryJobs are the deliveries.
var deliveryJobs = &jobs{table: "webhook_deliveries"}

// LeaseDelivery leases a delivery. LeaseLost if another worker holds it, or if it is not due.
func (db *DB) LeaseDelivery(ctx context.Context, id uuid.UUID) (s Shipment, err error) {
	err = db.inTx(ctx, "lease delivery "+id.String(), func(tx pgx.Tx) (err error) {
		if s.Leased, err = deliveryJobs.lease(ctx, db, tx, id); err != nil {
			return err
		}
		var change *int64
		err = tx.QueryRow(ctx, `SELECT d.id, d.webhook_id, d.attempt, d.failures, d.created_at, d.change_id, w.url, w.secret
			FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.active WHERE d.id = $1`, id).
			Scan(&s.ID, &s.Webhook, &s.Attempt, &s.Failures, &s.CreatedAt, &change, &s.URL, &s.Secret)
		if err != nil || change == nil {
			return leaseError("lease delivery", err)
		}
		s.Change = &journal.Change{}
		if err := tx.QueryRow(ctx, `SELECT `+lawChangeColumns+` FROM law_changes c WHERE c.id = $1`, *change).Scan(changeFields(s.Change)...); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT f.label, `+followedArticle+` FROM alerts a JOIN follows f ON f.id = a.follow_id JOIN law_changes c ON c.id = a.change_id
			JOIN webhooks w ON w.user_id = a.user_id WHERE w.id = $1 AND a.change_id = $2`, s.Webhook, *change)
		if err != nil {
			return err
		}
		var label string
		var own *uuid.UUID
		_, err = pgx.ForEachRow(rows, []any{&label, &own}, func() error {
			if s.Labels = append(s.Labels, label); own != nil {
				s.Change.Article = new(*own)
			}
			return nil
		})
		return err
	})
	return s, err
}

// FinishDelivery records that the receiver has accepted the delivery.
func (db *DB) FinishDelivery(ctx context.Context, s Shipment, status int, took time.Duration) error {
	return db.inTx(ctx, "finish delivery "+s.ID.String(), func(tx pgx.Tx) error {
		if err := s.Leased.set(ctx, tx, `state = 'done', attempt_floor = attempt, status = $3, error = '', took_ms = $4`, status, took.Milliseconds()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`, s.Webhook)
		return err
	})
}

// RetryDelivery records that an attempt failed and why, in French. status is nil without a
// response. The next attempt at this delivery, and the first at the others to the webhook,
// follow after the given time. After DeliveryTries failures the delivery is given up. A webhook
// at which all has failed for days is turned off, and its owner gets a message.
func (db *DB) RetryDelivery(ctx context.Context, s Shipment, status *int, why string, took, delay time.Duration) (disabled bool, err error) {
	err = db.inTx(ctx, "retry delivery "+s.ID.String(), func(tx pgx.Tx) error {
		if err := s.Leased.set(ctx, tx, `state = CASE WHEN failures + 1 >= $7 THEN 'failed' ELSE 'queued' END, failures = failures + 1, hints = 0,
				attempt_floor = attempt, status = $3, error = $4, took_ms = $5, not_before = now() + $6::interval, lease_until = now() + $6::interval`,
			status, why, took.Milliseconds(), delay, DeliveryTries); err != nil {
			return err
		}
		var user uuid.UUID
		if err := tx.QueryRow(ctx, `UPDATE webhooks w SET failing_since = coalesce(failing_since, now()),
				active = active AND coalesce(failing_since, now()) > now() - $2::interval,
				reason = CASE WHEN active AND failing_since <= now() - $2::interval THEN $3 ELSE reason END
			FROM (SELECT active AS was FROM webhooks WHERE id = $1) o WHERE w.id = $1 RETURNING o.was AND NOT w.active, w.user_id`, s.Webhook, webhookPatience, why).Scan(&disabled, &user); err != nil {
			return err
		}
		if !disabled {
			_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET not_before = greatest(not_before, now() + $2::interval) WHERE webhook_id = $1 AND state = 'queued'`, s.Webhook, delay)
			return err
		}
		if err := dropDeliveries(ctx, tx, s.Webhook, "Le webhook a été éteint après des jours d’échecs."); err != nil {
			return err
		}
		if err := queueAlertMail(ctx, tx, user, "webhook", s.URL); err != nil {
			return err
		}
		return audit(ctx, tx, WebhookDisabled, s.Webhook.String(), nil)
	})
	return disabled, err
}
