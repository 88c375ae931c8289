-- +goose Up
-- Requests for an appointment from the public page. status is what people have
-- done with one; the other columns from state on are the work of notifying it by
-- e-mail, with the lease columns of every kind of work.
CREATE TABLE inquiries (
    id             uuid PRIMARY KEY,
    company        text NOT NULL CHECK (char_length(company) BETWEEN 2 AND 255),
    contact_name   text NOT NULL CHECK (char_length(contact_name) BETWEEN 2 AND 255),
    email          text NOT NULL CHECK (char_length(email) <= 254),
    phone          text CHECK (char_length(phone) <= 64),
    team_size      text CHECK (team_size IN ('1-10', '11-50', '51-200', '200+')),
    use_case       text NOT NULL CHECK (char_length(use_case) BETWEEN 2 AND 4000),
    preferred_slot text CHECK (char_length(preferred_slot) <= 255),
    address_hash   bytea NOT NULL CHECK (octet_length(address_hash) = 32), -- keyed; never the address itself
    status         text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'read', 'answered', 'closed')),
    created_at     timestamptz NOT NULL UNIQUE, -- distinct, so that it can be a cursor
    updated_at     timestamptz NOT NULL,

    state          text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
    attempt        integer NOT NULL DEFAULT 0,
    attempt_floor  integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    failures       integer NOT NULL DEFAULT 0, -- attempts that failed, for the back-off
    hints          integer NOT NULL DEFAULT 0,
    lease_until    timestamptz NOT NULL,
    not_before     timestamptz NOT NULL DEFAULT now() -- a failed attempt is followed by no other before
);
CREATE INDEX inquiries_due ON inquiries (lease_until) WHERE state IN ('queued', 'running');
CREATE INDEX inquiries_status ON inquiries (status, created_at DESC);

-- What came of each attempt to notify. One that is lost was its worker's last.
CREATE TABLE inquiry_attempts (
    inquiry_id uuid NOT NULL REFERENCES inquiries ON DELETE CASCADE,
    attempt    integer NOT NULL CHECK (attempt > 0),
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome    text NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'sent', 'failed', 'lost', 'released')),
    reason     text NOT NULL DEFAULT '',
    PRIMARY KEY (inquiry_id, attempt)
);

-- +goose Down
DROP TABLE inquiry_attempts, inquiries;
