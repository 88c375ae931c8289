-- +goose Up
-- People sign in with their password or a key.
DROP TABLE device_sign_ins;
