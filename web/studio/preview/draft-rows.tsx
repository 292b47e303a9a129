import { useState } from "preact/hooks"
import { asCount } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { DraftView, RowsPage } from "../answers.ts"
import { SortHeading } from "../sort-heading.tsx"
import { nextSorting } from "../sort-rows.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"
import { pageRows, type RowsView, useRows } from "./use-rows.ts"

interface RowsProps {
  studio: Studio
  draft: DraftView
  /** When the draft was made. Another draft is read again. */
  made: string
}

/** The release as its reader would see it, a page at a time. */
export function DraftRows({ studio, draft, made }: RowsProps) {
  const [view, setView] = useState<RowsView>({
    file: draft.files[0]?.name,
    page: 0,
    sorting: undefined,
    search: "",
  })
  const { rows, isLoading } = useRows(studio, view, made)
  const change = (part: Partial<RowsView>) => setView({ ...view, page: 0, ...part })
  return (
    <Panel title="What a reader would see">
      <form class="find" onSubmit={(event) => event.preventDefault()}>
        {draft.files.length > 1 && (
          <label>
            Table
            <select
              value={view.file ?? ""}
              onChange={(event) => change({ file: event.currentTarget.value, sorting: undefined })}
            >
              {draft.files.map(({ name, rows: size }) => (
                <option key={name} value={name}>
                  {name} ({asCount(size)} rows)
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Search in the rows
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            value={view.search}
            onInput={(event) => change({ search: event.currentTarget.value })}
          />
        </label>
      </form>
      {rows !== undefined && (
        <>
          <div class="scroll" aria-busy={isLoading}>
            <table class="released">
              <thead>
                <tr>
                  {rows.columns.map((column) => (
                    <SortHeading
                      key={column}
                      title={column}
                      column={column}
                      sorting={view.sorting}
                      onSort={(chosen) => change({ sorting: nextSorting(view.sorting, chosen) })}
                    />
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.rows.map((cells, row) => (
                  <tr key={row}>
                    {rows.columns.map((column, i) => (
                      <td key={column}>
                        <bdi>{visible(cells[i] ?? "")}</bdi>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Pager rows={rows} page={rows.page} onPage={(page) => setView({ ...view, page })} />
        </>
      )}
    </Panel>
  )
}

function Pager({ rows, page, onPage }: { rows: RowsPage; page: number; onPage(page: number): void }) {
  const { matching, total } = rows
  const start = page * pageRows
  const end = start + rows.rows.length
  const all = matching === total ? "" : ` that match, of ${asCount(total)} in all`
  return (
    <div class="pager">
      <button type="button" class="plain" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <p aria-live="polite">
        {matching === 0
          ? `No row matches, of ${asCount(total)} in all.`
          : `Rows ${asCount(start + 1)} to ${asCount(end)} of ${asCount(matching)}${all}`}
      </p>
      <button type="button" class="plain" disabled={end >= matching} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </div>
  )
}
