-- +goose Up

-- What accounts follow.
CREATE TABLE follows (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind          text NOT NULL CHECK (kind IN ('text', 'article', 'answer', 'search', 'scope')),
    subject       text NOT NULL,                  -- of this kind and for this account only once
    label         text NOT NULL CHECK (length(label) <= 500), -- for people
    document_id   uuid,                           -- of a text or an article
    article_id    uuid,
    message_id    uuid,                           -- of an answer
    words         text NOT NULL DEFAULT '',       -- of a search
    doc_type      text NOT NULL DEFAULT '',       -- of a search or a scope, like the next three; '': any
    nature        text NOT NULL DEFAULT '',
    domaine       text NOT NULL DEFAULT '',
    country       text NOT NULL DEFAULT '',
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (user_id, kind, subject)
);
CREATE INDEX follows_open ON follows (id) WHERE kind IN ('search', 'scope');

-- The texts and articles that a follow is about.
CREATE TABLE follow_targets (
    document_id   uuid NOT NULL,
    follow_id     uuid NOT NULL REFERENCES follows ON DELETE CASCADE,
    article_key   text NOT NULL DEFAULT '',       -- as law.ArticleKey makes it; '': the whole text
    PRIMARY KEY (document_id, follow_id, article_key)
);
CREATE INDEX follow_targets_follow ON follow_targets (follow_id);

-- How far the journal has been compared with what accounts follow: one row.
CREATE TABLE alert_matching (
    id            uuid PRIMARY KEY,
    alone         boolean NOT NULL DEFAULT true UNIQUE CHECK (alone),
    change_id     bigint NOT NULL DEFAULT 0,      -- last change that is done
    follow_id     uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000', -- last follow that was compared with the next one
    state         text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,
    error         text NOT NULL DEFAULT '',
    lease_until   timestamptz NOT NULL DEFAULT '-infinity',
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    updated_at    timestamptz NOT NULL DEFAULT now()
);
INSERT INTO alert_matching (id) VALUES (gen_random_uuid());

-- Messages to the owners of accounts: digests of alerts, and that a webhook was turned off.
CREATE TABLE alert_mails (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind          text NOT NULL CHECK (kind IN ('digest', 'webhook')),
    about         text NOT NULL DEFAULT '',       -- address of the webhook
    stop_hash     bytea NOT NULL,                 -- of the token of the link that ends the digests
    stop_token    text NOT NULL,                  -- emptied once the message is sent
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    error         text NOT NULL DEFAULT '',
    lease_until   timestamptz NOT NULL DEFAULT now(),
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX alert_mails_due ON alert_mails (lease_until) WHERE state IN ('queued', 'running');
CREATE UNIQUE INDEX alert_mails_stop ON alert_mails (stop_hash);
CREATE INDEX alert_mails_user ON alert_mails (user_id);

-- Changes of the law that concern an account, each once, whatever it follows.
CREATE TABLE alerts (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    change_id     bigint NOT NULL REFERENCES law_changes,
    follow_id     uuid NOT NULL REFERENCES follows ON DELETE CASCADE,
    mail_id       uuid REFERENCES alert_mails ON DELETE SET NULL,
    mailed        boolean NOT NULL DEFAULT false, -- in a message, or not to be in one
    at            timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, change_id)
);
CREATE INDEX alerts_newest ON alerts (user_id, id DESC);
CREATE INDEX alerts_unmailed ON alerts (user_id, id) WHERE NOT mailed;
CREATE INDEX alerts_mail ON alerts (mail_id);
CREATE INDEX alerts_follow ON alerts (follow_id);
CREATE INDEX alerts_change ON alerts (change_id);

-- Whether an account is told by mail, and from when the next digest may be sent.
CREATE TABLE alert_settings (
    user_id       uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    mail          boolean NOT NULL DEFAULT true,
    digest_at     timestamptz NOT NULL DEFAULT '-infinity'
);

-- Addresses of other programs that are told of alerts.
CREATE TABLE webhooks (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    url           text NOT NULL CHECK (length(url) <= 2000),
    secret        bytea NOT NULL,                 -- that signs what is sent
    active        boolean NOT NULL DEFAULT true,
    failing_since timestamptz,                    -- of the first failure after the last success
    reason        text NOT NULL DEFAULT '',       -- why the service turned it off
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (user_id, url)
);

-- What is sent to them, a change once.
CREATE TABLE webhook_deliveries (
    id            uuid PRIMARY KEY,
    webhook_id    uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    change_id     bigint REFERENCES law_changes,  -- NULL: a test
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    status        integer,                        -- of the last response
    error         text NOT NULL DEFAULT '',       -- of the last attempt
    took_ms       integer,
    lease_until   timestamptz NOT NULL DEFAULT now(),
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (webhook_id, change_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (lease_until) WHERE state IN ('queued', 'running');
CREATE INDEX webhook_deliveries_change ON webhook_deliveries (change_id);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at DESC);

-- +goose Down
DROP TABLE webhook_deliveries, webhooks, alert_settings, alerts, alert_mails, alert_matching, follow_targets, follows;
