package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Action is the name of a recorded action in the audit log.
type Action string

// The actions that the audit log records.
const (
	Login            Action = "auth.login"
	Asked            Action = "chat.question"
	SessionEnded     Action = "auth.session_end"
	ResetAsked       Action = "auth.reset_request"
	PasswordReset    Action = "auth.password_reset"
	SignupAsked      Action = "auth.signup_request"
	SignedUp         Action = "auth.signup"
	UserCreated      Action = "user.create"
	UserChanged      Action = "user.update"
	PasswordSet      Action = "user.password"
	UserErased       Action = "user.erase"
	DomainCreated    Action = "domaine.create"
	DomainChanged    Action = "domaine.update"
	FileAdded        Action = "ingestion.create"
	FileRetried      Action = "ingestion.retry"
	FileCancelled    Action = "ingestion.cancel"
	FileResegmented  Action = "ingestion.recut"
	FileEdited       Action = "ingestion.edit"
	EditUndone       Action = "ingestion.undo"
	FileForgotten    Action = "ingestion.delete"
	TextAccepted     Action = "review.accept"
	TextRejected     Action = "review.reject"
	TextRestored     Action = "review.restore"
	TextReopened     Action = "review.reopen"
	TextSuperseded   Action = "document.supersede"
	StatusChanged    Action = "document.status"
	RelationSettled  Action = "relation.settle"
	AmendmentSettled Action = "amendment.settle"
	DocumentChanged  Action = "document.update"
	DocumentDeleted  Action = "document.delete"
	DocumentIndexed  Action = "document.reindex"
	InquiryChanged   Action = "inquiry.update"
	TextNamed        Action = "name.create" // a text got a short name
	TextUnnamed      Action = "name.delete"

	LoginFailed          Action = "auth.failed"  // unknown account or wrong password; the entry names no user
	Refused              Action = "auth.refused" // a route that the account's role does not allow
	RefreshReused        Action = "auth.refresh_reuse"
	RefreshRepeated      Action = "auth.refresh_repeat" // a token was renewed twice, probably because the first reply was lost
	Logout               Action = "auth.logout"
	ConversationExported Action = "conversation.export"
	ConversationShared   Action = "conversation.share"    // its owner made a link to it
	ConversationUnshared Action = "conversation.unshare"  // its owner withdrew the link
	LinkWithdrawn        Action = "conversation.withdraw" // an administrator or the command line withdrew the link
	LinksRead            Action = "conversation.links"    // an administrator read who shares conversations
	AuditExported        Action = "audit.export"
	AuditRead            Action = "audit.read"
	UsersRead            Action = "user.read"
	InquiriesRead        Action = "inquiry.read"
	AnswerExplained      Action = "answer.why"      // an operator read how an answer was made
	FeedbackExported     Action = "feedback.export" // rated questions were exported
	QuestionsRead        Action = "question.read"   // an operator read questions without a sure answer

	KeyCreated Action = "key.create"
	KeyRevoked Action = "key.revoke"
	KeysRead   Action = "key.read"
	KeyCalled  Action = "key.call" // a program sent a request with an API key

	FactorEnabled  Action = "factor.enable"
	FactorDisabled Action = "factor.disable"  // the account's owner removed the second factor
	FactorReset    Action = "factor.reset"    // an administrator or the command line removed the second factor
	CodesRenewed   Action = "factor.codes"    // new recovery codes
	CodeUsed       Action = "factor.recovery" // a recovery code was used instead of an authenticator code

	RetentionRun Action = "retention.run" // data past its retention period was deleted
	UserExported Action = "user.export"   // the account's owner exported the data

	FollowAdded        Action = "follow.create"
	FollowDeleted      Action = "follow.delete"
	AlertMailSet       Action = "alert.mail" // digests by mail were turned on or off
	WebhookCreated     Action = "webhook.create"
	WebhookChanged     Action = "webhook.update" // the owner turned it on or off
	WebhookDeleted     Action = "webhook.delete"
	WebhookDisabled    Action = "webhook.disable" // the service turned it off after days of failures
	WebhookTested      Action = "webhook.test"
	WebhookRedelivered Action = "webhook.redeliver"

	IdentityLinked   Action = "identity.tie"   // an identity provider now opens the account
	IdentityUnlinked Action = "identity.untie" // an administrator or the command line unlinked the provider
)

// Values lists every action, for the contract.
func (Action) Values() (list []string) {
	for _, action := range []Action{Login, SessionEnded, ResetAsked, PasswordReset, SignupAsked, SignedUp, Asked, UserCreated, UserChanged, PasswordSet, UserErased, DomainCreated, DomainChanged, FileAdded, FileRetried,
		FileCancelled, FileForgotten, FileResegmented, FileEdited, EditUndone, TextAccepted, TextRejected, TextRestored, TextReopened, TextSuperseded, StatusChanged, RelationSettled, AmendmentSettled, DocumentChanged,
		DocumentDeleted, DocumentIndexed, InquiryChanged, LoginFailed, Refused, RefreshReused, RefreshRepeated, Logout, ConversationExported, ConversationShared, ConversationUnshared, LinkWithdrawn, LinksRead, AuditExported,
		AuditRead, UsersRead, InquiriesRead, AnswerExplained, FeedbackExported, QuestionsRead, TextNamed, TextUnnamed,
		KeyCreated, KeyRevoked, KeysRead, KeyCalled, FactorEnabled, FactorDisabled, FactorReset, CodesRenewed, CodeUsed, IdentityLinked, IdentityUnlinked, RetentionRun, UserExported,
		FollowAdded, FollowDeleted, AlertMailSet, WebhookCreated, WebhookChanged, WebhookDeleted, WebhookDisabled, WebhookTested, WebhookRedelivered} {
		list = append(list, string(action))
	}
	return list
}

// actor is the context key of the id of the acting account.
type actor struct{}

// By returns a context whose actions the audit log attributes to user. Without it they are
// attributed to the operator's command line.
func By(ctx context.Context, user uuid.UUID) context.Context {
	return context.WithValue(ctx, actor{}, user)
}

// actorOf returns the id of the acting account, nil for the command line.
func actorOf(ctx context.Context) *uuid.UUID {
	if id, ok := ctx.Value(actor{}).(uuid.UUID); ok {
		return &id
	}
	return nil
}

// details are what an entry records about its action: ids, codes, states and field names;
// never personal data, a question or a text.
type details map[string]any

// audit appends an action to the log within the transaction q.
func audit(ctx context.Context, q querier, action Action, object string, d details) error {
	return auditBy(ctx, q, actorOf(ctx), action, object, d)
}

func auditBy(ctx context.Context, q querier, user *uuid.UUID, action Action, object string, d details) error {
	if d == nil {
		d = details{}
	}
	_, err := q.Exec(ctx, `INSERT INTO audit (user_id, action, object, details) VALUES ($1, $2, $3, $4)`, user, action, object, d.withKey(ctx))
	return err
}

// Note adds an audit entry for an event that changes no data: an attempt, a read or a removal. details obey the same rule as
// in every entry: no personal data, no question and no text. Note returns once the entry is committed.
func (db *DB) Note(ctx context.Context, action Action, object string, details map[string]any) error {
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	return classify("note "+string(action), audit(ctx, db.pool, action, object, details))
}

// noteTimeout is how long an entry may take to be committed.
const noteTimeout = 10 * time.Second

// prepareAudit creates the log's partitions for the coming months.
func prepareAudit(ctx context.Context, url string) error {
	db, err := Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.pool.Exec(ctx, `SELECT audit_prepare(24)`)
	return classify("prepare audit", err)
}

// AuditEntry is one entry of the log.
type AuditEntry struct {
	ID      int64
	At      time.Time
	UserID  *uuid.UUID // acting account; nil: the command line
	Email   string     // e-mail address that the account has now; "" without an account
	Action  Action
	Object  string // id or code of the changed object; "" if there is none
	Details json.RawMessage

	Key     *uuid.UUID // API key that the account used; nil if a person acted
	KeyName string     // "" if the key was deleted
}

// AuditQuery filters the log; zero values do not filter.
type AuditQuery struct {
	User   *uuid.UUID
	Action Action
	From   *time.Time // inclusive
	To     *time.Time // exclusive
	Before *time.Time // cursor, exclusive
	Limit  int
}

func (q AuditQuery) where() (string, []any) {
	conditions, args := []string{"true"}, []any{}
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if q.User != nil {
		add("l.user_id = $%d", *q.User)
	}
	if q.Action != "" {
		add("l.action = $%d", q.Action)
	}
	if q.From != nil {
		add("l.at >= $%d", *q.From)
	}
	if q.To != nil {
		add("l.at < $%d", *q.To)
	}
	if q.Before != nil {
		add("l.at < $%d", *q.Before)
	}
	return strings.Join(conditions, " AND "), args
}

// Audit returns one page of the log, newest first, and the value of Before for the next
// page, nil at the end. Entries of the same microsecond stay on one page, which may
// therefore exceed Limit.
func (db *DB) Audit(ctx context.Context, q AuditQuery) (items []AuditEntry, next *time.Time, err error) {
	place, args := q.where()
	args = append(args, q.Limit)
	items, err = collect(ctx, db.pool, pgx.RowToStructByPos[AuditEntry], `SELECT l.id, l.at, l.user_id, coalesce(u.email, ''), l.action, l.object, l.details,
			l.details ->> 'api_key', coalesce(k.name, '')
		FROM audit l LEFT JOIN users u ON u.id = l.user_id LEFT JOIN api_keys k ON k.id::text = l.details ->> 'api_key' WHERE `+place+
		fmt.Sprintf(` ORDER BY l.at DESC FETCH FIRST $%d ROWS WITH TIES`, len(args)), args...)
	if err == nil && len(items) >= q.Limit {
		next = &items[len(items)-1].At
	}
	return items, next, classify("audit", err)
}

// AuditNames returns names for the ids in entries of the audit log, in their objects and in the values of their
// details: the address of an account, the name of a file or an API key, the title of a text. The names are the current
// ones, because the log itself holds none. Ids of deleted rows have no name.
func (db *DB) AuditNames(ctx context.Context, lines []AuditEntry) (map[uuid.UUID]string, error) {
	var ids []uuid.UUID
	add := func(value any) {
		word, _ := value.(string)
		if id, err := uuid.Parse(word); err == nil && len(word) == 36 {
			ids = append(ids, id)
		}
	}
	for _, l := range lines {
		add(l.Object)
		var values map[string]any
		if err := json.Unmarshal(l.Details, &values); err != nil {
			return nil, err
		}
		for _, v := range values {
			add(v)
		}
	}
	names := map[uuid.UUID]string{}
	if len(ids) == 0 {
		return names, nil
	}
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[struct {
		ID   uuid.UUID
		Name string
	}], `SELECT id, email FROM users WHERE id = ANY($1)
		UNION ALL SELECT id, filename FROM ingestions WHERE id = ANY($1)
		UNION ALL SELECT id, title FROM documents WHERE id = ANY($1)
		UNION ALL SELECT id, name FROM api_keys WHERE id = ANY($1)`, ids)
	for _, n := range list {
		names[n.ID] = n.Name
	}
	return names, classify("audit names", err)
}
