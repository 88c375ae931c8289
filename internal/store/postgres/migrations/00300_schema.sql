-- +goose Up
-- The whole schema of 1.0.0. Later migrations add to it; decision 7 says what they may do.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- unaccent() is only STABLE because its dictionary could be changed; this form names the dictionary, so that
-- an index may use it.
CREATE FUNCTION fold(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$ SELECT lower(public.unaccent('public.unaccent', $1)) $_$;

-- The words of a title, in the form in which titles are compared.
CREATE FUNCTION title_words(title text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN trim(regexp_replace(fold(title), '[^[:alnum:]]+', ' ', 'g'));

-- Its first five words: what a relation that names a text by its title is looked for by.
CREATE FUNCTION title_head(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_string((string_to_array(words, ' '))[1:5], ' ');

-- The heads of all titles that may stand within a title: its runs of up to five words.
CREATE FUNCTION title_heads(words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT DISTINCT array_to_string(w[i : i + more], ' ')
        FROM string_to_array(words, ' ') w, generate_subscripts(w, 1) i, generate_series(0, 4) more);

-- The numeric stem of an official number: « 2000-190/PRES/PM » and « 2000-0190 » have « 2000-190 ». What has
-- none is its own.
CREATE FUNCTION number_stem(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN number ~ '^[0-9]+([-/][0-9]+)+(?![0-9a-zA-Z])'
        THEN regexp_replace(translate(substring(number FROM '^[0-9]+(?:[-/][0-9]+)+'), '/', '-'), '(^|-)0+(?=[0-9])', '\1', 'g')
        ELSE lower(number) END;

-- The day that an instant has where a law is in force: in the first of its countries, and that of UTC for a
-- union, a country without a known zone, or none. It is what internal/law/country.Today says; current_date
-- would be the day of the server's own zone.
-- +goose StatementBegin
CREATE FUNCTION law_day(instant timestamptz, countries text[]) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$SELECT (instant AT TIME ZONE CASE countries[1]
    WHEN 'bj' THEN 'Africa/Porto-Novo'
    WHEN 'bf' THEN 'Africa/Ouagadougou'
    WHEN 'bi' THEN 'Africa/Bujumbura'
    WHEN 'cm' THEN 'Africa/Douala'
    WHEN 'cf' THEN 'Africa/Bangui'
    WHEN 'td' THEN 'Africa/Ndjamena'
    WHEN 'km' THEN 'Indian/Comoro'
    WHEN 'cg' THEN 'Africa/Brazzaville'
    WHEN 'cd' THEN 'Africa/Kinshasa'
    WHEN 'ci' THEN 'Africa/Abidjan'
    WHEN 'dj' THEN 'Africa/Djibouti'
    WHEN 'dz' THEN 'Africa/Algiers'
    WHEN 'ga' THEN 'Africa/Libreville'
    WHEN 'gn' THEN 'Africa/Conakry'
    WHEN 'gq' THEN 'Africa/Malabo'
    WHEN 'gw' THEN 'Africa/Bissau'
    WHEN 'ht' THEN 'America/Port-au-Prince'
    WHEN 'lu' THEN 'Europe/Luxembourg'
    WHEN 'ma' THEN 'Africa/Casablanca'
    WHEN 'mg' THEN 'Indian/Antananarivo'
    WHEN 'ml' THEN 'Africa/Bamako'
    WHEN 'mr' THEN 'Africa/Nouakchott'
    WHEN 'mu' THEN 'Indian/Mauritius'
    WHEN 'ne' THEN 'Africa/Niamey'
    WHEN 'rw' THEN 'Africa/Kigali'
    WHEN 'sc' THEN 'Indian/Mahe'
    WHEN 'sn' THEN 'Africa/Dakar'
    WHEN 'tg' THEN 'Africa/Lome'
    WHEN 'tn' THEN 'Africa/Tunis'
    WHEN 'fr' THEN 'Europe/Paris'
    WHEN 'be' THEN 'Europe/Brussels'
    WHEN 'ca' THEN 'America/Toronto'
    WHEN 'ch' THEN 'Europe/Zurich'
    ELSE 'UTC' END)::date$$;
-- +goose StatementEnd

-- What follows the stem: the signs of those who made the text.
CREATE FUNCTION number_signs(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN number ~ '^[0-9]+([-/][0-9]+)+(?![0-9a-zA-Z])' THEN lower(regexp_replace(number, '^[0-9]+([-/][0-9]+)+', '')) ELSE '' END;

-- Audit.

-- Who did what, and when. Rows are only ever added; what is too old goes by dropping a month (DROP TABLE
-- audit_2026_01), never row by row. user_id is no reference: what a person did outlives the account. NULL is
-- the operator's command line.
CREATE TABLE audit (
    id      bigint GENERATED ALWAYS AS IDENTITY,
    at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    user_id uuid,
    action  text NOT NULL CHECK (action <> ''),
    object  text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE TABLE audit_later PARTITION OF audit DEFAULT;
CREATE INDEX audit_action ON audit (action, at);
CREATE INDEX audit_user ON audit (user_id, at);

-- Each line of the audit log in the order in which the lines were committed, with the hash of the one before:
-- whoever changes, removes or slips in a line breaks it there. A chain goes on over the months, so that each
-- month's end is held by the next; it has no gap but where the oldest months were dropped.
CREATE TABLE audit_chain (
    seq     bigint PRIMARY KEY CHECK (seq > 0),
    line_at timestamptz NOT NULL,
    line_id bigint NOT NULL,
    prev    bytea NOT NULL, -- the hash of the line before; of the first, 32 bytes of zero
    hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
    UNIQUE (line_at, line_id)
);

-- Accounts.

CREATE TABLE users (
    id              uuid PRIMARY KEY,
    email           text NOT NULL UNIQUE CHECK ((email = lower(email)) AND (length(email) <= 254)),
    full_name       text NOT NULL,
    role            text NOT NULL CHECK (role IN ('user', 'editor', 'admin')),
    active          boolean NOT NULL DEFAULT true,
    password_hash   text NOT NULL,
    token_version   integer NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT now(),
    -- The country whose law the owner of an account asks about when a question names none; '': none.
    country         text NOT NULL DEFAULT '' CHECK (length(country) <= 80),
    last_sign_in_at timestamptz -- When somebody last signed in to the account; NULL: never, as far as the audit log knows.
);
CREATE INDEX users_newest ON users (created_at DESC);

-- A family is one sign-in; each refresh replaces the token within it.
CREATE TABLE refresh_tokens (
    token_hash    bytea PRIMARY KEY,
    family        uuid NOT NULL,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    revoked_at    timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    token_version integer NOT NULL, -- the account's token version that the token is valid for
    ends_at       timestamptz NOT NULL, -- the end of the session, which no renewal moves
    client        text, -- What a person is told of a session: the program that it was opened with, and when.
    started_at    timestamptz,
    -- What a refresh token was given for: the one before it in its session, by whose copy a reply that was
    -- lost may be asked for once more. NULL: the first of its session, or one of a program that did not note
    -- it. No reference: tokens are removed when they have expired, the older ones first.
    parent        bytea,
    -- A session that a person granted to a program: a hash of the program's id. NULL: a person's own. proof
    -- is a hash of what the bearer of an authorization code must know.
    program       bytea,
    proof         bytea
);
CREATE INDEX refresh_tokens_expired ON refresh_tokens (expires_at);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);

-- What an account signs in with beside its password: the secret that a program makes codes of, sealed with a
-- key that the database does not have.
CREATE TABLE second_factors (
    user_id      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    secret       bytea NOT NULL,
    confirmed_at timestamptz, -- NULL: its owner has not shown a code yet
    last_step    bigint NOT NULL DEFAULT 0, -- of the last code that was taken: it and those before are good no more
    failures     integer NOT NULL DEFAULT 0, -- wrong codes since the last right one
    created_at   timestamptz NOT NULL DEFAULT now()
);

-- Codes for who has lost that program; each is good once.
CREATE TABLE recovery_codes (
    user_id   uuid NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
    code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
    used_at   timestamptz,
    PRIMARY KEY (user_id, code_hash)
);

-- Who the owner of an account is to a provider of identities. An issuer's subject names one person for good;
-- the address that the provider has of them may be another's tomorrow.
CREATE TABLE identities (
    issuer       text NOT NULL,
    subject      text NOT NULL CHECK ((octet_length(subject) >= 1) AND (octet_length(subject) <= 255)),
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- Messages to the owner of an address, each with a link that is good once: to set another password, or to
-- open an account. The link's token is made when the message is sent, and only its hash is kept. A request
-- for an address that has no account leaves a row like any other, without the address and with nothing to
-- send.
CREATE TABLE account_letters (
    id            uuid PRIMARY KEY,
    kind          text NOT NULL CHECK (kind IN ('reset', 'signup')),
    user_id       uuid REFERENCES users ON DELETE CASCADE, -- whose account it is about; NULL: none
    token_version integer, -- of that account, when the message was asked for
    email         text NOT NULL DEFAULT '',
    full_name     text NOT NULL DEFAULT '',
    link          text NOT NULL, -- what the token is put behind
    token_hash    bytea UNIQUE,
    expires_at    timestamptz,
    used_at       timestamptz,
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    error         text NOT NULL DEFAULT '', -- why the last attempt failed
    lease_until   timestamptz NOT NULL DEFAULT now(),
    not_before    timestamptz NOT NULL DEFAULT now(),
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX account_letters_due ON account_letters (not_before) WHERE state IN ('queued', 'running');
CREATE INDEX account_letters_old ON account_letters (created_at);
CREATE INDEX account_letters_user ON account_letters (user_id);

-- Keys by which programs act for an account. Of a key only its hash and its first characters are kept. A key
-- that was revoked stays, to be named in the audit log.
CREATE TABLE api_keys (
    id           uuid PRIMARY KEY,
    owner_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name         text NOT NULL CHECK ((char_length(name) >= 1) AND (char_length(name) <= 100)),
    prefix       text NOT NULL CHECK (char_length(prefix) = 12),
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    scopes       text[] NOT NULL CHECK ((cardinality(scopes) > 0) AND (scopes <@ ARRAY['chat', 'documents', 'ingest', 'mcp'])),
    per_minute   integer NOT NULL CHECK (per_minute > 0),
    per_day      integer NOT NULL CHECK (per_day > 0),
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz, -- to the minute
    revoked_at   timestamptz
);
CREATE INDEX api_keys_created ON api_keys (created_at DESC);
CREATE INDEX api_keys_owner ON api_keys (owner_id);

-- Requests that were done and may come once more, by the key that their sender gave them (Idempotency-Key). A
-- row is written in the transaction of what it stands for: there is none for what was not done, and none that
-- waits. Of the key and of the request only keyed hashes are kept.
CREATE TABLE idempotency_keys (
    owner       bytea NOT NULL CHECK (octet_length(owner) = ANY (ARRAY[16, 32])), -- an account's id, or the keyed hash of a network
    operation   text NOT NULL CHECK (operation IN ('question', 'upload', 'inquiry')),
    key         bytea NOT NULL CHECK (octet_length(key) = 32),
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    result      uuid NOT NULL, -- the answer, the ingestion or the inquiry, which may be gone
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner, operation, key)
);
CREATE INDEX idempotency_keys_old ON idempotency_keys (created_at);

-- Gazettes.

CREATE TABLE domaines (
    code        text PRIMARY KEY CHECK (code ~ '^[a-z0-9_-]{2,40}$'),
    label       text NOT NULL,
    description text NOT NULL DEFAULT '',
    active      boolean NOT NULL DEFAULT true,
    "position"  integer NOT NULL
);

-- One row a gazette file. The lease columns are those of every kind of work: a worker takes the row by
-- raising attempt, and names it in every write.
CREATE TABLE ingestions (
    id               uuid PRIMARY KEY,
    sha256           text NOT NULL UNIQUE CHECK (length(sha256) = 64),
    filename         text NOT NULL,
    size             bigint NOT NULL,
    metadata         jsonb NOT NULL DEFAULT '{}',
    state            text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'review', 'done', 'failed', 'cancelled')),
    stage            text NOT NULL DEFAULT 'queued' CHECK (stage IN ('queued', 'pages', 'texts', 'save', 'index', 'done')),
    pages_done       integer NOT NULL DEFAULT 0,
    pages_total      integer NOT NULL DEFAULT 0,
    error            text NOT NULL DEFAULT '',
    attempt          integer NOT NULL DEFAULT 0,
    attempt_floor    integer NOT NULL DEFAULT 0, -- attempts are counted from here
    hints            integer NOT NULL DEFAULT 0,
    lease_until      timestamptz NOT NULL,
    cancel_requested boolean NOT NULL DEFAULT false,
    created_by       uuid REFERENCES users ON DELETE SET NULL,
    created_at       timestamptz NOT NULL DEFAULT now(),
    updated_at       timestamptz NOT NULL DEFAULT now(),
    failures         integer NOT NULL DEFAULT 0,
    not_before       timestamptz NOT NULL DEFAULT '-infinity',
    -- How many more pages a file claims to have than can be read: a later attempt, which need not open the
    -- file again, tells of them too.
    pages_absent     integer NOT NULL DEFAULT 0,
    recut            boolean NOT NULL DEFAULT false, -- The file is to be cut again from its saved pages: nothing is read.
    -- Attempts that were lost with their worker and that later progress has forgiven: a file that saves a
    -- page between two deaths must not go on for ever.
    deaths           integer NOT NULL DEFAULT 0,
    trace            text CHECK (length(trace) <= 100),
    -- How long the pages of a file were recognized, over all its attempts: a worker that is killed or
    -- restarted must not give a file its time again.
    recognition      interval NOT NULL DEFAULT '00:00:00'
);
CREATE INDEX ingestions_created_by ON ingestions (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX ingestions_due ON ingestions (lease_until) WHERE state IN ('queued', 'running');
CREATE INDEX ingestions_newest ON ingestions (created_at DESC, id DESC);

-- Pages read so far: the checkpoint that makes a kill cheap.
CREATE TABLE ingestion_pages (
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    number       integer NOT NULL CHECK (number > 0),
    source       text NOT NULL CHECK (source IN ('layer', 'ocr', 'none')),
    content      bytea NOT NULL,
    -- The page could not be read. Taking the file up again reads it anew.
    unread       boolean NOT NULL DEFAULT false,
    PRIMARY KEY (ingestion_id, number)
);
CREATE INDEX ingestion_pages_unread ON ingestion_pages (ingestion_id) WHERE unread;

-- The lines of a page, as the file was cut last.
CREATE TABLE ingestion_lines (
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    page         integer NOT NULL CHECK (page > 0),
    width        double precision NOT NULL,
    height       double precision NOT NULL,
    lines        jsonb NOT NULL,
    PRIMARY KEY (ingestion_id, page)
);

-- What editors say of the lines of a file, in order, applied whenever it is cut.
CREATE TABLE ingestion_edits (
    id           uuid PRIMARY KEY,
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    "position"   integer NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('split', 'merge', 'move', 'renumber', 'retitle', 'correct')),
    payload      jsonb NOT NULL,
    fault        text NOT NULL DEFAULT '', -- Why it did not apply when the file was cut last (French); '' when it did.
    created_by   uuid REFERENCES users ON DELETE SET NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    undone_by    uuid REFERENCES users ON DELETE SET NULL,
    undone_at    timestamptz,
    UNIQUE (ingestion_id, "position")
);
CREATE INDEX ingestion_edits_created_by ON ingestion_edits (created_by);
CREATE INDEX ingestion_edits_undone_by ON ingestion_edits (undone_by);

-- Catalogue.

CREATE TABLE documents (
    id              uuid PRIMARY KEY,
    ingestion_id    uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    "position"      integer NOT NULL,
    title           text NOT NULL,
    doc_type        text NOT NULL CHECK (doc_type IN ('loi', 'decret', 'arrete', 'circulaire', 'code', 'constitution')),
    domaine         text NOT NULL REFERENCES domaines (code) ON UPDATE CASCADE,
    numero_officiel text NOT NULL DEFAULT '',
    promulgated_on  date NOT NULL,
    in_force_on     date NOT NULL,
    statut          text NOT NULL DEFAULT 'en_vigueur' CHECK (statut IN ('en_vigueur', 'abroge', 'modifie')),
    repealed_by     uuid REFERENCES documents ON DELETE SET NULL,
    repealed_on     date,
    first_page      integer NOT NULL,
    last_page       integer NOT NULL,
    passages_count  integer NOT NULL DEFAULT 0,
    doubts          jsonb NOT NULL DEFAULT '[]',
    in_review       boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    status_by_hand  boolean NOT NULL DEFAULT false, -- A status that an editor has set stays, whatever relations are found later.
    -- What is searched by title, folded once. A title that is added or changed is folded by the database
    -- itself.
    title_folded    text GENERATED ALWAYS AS (fold(title)) STORED,
    superseded_by   uuid REFERENCES documents ON DELETE SET NULL,
    edition_kept    boolean NOT NULL DEFAULT false, -- A person has said that no other text is an edition of this one.
    evidence        jsonb NOT NULL DEFAULT '[]', -- What each datum of a text was read from, undoubted ones too.
    by_hand         boolean NOT NULL DEFAULT false, -- A person has accepted or corrected the text: what was said stays when its file is cut again.
    -- Whose law a text is, as far as it tells: two letters a country, none for the law of a union of
    -- countries. A text changes no other country's.
    countries       text[] NOT NULL DEFAULT '{}',
    -- What a text calls itself (« Ordonnance », « Acte uniforme »), beside its type; empty where that is not
    -- known.
    nature          text NOT NULL DEFAULT '',
    -- A text as it was when it waited in review, doubts and all: its acceptance can be undone. NULL for a
    -- text that nobody has accepted, or before this was kept.
    settled         jsonb,
    -- The page and place of the text's first line, by which it is known when the file is cut again; '' for
    -- texts of earlier versions.
    begins          text NOT NULL DEFAULT '',
    edited          jsonb NOT NULL DEFAULT '{}', -- Fields that edits of the file have set, and what to.
    as_of           date,
    CONSTRAINT documents_superseded_out CHECK ((superseded_by IS NULL) OR in_review),
    UNIQUE (ingestion_id, "position")
);
CREATE INDEX documents_domaine ON documents (domaine);
-- For the feed of new texts.
CREATE INDEX documents_entered ON documents (created_at DESC, id) WHERE (NOT in_review);
CREATE INDEX documents_newest ON documents (promulgated_on DESC, id) INCLUDE (domaine, doc_type, statut) WHERE (NOT in_review);
CREATE INDEX documents_number ON documents (lower(numero_officiel));
CREATE INDEX documents_number_stem ON documents (number_stem(numero_officiel)) WHERE (numero_officiel <> '');
CREATE INDEX documents_repealed_by ON documents (repealed_by);
CREATE INDEX documents_superseded_by ON documents (superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX documents_title ON documents USING gin (title_folded gin_trgm_ops) WHERE (NOT in_review);
-- Titles as they are typed, from their beginning, and the catalogue by title. A title may be longer than an
-- index can hold.
CREATE INDEX documents_title_order ON documents ("left"(title_folded, 200) COLLATE "C", id) WHERE (NOT in_review);
CREATE INDEX documents_waiting ON documents (ingestion_id) WHERE (in_review AND (superseded_by IS NULL));

-- Several rows may stand for one cell, and the cell is their sum: a writer adds its own row and takes in
-- those that nobody else holds, so that writers never wait for one another, and a count is visible exactly
-- where its texts are.
CREATE TABLE document_counts (
    domaine  text NOT NULL,
    doc_type text NOT NULL,
    statut   text NOT NULL,
    month    date NOT NULL, -- its first day
    n        integer NOT NULL
);
CREATE INDEX document_counts_cell ON document_counts (domaine, doc_type, statut, month) INCLUDE (n);

-- The state of the catalogue: the XOR of the stamps that a snapshot sees. Every change adds a random one, so
-- two snapshots with the same XOR see the same texts. Rows are taken in as those above are.
CREATE TABLE document_stamps (
    stamp bigint NOT NULL
);

CREATE TABLE articles (
    id           uuid PRIMARY KEY,
    document_id  uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    "position"   integer NOT NULL,
    number       text NOT NULL,
    path         text[] NOT NULL DEFAULT '{}',
    heading      text NOT NULL DEFAULT '',
    page         integer NOT NULL,
    body         text NOT NULL,
    spans        jsonb NOT NULL DEFAULT '[]',
    valid_from   date,
    valid_to     date,
    -- First day on which no assembled version of the article is law any more; NULL if it has none, infinity
    -- if the last one is law for good. Set with the versions.
    assembled_to date,
    UNIQUE (document_id, "position")
);

CREATE TABLE passages (
    id          uuid PRIMARY KEY,
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    article_id  uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
    "position"  integer NOT NULL,
    page        integer NOT NULL,
    body        text NOT NULL,
    spans       jsonb NOT NULL DEFAULT '[]',
    -- The words of a new wording stand in the passages of the article that gives it too. They are found once,
    -- by its own.
    quoted      boolean NOT NULL DEFAULT false,
    UNIQUE (document_id, "position")
);
CREATE INDEX passages_article ON passages (article_id);

-- Texts of a file that an editor has rejected or deleted: another cut of the file does not bring them back.
CREATE TABLE dropped_texts (
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    document_id  uuid NOT NULL,
    begins       text NOT NULL,
    first_page   integer NOT NULL,
    printed      text NOT NULL,
    dropped_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (ingestion_id, document_id)
);

-- The addresses of texts that persons have withdrawn: who opens one learns that there was a text, and is not
-- told that he has mistyped.
CREATE TABLE withdrawn_texts (
    address      text PRIMARY KEY CHECK (octet_length(address) <= 1024), -- with its type, as package address makes it
    document_id  uuid NOT NULL,
    withdrawn_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX withdrawn_texts_document ON withdrawn_texts (document_id);

CREATE TABLE relations (
    id              uuid PRIMARY KEY,
    source_id       uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    source_article  uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
    kind            text NOT NULL CHECK (kind IN ('abroge', 'modifie')),
    target_type     text NOT NULL DEFAULT '',
    target_number   text NOT NULL DEFAULT '',
    target_title    text NOT NULL DEFAULT '',
    target_articles text[] NOT NULL DEFAULT '{}',
    effective_on    date NOT NULL,
    adds            boolean NOT NULL DEFAULT false, -- What adds to a wording (« est complété par un alinéa ») does not end it.
    by_hand         boolean NOT NULL DEFAULT false, -- A person has said which text is meant, or that none is.
    target_on       date, -- The day of the text that a relation means, where its words say it.
    -- Of a relation that names a text by its title alone.
    title_head      text GENERATED ALWAYS AS (
CASE
    WHEN ((target_number = '') AND (target_title <> '')) THEN title_head(title_words(target_title))
    ELSE NULL::text
END) STORED,
    -- Whether the relation may fit several texts, for a person to settle. False is certain; true says that it
    -- is to be looked at.
    uncertain       boolean NOT NULL DEFAULT true
);
CREATE INDEX relations_number ON relations (lower(target_number));
CREATE INDEX relations_number_stem ON relations (number_stem(target_number)) WHERE (target_number <> '');
CREATE INDEX relations_source ON relations (source_id);
-- What goes is looked for here.
CREATE INDEX relations_source_article ON relations (source_article);
CREATE INDEX relations_title_head ON relations (title_head) WHERE (title_head IS NOT NULL);
CREATE INDEX relations_uncertain ON relations (source_id) WHERE uncertain;

-- What a relation changes, once it is known: one text, or the same text as several files have it.
CREATE TABLE relation_targets (
    relation_id uuid NOT NULL REFERENCES relations ON DELETE CASCADE,
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    PRIMARY KEY (relation_id, document_id)
);
CREATE INDEX relation_targets_document ON relation_targets (document_id);

-- By which keys a text is found when a question names it: a row for each text, in the catalogue or not. The
-- keys are those of the program's own analysis, which makes them; analysis says by which of its versions, 0
-- where they are still to be made.
CREATE TABLE text_names (
    document_id uuid PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    keys        text[] NOT NULL DEFAULT '{}',
    analysis    integer NOT NULL DEFAULT 0
);
CREATE INDEX text_names_analysis ON text_names (analysis, document_id);
-- Texts whose keys were never made are found by nothing but reading them one by one: how many there are is
-- asked by each question that names a text while some are behind.
CREATE INDEX text_names_bare ON text_names (document_id) WHERE (keys = '{}');
-- A list of keys to be taken in later would be read by every question.
CREATE INDEX text_names_keys ON text_names USING gin (keys) WITH (fastupdate=off);

-- What is searched by words: a row for each article and one for each text, in the catalogue or not. The words
-- are those of the program's own analysis, which makes them; a text's row says by which of its versions, and
-- of what title and number.
CREATE TABLE search_units (
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    article_id  uuid UNIQUE REFERENCES articles ON DELETE CASCADE, -- NULL: the text
    "position"  integer NOT NULL, -- of the article; -1: the text
    words       tsvector NOT NULL,
    named       text,
    analysis    integer,
    CONSTRAINT search_units_check CHECK ((article_id IS NULL) = ("position" = '-1'::integer)),
    CONSTRAINT search_units_check1 CHECK ((article_id IS NULL) = (named IS NOT NULL)),
    CONSTRAINT search_units_check2 CHECK ((article_id IS NULL) = (analysis IS NOT NULL))
);
CREATE UNIQUE INDEX search_units_place ON search_units (document_id, "position");
-- A list of words to be taken in later would be read by every search.
CREATE INDEX search_units_words ON search_units USING gin (words) WITH (fastupdate=off);

-- Versions.

-- What an amending text gives as the new words of an article of another text: a row of articles among those
-- of the amending text, and here whose article it words.
CREATE TABLE wordings (
    article_id  uuid PRIMARY KEY REFERENCES articles ON DELETE CASCADE,
    within      uuid NOT NULL REFERENCES articles ON DELETE CASCADE, -- the article that gives it
    relation_id uuid NOT NULL REFERENCES relations ON DELETE CASCADE, -- the change that it belongs to
    number      text NOT NULL CHECK (number <> ''), -- of the article that it words
    part        text NOT NULL DEFAULT '', -- of that article, '' for all of it
    inserted    boolean NOT NULL DEFAULT false -- beside what was there
);
CREATE INDEX wordings_relation ON wordings (relation_id);
CREATE INDEX wordings_within ON wordings (within);

-- The operations of amending acts. They refer to no other table: when an act is deleted, its operations still
-- say which texts must be assembled again, and the work then deletes them.
CREATE TABLE amendment_operations (
    act_id       uuid NOT NULL,
    ordinal      integer NOT NULL,
    article_id   uuid, -- article of the act; NULL before the first one
    page         integer NOT NULL DEFAULT 0, -- of the instruction; 0 if it is unknown
    words        text NOT NULL CHECK (octet_length(words) <= 4096), -- of the instruction, cut if it is longer
    operation    jsonb NOT NULL CHECK (octet_length((operation)::text) <= 8388608),
    target_terms text[] NOT NULL DEFAULT '{}', -- words of the name of the amended text
    target_id    uuid, -- amended text; NULL: see reason
    reason       text NOT NULL DEFAULT '',
    PRIMARY KEY (act_id, ordinal)
);
CREATE INDEX amendment_operations_target ON amendment_operations (target_id, act_id);
CREATE INDEX amendment_operations_terms ON amendment_operations USING gin (target_terms);

-- What persons have decided on an article of a text after an act. It outlives both texts: they have the same
-- ids when their files are read again.
CREATE TABLE amendment_settlements (
    target_id    uuid NOT NULL,
    act_id       uuid NOT NULL,
    article_key  text NOT NULL,
    article      text NOT NULL,
    decision     text NOT NULL CHECK (decision IN ('accept', 'mend', 'reject')),
    body         text NOT NULL DEFAULT '' CHECK (octet_length(body) <= 8388608),
    effective_on date, -- first day of the wording; NULL: that of the act
    settled_at   timestamptz NOT NULL DEFAULT now(),
    -- An id for each decision on an amendment, so that a person can undo it. It stays the same when the
    -- decision is made again.
    id           uuid GENERATED ALWAYS AS ((md5((((((target_id)::text || ' ') || (act_id)::text) || ' ') || article_key)))::uuid) STORED UNIQUE,
    PRIMARY KEY (target_id, act_id, article_key)
);

-- Operations that wait for a person, or for a text.
CREATE TABLE amendment_waiting (
    id         uuid PRIMARY KEY, -- derived from the act, the operation and the text
    act_id     uuid NOT NULL,
    ordinal    integer NOT NULL, -- of the operation
    target_id  uuid, -- NULL: the amended text is not in the catalogue
    article    text NOT NULL DEFAULT '',
    reason     text NOT NULL,
    proposal   text CHECK (octet_length(proposal) <= 8388608), -- wording of the article that a person may accept
    article_id uuid, -- printed article; NULL if the text has none
    before     text CHECK (octet_length(before) <= 8388608) -- wording that the operation would change; NULL if there is none
);
CREATE INDEX amendment_waiting_act ON amendment_waiting (act_id, ordinal);
CREATE INDEX amendment_waiting_target ON amendment_waiting (target_id, act_id);

-- The versions of the articles that acts have changed. Articles without a row are as printed.
CREATE TABLE article_versions (
    document_id uuid NOT NULL,
    article_key text NOT NULL, -- as law.ArticleKey makes it
    ordinal     integer NOT NULL, -- 0 is the printed wording, if there is one
    article_id  uuid NOT NULL, -- printed article; derived from text and number for an inserted one
    place       integer NOT NULL, -- order of the article in the text
    number      text NOT NULL,
    path        text[] NOT NULL DEFAULT '{}',
    body        text NOT NULL CHECK (octet_length(body) <= 8388608),
    valid_from  date, -- NULL: from the first day of the text
    valid_to    date,
    gone        boolean NOT NULL DEFAULT false, -- the article is repealed in these days
    act_id      uuid, -- act that made the version; NULL: as printed
    evidence    jsonb NOT NULL DEFAULT '[]',
    changes     jsonb NOT NULL DEFAULT '[]', -- bytes of the new words in body
    person      boolean NOT NULL DEFAULT false, -- a person has decided the wording
    remarks     text[] NOT NULL DEFAULT '{}',
    spans       jsonb NOT NULL DEFAULT '[]', -- places of the printed words that the version keeps
    served      boolean NOT NULL DEFAULT false, -- the act prints the whole wording, which is an article of its own (wordings)
    -- The article whose printed words a version continues: that of the text, or of an act that prints the
    -- whole wording (wordings). Search finds a version there. The versions are made anew, which fills the
    -- column; until then those of printed articles are found as before.
    printed_in  uuid,
    PRIMARY KEY (document_id, article_key, ordinal)
);
CREATE INDEX article_versions_article ON article_versions (article_id);
CREATE INDEX article_versions_day ON article_versions (document_id, valid_from);
CREATE INDEX article_versions_printed_in ON article_versions (printed_in);

-- Indexes.

-- The version that followers of the catalogue compare with their own: each change to what is searched takes
-- the next number and says it aloud.
CREATE TABLE catalogue_changes (
    version     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id uuid NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now()
);
-- Of old changes each text keeps its last: it is looked for.
CREATE INDEX catalogue_changes_document ON catalogue_changes (document_id, version);

-- Indexes that follow the catalogue: titles in Meilisearch, passages in Milvus, versions of articles, examples. Each is one
-- row, which is a job whenever it lacks changes of the catalogue.
CREATE TABLE followers (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name          text NOT NULL UNIQUE CHECK (name IN ('titles', 'passages', 'versions', 'examples')),
    version       bigint NOT NULL DEFAULT 0, -- of catalogue_changes
    rebuild       boolean NOT NULL DEFAULT true, -- to be made anew: at first, and when somebody asks
    grammar       integer NOT NULL DEFAULT 0, -- of the operations behind the versions, as amend.Grammar counts
    state         text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    error         text NOT NULL DEFAULT '', -- why the last attempt failed
    lease_until   timestamptz NOT NULL DEFAULT '-infinity',
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    updated_at    timestamptz NOT NULL DEFAULT now()
);

-- A generation is the vectors that one model makes of passages cut in one way. The current one is searched;
-- the next is made beside it and takes its place when it is complete. Making one is work with the lease
-- columns of every kind.
CREATE TABLE generations (
    id            uuid PRIMARY KEY,
    model         text NOT NULL,
    chunking      text NOT NULL,
    dimensions    integer NOT NULL CHECK (dimensions > 0),
    fingerprint   text NOT NULL, -- hash of the probe as it was first made
    probe         bytea NOT NULL, -- the vector of a known text, packed: tells builds of a model apart
    role          text NOT NULL CHECK (role IN ('current', 'next', 'sentences')),
    covered       bigint NOT NULL DEFAULT '-1'::integer, -- version of the catalogue whose passages all have vectors
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    error         text NOT NULL DEFAULT '', -- why the last attempt failed
    lease_until   timestamptz NOT NULL DEFAULT now(),
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    -- How many passages a second the running attempt gives vectors, its pauses included; 0 while that is not
    -- known. It tells when a text that is readable already is found as precisely as the others.
    pace          real NOT NULL DEFAULT 0 CHECK (pace >= (0)::double precision)
);
CREATE UNIQUE INDEX generations_current ON generations (role) WHERE (role = 'current');

-- The vectors of a passage's pieces, packed; none for a passage of which the model makes nothing.
CREATE TABLE vectors (
    passage_id    uuid NOT NULL REFERENCES passages ON DELETE CASCADE,
    generation_id uuid NOT NULL REFERENCES generations ON DELETE CASCADE,
    packed        bytea NOT NULL,
    PRIMARY KEY (passage_id, generation_id)
);
CREATE INDEX vectors_generation ON vectors (generation_id);

-- Answers.

CREATE TABLE conversations (
    id              uuid PRIMARY KEY,
    user_id         uuid REFERENCES users ON DELETE CASCADE,
    title           text NOT NULL CHECK (title <> ''),
    domaine         text,
    model           text,
    message_count   integer NOT NULL DEFAULT 0,
    last_message_at timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, last_message_at)
);
CREATE INDEX conversations_guests ON conversations (last_message_at) WHERE (user_id IS NULL);
-- What is removed by its age is looked for by it; inquiries have such an index.
CREATE INDEX conversations_last ON conversations (last_message_at);

CREATE TABLE messages (
    id                 uuid PRIMARY KEY,
    conversation_id    uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
    "position"         integer NOT NULL,
    role               text NOT NULL CHECK (role IN ('user', 'assistant')),
    content            text NOT NULL DEFAULT '',
    chunk_ends         integer[] NOT NULL DEFAULT '{}',
    filters            jsonb NOT NULL DEFAULT '{}',
    model              text,
    validation_ok      boolean,
    validation_warning text,
    latency_ms         integer,
    state              text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    error              text NOT NULL DEFAULT '',
    attempt            integer NOT NULL DEFAULT 0,
    attempt_floor      integer NOT NULL DEFAULT 0, -- attempts are counted from here
    hints              integer NOT NULL DEFAULT 0,
    lease_until        timestamptz NOT NULL DEFAULT 'infinity',
    cancel_requested   boolean NOT NULL DEFAULT false,
    created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    failures           integer NOT NULL DEFAULT 0,
    not_before         timestamptz NOT NULL DEFAULT '-infinity', -- a failed attempt is followed by no other before
    asker              uuid, -- whose question it is, for the fair pick: set while the answer is queued or runs
    draft              text,
    draft_ends         integer[], -- byte offset in draft after each chunk
    draft_attempt      integer,
    -- By what a worker goes on with the trace of the request that a row came of (« traceparent » of the W3C);
    -- null where nothing is traced.
    trace              text CHECK (length(trace) <= 100),
    certainty          text CHECK (certainty IN ('sure', 'likely', 'unsure', 'refused')),
    probability        double precision CHECK ((probability >= (0)::double precision) AND (probability <= (1)::double precision)),
    -- The turns before a conversation that its client keeps, as a list of question and answer, beside the
    -- answer that was asked for with them.
    earlier            jsonb CHECK (jsonb_typeof(earlier) = 'array'),
    -- Articles that an answer points to without quoting them, in the form of citations without a number.
    see_also           jsonb NOT NULL DEFAULT '[]',
    UNIQUE (conversation_id, "position")
);
-- The figures of a span of days.
CREATE INDEX messages_day ON messages (created_at) WHERE (role = 'assistant');
CREATE INDEX messages_due ON messages (lease_until) WHERE state IN ('queued', 'running');
-- One answer at a time: a second question while one runs is a conflict.
CREATE UNIQUE INDEX messages_one_running ON messages (conversation_id) WHERE state IN ('queued', 'running');
-- For the list of questions without a sure answer.
CREATE INDEX messages_uncertain ON messages (created_at) WHERE certainty IN ('unsure', 'refused');
CREATE INDEX messages_waiting ON messages (asker, created_at) WHERE state IN ('queued', 'running');

CREATE TABLE citations (
    message_id uuid NOT NULL REFERENCES messages ON DELETE CASCADE,
    index      integer NOT NULL CHECK (index > 0),
    citation   jsonb NOT NULL,
    PRIMARY KEY (message_id, index)
);
-- How often answers cite an article, by which the amendments that wait are ordered.
CREATE INDEX citations_article ON citations (((citation ->> 'article_id')));

-- Why an answer is what it is, as its worker tells it: no words of the question but the names of texts, and
-- the ids of what was found. It goes with its answer, or before it.
CREATE TABLE answer_whys (
    message_id uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    why        jsonb NOT NULL CHECK (octet_length((why)::text) <= 65536),
    kept_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX answer_whys_age ON answer_whys (kept_at);

-- What workers have spent on the answers of each account of late (of guests together: the zero id). The next
-- answer is chosen by it. seconds halve every minute from at on; answers is their number, which halves alike.
CREATE TABLE answer_seconds (
    asker   uuid PRIMARY KEY,
    seconds double precision NOT NULL CHECK (seconds >= (0)::double precision),
    answers double precision NOT NULL CHECK (answers >= (0)::double precision),
    at      timestamptz NOT NULL
);
CREATE INDEX answer_seconds_age ON answer_seconds (at);

-- What its reader thinks of an answer: the last opinion counts.
CREATE TABLE feedback (
    message_id uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    rating     text NOT NULL CHECK (rating IN ('up', 'down')),
    comment    text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- Links by which others read a conversation, one at most for each. The address itself is not kept.
CREATE TABLE conversation_links (
    conversation_id uuid PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
    token_hash      bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    last_position   integer NOT NULL, -- of the last message that may be read: an ended message never changes
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Administrators list the links of everybody, newest first.
CREATE INDEX conversation_links_created ON conversation_links (created_at DESC);

-- Questions that the catalogue answers surely, with what it answers.
CREATE TABLE example_answers (
    id          uuid PRIMARY KEY,
    question    text NOT NULL UNIQUE CHECK ((octet_length(question) >= 1) AND (octet_length(question) <= 1024)),
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    article_id  uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
    number      text NOT NULL CHECK (octet_length(number) <= 512), -- of the article that answers, as it is cited
    page        integer NOT NULL CHECK (page > 0),
    quote       text NOT NULL CHECK ((octet_length(quote) >= 1) AND (octet_length(quote) <= 65536)),
    probability double precision NOT NULL,
    version     bigint NOT NULL, -- of the catalogue that answered
    made_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX example_answers_article ON example_answers (article_id);
CREATE INDEX example_answers_document ON example_answers (document_id);

-- What an attempt at an answer took of a server of models: tokens, and what they cost in the money of the
-- prices that were set then. It outlives the answer, as a bill does, and then says no longer whose answer it
-- was.
CREATE TABLE model_usage (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid REFERENCES messages ON DELETE SET NULL,
    attempt    integer NOT NULL,
    server     text NOT NULL,
    model      text NOT NULL,
    requests   integer NOT NULL CHECK (requests > 0),
    tokens_in  bigint NOT NULL CHECK (tokens_in >= 0),
    tokens_out bigint NOT NULL CHECK (tokens_out >= 0),
    estimated  boolean NOT NULL, -- of one request at least the server did not say how many
    cost       double precision NOT NULL CHECK ((cost >= (0)::double precision) AND (cost < 'Infinity'::double precision)),
    spent_at   timestamptz NOT NULL DEFAULT now(),
    UNIQUE (message_id, attempt, server)
);
CREATE INDEX model_usage_spent ON model_usage (spent_at);

-- Alerts.

-- The journal of changes of the law, to which rows are only added. It refers to no other table: what it says
-- of a text remains when the text is gone. The numbers are given under the lock of the catalogue, so that
-- whoever has read one has read all smaller ones.
CREATE TABLE law_changes (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind        text NOT NULL CHECK (kind IN ('added', 'withdrawn', 'replaced', 'modified', 'repealed', 'restored', 'wording')),
    document_id uuid NOT NULL,
    title       text NOT NULL,
    doc_type    text NOT NULL,
    domaine     text NOT NULL,
    countries   text[] NOT NULL DEFAULT '{}',
    articles    text[] NOT NULL DEFAULT '{}', -- numbers of the changed articles; empty: the whole text
    keys        text[] NOT NULL DEFAULT '{}', -- the same as law.ArticleKey makes them
    article_id  uuid, -- the article of a new wording, or the first of those changed
    act_id      uuid, -- text that makes the change, or that replaces this edition
    act_title   text NOT NULL DEFAULT '',
    valid_from  date, -- first day of the change
    valid_to    date, -- first day on which a wording is no longer law
    gone        boolean NOT NULL DEFAULT false, -- the article is repealed from that day
    digest      text NOT NULL DEFAULT '' -- of a wording
);
CREATE INDEX law_changes_document ON law_changes (document_id, id);

-- What the journal has said of each text, with which the next state is compared.
CREATE TABLE law_states (
    document_id uuid PRIMARY KEY,
    title       text NOT NULL,
    doc_type    text NOT NULL,
    domaine     text NOT NULL,
    countries   text[] NOT NULL DEFAULT '{}',
    successor   uuid, -- edition that superseded the text; NULL: the text is in the catalogue
    repealed_on date,
    repealed_by uuid,
    amendments  jsonb NOT NULL DEFAULT '[]' -- a list of {act, kind, articles, from}
);

-- What accounts follow.
CREATE TABLE follows (
    id          uuid PRIMARY KEY,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind        text NOT NULL CHECK (kind IN ('text', 'article', 'answer', 'search', 'scope')),
    subject     text NOT NULL, -- of this kind and for this account only once
    label       text NOT NULL CHECK (length(label) <= 500), -- for people
    document_id uuid, -- of a text or an article
    article_id  uuid,
    message_id  uuid, -- of an answer
    words       text NOT NULL DEFAULT '', -- of a search
    doc_type    text NOT NULL DEFAULT '', -- of a search or a scope, like the next three; '': any
    nature      text NOT NULL DEFAULT '',
    domaine     text NOT NULL DEFAULT '',
    country     text NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (user_id, kind, subject)
);
CREATE INDEX follows_open ON follows (id) WHERE kind IN ('search', 'scope');

-- The texts and articles that a follow is about.
CREATE TABLE follow_targets (
    document_id uuid NOT NULL,
    follow_id   uuid NOT NULL REFERENCES follows ON DELETE CASCADE,
    article_key text NOT NULL DEFAULT '', -- as law.ArticleKey makes it; '': the whole text
    PRIMARY KEY (document_id, follow_id, article_key)
);
CREATE INDEX follow_targets_follow ON follow_targets (follow_id);

-- Messages to the owners of accounts: digests of alerts, and that a webhook was turned off.
CREATE TABLE alert_mails (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind          text NOT NULL CHECK (kind IN ('digest', 'webhook')),
    about         text NOT NULL DEFAULT '', -- address of the webhook
    stop_hash     bytea NOT NULL, -- of the token of the link that ends the digests
    stop_token    text NOT NULL, -- emptied once the message is sent
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
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    change_id bigint NOT NULL REFERENCES law_changes,
    follow_id uuid NOT NULL REFERENCES follows ON DELETE CASCADE,
    mail_id   uuid REFERENCES alert_mails ON DELETE SET NULL,
    mailed    boolean NOT NULL DEFAULT false, -- in a message, or not to be in one
    at        timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, change_id)
);
CREATE INDEX alerts_change ON alerts (change_id);
CREATE INDEX alerts_follow ON alerts (follow_id);
CREATE INDEX alerts_mail ON alerts (mail_id);
CREATE INDEX alerts_newest ON alerts (user_id, id DESC);
CREATE INDEX alerts_unmailed ON alerts (user_id, id) WHERE (NOT mailed);

-- Whether an account is told by mail, and from when the next digest may be sent.
CREATE TABLE alert_settings (
    user_id   uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    mail      boolean NOT NULL DEFAULT true,
    digest_at timestamptz NOT NULL DEFAULT '-infinity'
);

-- How far the journal has been compared with what accounts follow: one row.
CREATE TABLE alert_matching (
    id          uuid PRIMARY KEY,
    alone       boolean NOT NULL DEFAULT true UNIQUE CHECK (alone),
    change_id   bigint NOT NULL DEFAULT 0, -- last change that is done
    follow_id   uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000', -- last follow that was compared with the next one
    state         text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    error         text NOT NULL DEFAULT '', -- why the last attempt failed
    lease_until   timestamptz NOT NULL DEFAULT '-infinity',
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    updated_at  timestamptz NOT NULL DEFAULT now()
);

-- Addresses of other programs that are told of alerts.
CREATE TABLE webhooks (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    url           text NOT NULL CHECK (length(url) <= 2000),
    secret        bytea NOT NULL, -- that signs what is sent
    active        boolean NOT NULL DEFAULT true,
    failing_since timestamptz, -- of the first failure after the last success
    reason        text NOT NULL DEFAULT '', -- why the service turned it off
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (user_id, url)
);

-- What is sent to them, a change once.
CREATE TABLE webhook_deliveries (
    id            uuid PRIMARY KEY,
    webhook_id    uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    change_id     bigint REFERENCES law_changes, -- NULL: a test
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,
    hints         integer NOT NULL DEFAULT 0,
    status        integer, -- of the last response
    error         text NOT NULL DEFAULT '', -- of the last attempt
    took_ms       integer,
    lease_until   timestamptz NOT NULL DEFAULT now(),
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (webhook_id, change_id)
);
CREATE INDEX webhook_deliveries_change ON webhook_deliveries (change_id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (lease_until) WHERE state IN ('queued', 'running');
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at DESC);

-- Inquiries.

-- Requests for an appointment from the public page. status is what people have done with one; the other
-- columns from state on are the work of notifying it by e-mail, with the lease columns of every kind of work.
CREATE TABLE inquiries (
    id             uuid PRIMARY KEY,
    company        text NOT NULL CHECK ((char_length(company) >= 2) AND (char_length(company) <= 255)),
    contact_name   text NOT NULL CHECK ((char_length(contact_name) >= 2) AND (char_length(contact_name) <= 255)),
    email          text NOT NULL CHECK (char_length(email) <= 254),
    phone          text CHECK (char_length(phone) <= 64),
    team_size      text CHECK (team_size IN ('1-10', '11-50', '51-200', '200+')),
    use_case       text NOT NULL CHECK ((char_length(use_case) >= 2) AND (char_length(use_case) <= 4000)),
    preferred_slot text CHECK (char_length(preferred_slot) <= 255),
    address_hash   bytea NOT NULL CHECK (octet_length(address_hash) = 32), -- keyed; never the address itself
    status         text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'read', 'answered', 'closed')),
    created_at     timestamptz NOT NULL UNIQUE, -- distinct, so that it can be a cursor
    changed_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL DEFAULT now(),
    state          text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
    attempt        integer NOT NULL DEFAULT 0,
    attempt_floor  integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    failures       integer NOT NULL DEFAULT 0,
    error          text NOT NULL DEFAULT '', -- why the last attempt failed
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

-- Functions and triggers.

-- Whatever takes an account's rights away takes its keys with them, whichever program does it; a right that
-- is given again brings none back. An account that was erased leaves no names of keys.
-- +goose StatementBegin
CREATE FUNCTION api_keys_follow() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.email = 'efface-' || NEW.id || '@vigueur.invalid' THEN
        DELETE FROM api_keys WHERE owner_id = NEW.id;
    ELSIF NOT NEW.active OR array_position('{user,editor,admin}', NEW.role) < array_position('{user,editor,admin}', OLD.role) THEN
        UPDATE api_keys SET revoked_at = now() WHERE owner_id = NEW.id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Adds a line to the chain when its transaction commits. The lock is the last one that a transaction takes,
-- and held for the commit alone: nobody waits in a circle.
-- +goose StatementBegin
CREATE FUNCTION audit_link() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    head audit_chain;
BEGIN
    PERFORM pg_advisory_xact_lock(8532478934958371379); -- "vigueur3"
    SELECT * INTO head FROM audit_chain ORDER BY seq DESC LIMIT 1;
    IF NOT FOUND THEN
        head.seq := 0;
        head.hash := decode(repeat('00', 32), 'hex');
    END IF;
    INSERT INTO audit_chain VALUES (head.seq + 1, NEW.at, NEW.id, head.hash, audit_sum(head.hash, head.seq + 1, NEW));
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Makes the partitions of last month and of the given number of months from now on that are not there. A
-- month of which rows lie in audit_later stays there.
-- +goose StatementBegin
CREATE FUNCTION audit_prepare(ahead integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    first timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    month timestamp;
BEGIN
    FOR i IN -1..ahead LOOP
        month := first + make_interval(months => i);
        BEGIN
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF audit FOR VALUES FROM (%L) TO (%L)',
                'audit_' || to_char(month, 'YYYY_MM'), to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00',
                to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        EXCEPTION WHEN check_violation THEN
            NULL;
        END;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION audit_refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
-- +goose StatementEnd

-- What is hashed of a line: the hash before it, its number and its fields, each with its length before it, so
-- that no two lines read alike.
-- +goose StatementBegin
CREATE FUNCTION audit_sum(prev bytea, seq bigint, line audit) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$ SELECT sha256(prev || convert_to(string_agg(octet_length(field) || ':' || field, ',' ORDER BY place), 'UTF8'))
        FROM unnest(ARRAY[seq::text, line.id::text, (extract(epoch FROM line.at) * 1000000)::bigint::text,
            coalesce(line.user_id::text, ''), line.action, line.object, line.details::text]) WITH ORDINALITY f (field, place) $$;
-- +goose StatementEnd

-- Notes what a statement has changed: its rows as they are now, less its rows as they were. One statement is
-- one note, however many rows it touches.
-- +goose StatementBegin
CREATE FUNCTION documents_counted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    cells text;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM document_counts;
    ELSE
        cells := CASE TG_OP
            WHEN 'INSERT' THEN 'SELECT domaine, doc_type, statut, promulgated_on, 1 AS n FROM made WHERE NOT in_review'
            WHEN 'DELETE' THEN 'SELECT domaine, doc_type, statut, promulgated_on, -1 AS n FROM gone WHERE NOT in_review'
            ELSE 'SELECT domaine, doc_type, statut, promulgated_on, 1 AS n FROM made WHERE NOT in_review
                UNION ALL SELECT domaine, doc_type, statut, promulgated_on, -1 FROM gone WHERE NOT in_review' END;
        EXECUTE 'WITH delta AS (
                SELECT coalesce(domaine, '''') AS domaine, coalesce(doc_type, '''') AS doc_type, coalesce(statut, '''') AS statut,
                    month, sum(n) AS n
                FROM (SELECT domaine, doc_type, statut, date_trunc(''month'', promulgated_on::timestamp)::date AS month, n FROM (' || cells || ') c) c
                GROUP BY month, CUBE (domaine, doc_type, statut) HAVING sum(n) <> 0),
            free AS (
                SELECT c.ctid AS place FROM document_counts c JOIN delta USING (domaine, doc_type, statut, month)
                FOR UPDATE OF c SKIP LOCKED),
            taken AS (
                DELETE FROM document_counts WHERE ctid = ANY (ARRAY(SELECT place FROM free)) RETURNING domaine, doc_type, statut, month, n)
            INSERT INTO document_counts
            SELECT domaine, doc_type, statut, month, sum(n) FROM (SELECT * FROM delta UNION ALL SELECT * FROM taken) both_of
            GROUP BY domaine, doc_type, statut, month HAVING sum(n) <> 0';
    END IF;
    WITH free AS (SELECT ctid AS place FROM document_stamps LIMIT 100 FOR UPDATE SKIP LOCKED),
        taken AS (DELETE FROM document_stamps WHERE ctid = ANY (ARRAY(SELECT place FROM free)) RETURNING stamp)
    INSERT INTO document_stamps
    SELECT hashtextextended(gen_random_uuid()::text, 0) # coalesce(bit_xor(stamp), 0) FROM taken;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- A token that renews a session says the same of it as the one before.
-- +goose StatementBegin
CREATE FUNCTION refresh_token_inherits() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT t.client, t.started_at INTO NEW.client, NEW.started_at FROM refresh_tokens t
        WHERE t.family = NEW.family ORDER BY t.created_at DESC LIMIT 1;
    NEW.started_at := coalesce(NEW.started_at, now());
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION text_names_add() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO text_names (document_id) SELECT id FROM made ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION text_names_expire() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO text_names (document_id) VALUES (NEW.id) ON CONFLICT (document_id) DO UPDATE SET analysis = 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE ON audit FOR EACH ROW
    EXECUTE FUNCTION audit_refuse();
CREATE CONSTRAINT TRIGGER audit_linked AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    EXECUTE FUNCTION audit_link();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT
    EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE ON audit_chain FOR EACH ROW
    EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON audit_chain FOR EACH STATEMENT
    EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER users_lose_keys AFTER UPDATE OF role, active, email ON users FOR EACH ROW
    EXECUTE FUNCTION api_keys_follow();
CREATE TRIGGER refresh_tokens_inherit BEFORE INSERT ON refresh_tokens FOR EACH ROW
    EXECUTE FUNCTION refresh_token_inherits();
CREATE TRIGGER documents_changed AFTER UPDATE ON documents REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT
    EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_emptied AFTER TRUNCATE ON documents FOR EACH STATEMENT
    EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_gone AFTER DELETE ON documents REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
    EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_made AFTER INSERT ON documents REFERENCING NEW TABLE AS made FOR EACH STATEMENT
    EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_named AFTER INSERT ON documents REFERENCING NEW TABLE AS made FOR EACH STATEMENT
    EXECUTE FUNCTION text_names_add();
CREATE TRIGGER documents_renamed AFTER UPDATE OF title, nature, numero_officiel, doc_type, promulgated_on, countries ON documents
    FOR EACH ROW WHEN ((OLD.title, OLD.nature, OLD.numero_officiel, OLD.doc_type, OLD.promulgated_on, OLD.countries)
        IS DISTINCT FROM (NEW.title, NEW.nature, NEW.numero_officiel, NEW.doc_type, NEW.promulgated_on, NEW.countries))
    EXECUTE FUNCTION text_names_expire();

ALTER TABLE vectors ALTER COLUMN packed SET STORAGE EXTERNAL; -- vectors do not compress

-- Rows that every database has.

SELECT audit_prepare(24);

INSERT INTO domaines (code, label, description, position) VALUES
    ('travail', 'Travail', 'Contrats de travail, salaires, congés, licenciement, sécurité sociale', 1),
    ('impots', 'Impôts', 'Lois de finances, impôts directs et indirects, procédures fiscales', 2),
    ('douanes', 'Douanes', 'Tarifs, régimes et procédures douanières', 3),
    ('civil', 'Civil', 'Personnes, famille, obligations, procédure civile', 4),
    ('penal', 'Pénal', 'Infractions, peines, procédure pénale', 5),
    ('foncier', 'Foncier', 'Propriété, domaine public, urbanisme, cadastre', 6),
    ('autre', 'Autre', 'Textes qui ne relèvent d’aucun des domaines précédents', 99);
INSERT INTO alert_matching (id) VALUES (gen_random_uuid());
INSERT INTO followers (name) VALUES ('titles'), ('passages'), ('versions'), ('examples');
