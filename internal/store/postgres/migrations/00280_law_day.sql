-- +goose Up

-- The day that an instant has where a law is in force: in the first of its countries, and that of UTC for a union, a country without a
-- known zone, or none. It is what internal/law/country.Today says; current_date would be the day of the server's own zone.
CREATE FUNCTION law_day(instant timestamptz, countries text[]) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS
$$SELECT (instant AT TIME ZONE CASE countries[1]
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

-- +goose Down
DROP FUNCTION law_day(timestamptz, text[]);
