-- +goose Up

-- When somebody last signed in to the account; NULL: never, as far as the audit log knows.
ALTER TABLE users ADD COLUMN last_sign_in_at timestamptz;
UPDATE users u SET last_sign_in_at = a.at
    FROM (SELECT user_id, max(at) AS at FROM audit WHERE action = 'auth.login' GROUP BY user_id) a WHERE a.user_id = u.id;

-- +goose Down
ALTER TABLE users DROP COLUMN last_sign_in_at;
