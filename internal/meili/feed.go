package meili

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/meilisearch/meilisearch-go"

	"vigueur/internal/errs"
)

// settings are what makes the index search French titles. A text's number is
// searched but never forgiven a slip: « 2000-109 » is not « 2000-190 ».
func settings() *meilisearch.Settings {
	return &meilisearch.Settings{
		SearchableAttributes: []string{"title", "numero_officiel"},
		FilterableAttributes: []string{"domaine", "doc_type", "statut", "date_promulgation"},
		SortableAttributes:   []string{"date_promulgation"},
		RankingRules:         []string{"words", "typo", "proximity", "attribute", "sort", "exactness"},
		StopWords:            []string{"de", "du", "des", "la", "le", "les", "l", "d", "et", "portant", "relatif", "relative", "au", "aux", "en"},
		// The library would send word sizes of 0, with which everything resembles everything.
		TypoTolerance: &meilisearch.TypoTolerance{Enabled: true, DisableOnNumbers: true, DisableOnWords: []string{},
			MinWordSizeForTypos: meilisearch.MinWordSizeForTypos{OneTypo: 5, TwoTypos: 9}, DisableOnAttributes: []string{"numero_officiel"}},
		LocalizedAttributes: []*meilisearch.LocalizedAttributes{{AttributePatterns: []string{"*"}, Locales: []string{"fra"}}},
		Pagination:          &meilisearch.Pagination{MaxTotalHits: mostHits},
	}
}

// Put indexes titles, in the place of what was indexed under their ids, and waits.
func (x *Index) Put(ctx context.Context, titles []Title) error { return x.put(ctx, uid, titles) }

func (x *Index) put(ctx context.Context, index string, titles []Title) error {
	key := "id"
	for part := range slices.Chunk(titles, batch) {
		task, err := x.server.Index(index).AddDocumentsWithContext(ctx, part, &meilisearch.DocumentOptions{PrimaryKey: &key})
		if err := x.wait(ctx, "add titles", task, err); err != nil {
			return err
		}
	}
	return nil
}

// Delete takes titles out and waits; those that are not there are no fault.
func (x *Index) Delete(ctx context.Context, ids []uuid.UUID) error {
	for part := range slices.Chunk(ids, batch) {
		names := make([]string, len(part))
		for i, id := range part {
			names[i] = id.String()
		}
		task, err := x.server.Index(uid).DeleteDocumentsWithContext(ctx, names, nil)
		if err := x.wait(ctx, "delete titles", task, err); err != nil {
			return err
		}
	}
	return nil
}

// Rebuild makes the index anew: fill hands over every title, in any portions.
// Searches go on in the old index until the new one is whole.
func (x *Index) Rebuild(ctx context.Context, fill func(put func([]Title) error) error) error {
	// A name of its own: another rebuild, of a worker that was thought lost, must
	// not fill the same index.
	twin := twins + uuid.NewString()
	if err := x.dropTwins(ctx); err != nil {
		return err
	}
	if err := x.create(ctx, twin); err != nil {
		return err
	}
	task, err := x.server.Index(twin).UpdateSettingsWithContext(ctx, settings())
	if err := x.wait(ctx, "settings", task, err); err != nil {
		return err
	}
	if err := fill(func(titles []Title) error { return x.put(ctx, twin, titles) }); err != nil {
		return err
	}
	// Both sides of a swap must be there.
	if err := x.create(ctx, uid); err != nil {
		return err
	}
	task, err = x.server.SwapIndexesWithContext(ctx, []*meilisearch.SwapIndexesParams{{Indexes: []string{uid, twin}}})
	if err := x.wait(ctx, "swap", task, err); err != nil {
		return err
	}
	return x.drop(ctx, twin)
}

// lostAfter is from which age an index that a rebuild fills is nobody's: writes
// to it are seconds apart.
const lostAfter = time.Hour

// dropTwins deletes what rebuilds that were lost have left.
func (x *Index) dropTwins(ctx context.Context) error {
	list, err := x.server.ListIndexesWithContext(ctx, &meilisearch.IndexesQuery{Limit: 1000})
	if err = classify("list indexes", err); errs.Is(err, errs.Internal) {
		return nil // a key that may not list: what is left behind only takes room
	}
	if err != nil {
		return err
	}
	for _, i := range list.Results {
		if strings.HasPrefix(i.UID, twins) && time.Since(i.UpdatedAt) > lostAfter || i.UID == oldTwin {
			if err := x.drop(ctx, i.UID); err != nil {
				return err
			}
		}
	}
	return nil
}

// create makes an index; one that is there stays.
func (x *Index) create(ctx context.Context, name string) error {
	task, err := x.server.CreateIndexWithContext(ctx, &meilisearch.IndexConfig{Uid: name, PrimaryKey: "id"})
	return allow("index_already_exists", x.wait(ctx, "create index", task, err))
}

// drop deletes an index; one that is not there is no fault.
func (x *Index) drop(ctx context.Context, name string) error {
	task, err := x.server.DeleteIndexWithContext(ctx, name)
	return allow("index_not_found", x.wait(ctx, "delete index", task, err))
}

// failedTask is a write that the server took and could not do.
type failedTask struct{ what, code, message string }

func (f *failedTask) Error() string {
	return fmt.Sprintf("task: %s: %s (%s)", f.what, f.message, f.code)
}

// allow is nil for a task that failed with the code.
func allow(code string, err error) error {
	var failed *failedTask
	if errors.As(err, &failed) && failed.code == code {
		return nil
	}
	return err
}

// wait waits for the end of a task, given as the library's call returned it.
func (x *Index) wait(ctx context.Context, what string, begun *meilisearch.TaskInfo, err error) error {
	if err != nil {
		return classify(what, err)
	}
	ctx, cancel := context.WithTimeout(ctx, taskTimeout)
	defer cancel()
	task, err := x.server.WaitForTaskWithContext(ctx, begun.TaskUID, taskPoll)
	if err != nil {
		return classify(what, err)
	}
	if task.Status != meilisearch.TaskStatusSucceeded {
		return errs.Wrap(errs.Internal, "", fmt.Errorf("meili: %w", &failedTask{what, task.Error.Code, task.Error.Message}))
	}
	return nil
}

// IDs hands over the ids of all that is indexed, for holding it against the
// catalogue.
func (x *Index) IDs(ctx context.Context, yield func(uuid.UUID) error) error {
	for offset := int64(0); ; {
		var page meilisearch.DocumentsResult
		err := x.server.Index(uid).GetDocumentsWithContext(ctx, &meilisearch.DocumentsQuery{Offset: offset, Limit: batch, Fields: []string{"id"}}, &page)
		if err != nil {
			return classify("documents", err)
		}
		for _, hit := range page.Results {
			var id uuid.UUID
			if err := json.Unmarshal(hit["id"], &id); err != nil {
				return classify("documents", err)
			}
			if err := yield(id); err != nil {
				return err
			}
		}
		if offset += int64(len(page.Results)); len(page.Results) == 0 || offset >= page.Total {
			return nil
		}
	}
}
