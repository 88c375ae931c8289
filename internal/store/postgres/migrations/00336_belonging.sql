-- +goose Up
-- What belongs to an account though no foreign key says so: it is exported and erased with what does.
COMMENT ON COLUMN answer_seconds.asker IS 'id of an account';
COMMENT ON COLUMN idempotency_keys.owner IS 'id of an account';
COMMENT ON COLUMN account_letters.email IS 'address of an account';
COMMENT ON COLUMN inquiries.email IS 'address of an account';
