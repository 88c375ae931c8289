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

	"vigueur/internal/kit/errs"
)

// Put indexes titles, replaces titles with the same ids, and waits for the result.
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

// Delete removes titles and waits for the result. Unknown ids are ignored.
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

// Rebuild rebuilds the index. fill must call put for all titles, in batches of any size.
// Searches use the old index until the new one is complete.
func (x *Index) Rebuild(ctx context.Context, fill func(put func([]Title) error) error) error {
	// The name is unique, so that a concurrent rebuild, by a worker that was considered lost,
	// does not fill the same index.
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
	// A swap requires that both indexes exist.
	if err := x.create(ctx, uid); err != nil {
		return err
	}
	task, err = x.server.SwapIndexesWithContext(ctx, []*meilisearch.SwapIndexesParams{{Indexes: []string{uid, twin}}})
	if err := x.wait(ctx, "swap", task, err); err != nil {
		return err
	}
	return x.drop(ctx, twin)
}

// lostAfter is the time after which an index of a rebuild without writes is abandoned. A
// running rebuild writes to it every few seconds.
const lostAfter = time.Hour

// dropTwins deletes the indexes of abandoned rebuilds.
func (x *Index) dropTwins(ctx context.Context) error {
	list, err := x.server.ListIndexesWithContext(ctx, &meilisearch.IndexesQuery{Limit: 1000})
	if err = classify("list indexes", err); errs.Is(err, errs.Internal) {
		return nil // if the key must not list indexes, leftovers stay and only waste space
	}
	if err != nil {
		return err
	}
	for _, i := range list.Results {
		if strings.HasPrefix(i.UID, twins) && time.Since(i.UpdatedAt) > lostAfter {
			if err := x.drop(ctx, i.UID); err != nil {
				return err
			}
		}
	}
	return nil
}

// create creates an index unless it exists.
func (x *Index) create(ctx context.Context, name string) error {
	task, err := x.server.CreateIndexWithContext(ctx, &meilisearch.IndexConfig{Uid: name, PrimaryKey: "id"})
	return allow("index_already_exists", x.wait(ctx, "create index", task, err))
}

// drop deletes an index if it exists.
func (x *Index) drop(ctx context.Context, name string) error {
	task, err := x.server.DeleteIndexWithContext(ctx, name)
	return allow("index_not_found", x.wait(ctx, "delete index", task, err))
}

// failedTask is the error for a task that failed on the server.
type failedTask struct{ what, code, message string }

func (f *failedTask) Error() string {
	return fmt.Sprintf("task: %s: %s (%s)", f.what, f.message, f.code)
}

// allow returns nil for the error of a task that failed with the given code, and all other
// errors unchanged.
func allow(code string, err error) error {
	var failed *failedTask
	if errors.As(err, &failed) && failed.code == code {
		return nil
	}
	return err
}

// wait waits for the end of a task. begun and err are the results of the library call that
// enqueued the task.
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

// IDs calls yield with the id of every indexed title, so that the caller can compare them
// with the catalogue.
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
