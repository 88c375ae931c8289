-- +goose Up
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- +goose StatementBegin
-- unaccent() is only STABLE because its dictionary could be changed; this form
-- names the dictionary, so that an index may use it.
CREATE FUNCTION fold(text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    AS $$ SELECT lower(public.unaccent('public.unaccent', $1)) $$;
-- +goose StatementEnd

CREATE TABLE users (
    id            uuid PRIMARY KEY,
    email         text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    full_name     text NOT NULL,
    role          text NOT NULL CHECK (role IN ('user', 'editor', 'admin')),
    active        boolean NOT NULL DEFAULT true,
    password_hash text NOT NULL,
    token_version integer NOT NULL DEFAULT 1,
    created_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (email)
);

-- A family is one sign-in; each refresh replaces the token within it.
CREATE TABLE refresh_tokens (
    token_hash bytea PRIMARY KEY,
    family     uuid NOT NULL,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);

CREATE TABLE domaines (
    code        text PRIMARY KEY CHECK (code ~ '^[a-z0-9_-]{2,40}$'),
    label       text NOT NULL,
    description text NOT NULL DEFAULT '',
    active      boolean NOT NULL DEFAULT true,
    position    integer NOT NULL
);
INSERT INTO domaines (code, label, description, position) VALUES
    ('travail', 'Travail', 'Contrats de travail, salaires, congés, licenciement, sécurité sociale', 1),
    ('impots', 'Impôts', 'Lois de finances, impôts directs et indirects, procédures fiscales', 2),
    ('douanes', 'Douanes', 'Tarifs, régimes et procédures douanières', 3),
    ('civil', 'Civil', 'Personnes, famille, obligations, procédure civile', 4),
    ('penal', 'Pénal', 'Infractions, peines, procédure pénale', 5),
    ('foncier', 'Foncier', 'Propriété, domaine public, urbanisme, cadastre', 6),
    ('autre', 'Autre', 'Textes qui ne relèvent d’aucun des domaines précédents', 99);

-- One row a gazette file. The lease columns are those of every kind of work:
-- a worker takes the row by raising attempt, and names it in every write.
CREATE TABLE ingestions (
    id           uuid PRIMARY KEY,
    sha256       text NOT NULL UNIQUE CHECK (length(sha256) = 64),
    filename     text NOT NULL,
    size         bigint NOT NULL,
    metadata     jsonb NOT NULL DEFAULT '{}',
    state        text NOT NULL DEFAULT 'queued'
                 CHECK (state IN ('queued', 'running', 'review', 'done', 'failed', 'cancelled')),
    stage        text NOT NULL DEFAULT 'queued'
                 CHECK (stage IN ('queued', 'pages', 'texts', 'save', 'index', 'done')),
    pages_done   integer NOT NULL DEFAULT 0,
    pages_total  integer NOT NULL DEFAULT 0,
    error        text NOT NULL DEFAULT '',
    attempt      integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0, -- attempts are counted from here
    hints        integer NOT NULL DEFAULT 0,
    lease_until  timestamptz NOT NULL,
    cancel_requested boolean NOT NULL DEFAULT false,
    created_by   uuid REFERENCES users ON DELETE SET NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ingestions_due ON ingestions (lease_until) WHERE state IN ('queued', 'running');
CREATE INDEX ingestions_newest ON ingestions (created_at DESC, id DESC);

-- Pages read so far: the checkpoint that makes a kill cheap.
CREATE TABLE ingestion_pages (
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    number       integer NOT NULL CHECK (number > 0),
    source       text NOT NULL CHECK (source IN ('layer', 'ocr', 'none')),
    content      bytea NOT NULL,
    PRIMARY KEY (ingestion_id, number)
);

CREATE TABLE documents (
    id              uuid PRIMARY KEY,
    ingestion_id    uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    position        integer NOT NULL,
    title           text NOT NULL,
    doc_type        text NOT NULL
                    CHECK (doc_type IN ('loi', 'decret', 'arrete', 'circulaire', 'code', 'constitution')),
    domaine         text NOT NULL REFERENCES domaines (code) ON UPDATE CASCADE,
    numero_officiel text NOT NULL DEFAULT '',
    promulgated_on  date NOT NULL,
    in_force_on     date NOT NULL,
    statut          text NOT NULL DEFAULT 'en_vigueur'
                    CHECK (statut IN ('en_vigueur', 'abroge', 'modifie')),
    repealed_by     uuid REFERENCES documents ON DELETE SET NULL,
    repealed_on     date,
    first_page      integer NOT NULL,
    last_page       integer NOT NULL,
    passages_count  integer NOT NULL DEFAULT 0,
    doubts          jsonb NOT NULL DEFAULT '[]',
    in_review       boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (ingestion_id, position)
);
CREATE INDEX documents_newest ON documents (promulgated_on DESC, id) WHERE NOT in_review;
CREATE INDEX documents_title ON documents USING gin (fold(title) gin_trgm_ops) WHERE NOT in_review;
CREATE INDEX documents_number ON documents (lower(numero_officiel));
CREATE INDEX documents_domaine ON documents (domaine);
CREATE INDEX documents_repealed_by ON documents (repealed_by);

CREATE TABLE articles (
    id          uuid PRIMARY KEY,
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    position    integer NOT NULL,
    number      text NOT NULL,
    path        text[] NOT NULL DEFAULT '{}',
    heading     text NOT NULL DEFAULT '',
    page        integer NOT NULL,
    body        text NOT NULL,
    spans       jsonb NOT NULL DEFAULT '[]',
    valid_from  date,
    valid_to    date,
    UNIQUE (document_id, position)
);

CREATE TABLE passages (
    id          uuid PRIMARY KEY,
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    article_id  uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
    position    integer NOT NULL,
    page        integer NOT NULL,
    body        text NOT NULL,
    spans       jsonb NOT NULL DEFAULT '[]',
    UNIQUE (document_id, position)
);
CREATE INDEX passages_article ON passages (article_id);

CREATE TABLE relations (
    id              uuid PRIMARY KEY,
    source_id       uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    source_article  uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
    kind            text NOT NULL CHECK (kind IN ('abroge', 'modifie')),
    target_type     text NOT NULL DEFAULT '',
    target_number   text NOT NULL DEFAULT '',
    target_title    text NOT NULL DEFAULT '',
    target_articles text[] NOT NULL DEFAULT '{}',
    effective_on    date NOT NULL
);
CREATE INDEX relations_source ON relations (source_id);
CREATE INDEX relations_number ON relations (lower(target_number));

-- What a relation changes, once it is known: one text, or the same text as
-- several files have it.
CREATE TABLE relation_targets (
    relation_id uuid NOT NULL REFERENCES relations ON DELETE CASCADE,
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    PRIMARY KEY (relation_id, document_id)
);
CREATE INDEX relation_targets_document ON relation_targets (document_id);

-- The version that followers of the catalogue compare with their own: each
-- change to what is searched takes the next number and says it aloud.
CREATE TABLE catalogue_changes (
    version     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id uuid NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE conversations (
    id              uuid PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    title           text NOT NULL CHECK (title <> ''),
    domaine         text,
    model           text,
    message_count   integer NOT NULL DEFAULT 0,
    last_message_at timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, last_message_at)
);

CREATE TABLE messages (
    id              uuid PRIMARY KEY,
    conversation_id uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
    position        integer NOT NULL,
    role            text NOT NULL CHECK (role IN ('user', 'assistant')),
    content         text NOT NULL DEFAULT '',
    chunk_ends      integer[] NOT NULL DEFAULT '{}',
    filters         jsonb NOT NULL DEFAULT '{}',
    model           text,
    validation_ok   boolean,
    validation_warning text,
    latency_ms      integer,
    state           text NOT NULL DEFAULT 'done'
                    CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    error           text NOT NULL DEFAULT '',
    attempt         integer NOT NULL DEFAULT 0,
    attempt_floor   integer NOT NULL DEFAULT 0, -- attempts are counted from here
    hints           integer NOT NULL DEFAULT 0,
    lease_until     timestamptz NOT NULL DEFAULT 'infinity',
    cancel_requested boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (conversation_id, position)
);
CREATE INDEX messages_due ON messages (lease_until) WHERE state IN ('queued', 'running');
-- One answer at a time: a second question while one runs is a conflict.
CREATE UNIQUE INDEX messages_one_running ON messages (conversation_id)
    WHERE state IN ('queued', 'running');

CREATE TABLE citations (
    message_id  uuid NOT NULL REFERENCES messages ON DELETE CASCADE,
    index       integer NOT NULL CHECK (index > 0),
    citation    jsonb NOT NULL,
    PRIMARY KEY (message_id, index)
);


-- +goose Down
DROP TABLE citations, messages, conversations, catalogue_changes, relation_targets, relations, passages,
    articles, documents, ingestion_pages, ingestions, domaines, refresh_tokens, users;
DROP FUNCTION fold(text);
