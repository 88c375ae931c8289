// A table of what an administration keeps. On a phone each row is a block, every datum under its name; the roles are said,
// for what is laid out otherwise is no table any more to who hears it.
import type { ComponentChildren } from 'preact'

export interface Column<T> { head: string; of: (row: T) => ComponentChildren; class?: string | ((row: T) => string) }

/** rows: one a row, with the key of each; the column named by its number says what the row is. */
export function Table<T>({ label, rows, columns, id, row = 0, extra }: {
  label: string; rows: readonly T[]; columns: readonly Column<T>[]; id: (r: T) => string; row?: number; extra?: (r: T) => Record<string, string>
}) {
  return (
    <div class="scroll cards" tabIndex={0} role="region" aria-label={label}>
      <table role="table">
        <thead role="rowgroup"><tr role="row">{columns.map((c) => <th key={c.head} scope="col" role="columnheader">{c.head}</th>)}</tr></thead>
        <tbody role="rowgroup">{rows.map((r) => (
          <tr key={id(r)} role="row" {...extra?.(r)}>
            {columns.map((c, i) => {
              const of = { key: c.head, class: typeof c.class === 'function' ? c.class(r) : c.class, 'data-l': c.head }
              return i === row ? <th {...of} scope="row" role="rowheader">{c.of(r)}</th> : <td {...of} role="cell">{c.of(r)}</td>
            })}
          </tr>
        ))}</tbody>
      </table>
    </div>
  )
}
