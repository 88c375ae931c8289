-- +goose Up
-- « 26-bis » and « 26 bis » are one number (law.ArticleKey). Where a text has both, the one with the hyphen keeps its key until its
-- versions are made again.
UPDATE article_versions v SET article_key = regexp_replace(article_key, '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)', '\1')
WHERE article_key ~ '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)' AND NOT EXISTS (SELECT FROM article_versions o
    WHERE o.document_id = v.document_id AND o.article_key = regexp_replace(v.article_key, '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)', '\1'));
UPDATE amendment_settlements v SET article_key = regexp_replace(article_key, '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)', '\1')
WHERE article_key ~ '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)' AND NOT EXISTS (SELECT FROM amendment_settlements o
    WHERE o.target_id = v.target_id AND o.act_id = v.act_id AND o.article_key = regexp_replace(v.article_key, '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)', '\1'));
UPDATE follow_targets v SET article_key = regexp_replace(article_key, '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)', '\1')
WHERE article_key ~ '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)' AND NOT EXISTS (SELECT FROM follow_targets o
    WHERE o.document_id = v.document_id AND o.follow_id = v.follow_id AND o.article_key = regexp_replace(v.article_key, '-(bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies)', '\1'));

-- +goose Down
