import { Panel } from "../../shared/panel.tsx"
import type { Look } from "../answers.ts"
import type { Columns } from "../api.ts"
import { visible } from "../visible.ts"
import { columnsProblem, formats, pickers } from "./columns.ts"

interface ChooseColumnsProps {
  look: Look
  /** The format that was named; undefined: guessed. */
  format: string | undefined
  columns: Columns
  onFormat(format: string | undefined): void
  onColumns(columns: Columns): void
}

/** How the files would be read: the format, and the first rows, masked, under a picker for each column. */
export function ChooseColumns({ look, format, columns, onFormat, onColumns }: ChooseColumnsProps) {
  const problem = look.columns.length === 0 ? undefined : columnsProblem(columns)
  return (
    <Panel
      title="Columns"
      aside={
        <label class="format">
          Format
          <select value={format ?? ""} onChange={(event) => onFormat(event.currentTarget.value || undefined)}>
            <option value="">{format === undefined ? `${look.format} (guessed)` : "guess"}</option>
            {formats.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {look.problem !== undefined && (
        <p class="notice warn">
          {look.columns.length > 0 ? (
            "Not all columns could be recognised by their names. Choose them below."
          ) : (
            <bdi>{visible(look.problem.message)}</bdi>
          )}
        </p>
      )}
      {look.columns.length === 0 ? (
        <Known look={look} />
      ) : (
        <>
          <div class="pickers">
            {pickers.map(({ name, title, says, isNeeded }) => (
              <label key={name}>
                <span>
                  <b>{title}</b>, {says}
                </span>
                <select
                  value={columns[name] ?? ""}
                  onChange={(event) => onColumns(withColumn(columns, name, event.currentTarget.value))}
                >
                  <option value="">{isNeeded ? "choose a column" : "not in this log"}</option>
                  {look.columns.map((column) => (
                    <option key={column.place} value={column.place}>
                      {nameOf(column)}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
          {problem !== undefined && <p class="note outcome failed">{problem}</p>}
          <FirstRows look={look} columns={columns} />
          <p class="note">
            The first rows are masked: a letter is an a, a digit is a 9, and at most four of them in a row are shown.
            Their text has not left the server.
          </p>
        </>
      )}
    </Panel>
  )
}

/** A column without a header is named by its position. */
export const nameOf = ({ name }: { name: string }) => (/^\d+$/.test(name) ? `column ${name}` : visible(name))

function withColumn(columns: Columns, name: keyof Columns, place: string): Columns {
  const { [name]: _, ...rest } = columns
  return place === "" ? rest : { ...rest, [name]: place }
}

/** The format says where its columns are. */
function Known({ look }: { look: Look }) {
  return (
    <>
      {look.problem === undefined && <p>This format has known columns, so there is nothing to choose.</p>}
      <ul>
        {look.readings.map((reading) => (
          <li key={reading} class="quiet">
            <bdi>{reading}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

function FirstRows({ look, columns }: { look: Look; columns: Columns }) {
  const rows = Math.max(0, ...look.columns.map(({ examples }) => examples.length))
  const meaningOf = (place: string) => pickers.find(({ name }) => columns[name] === place)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label="The first rows, masked">
      <table class="first-rows">
        <thead>
          <tr>
            {look.columns.map((column) => {
              const meaning = meaningOf(column.place)
              return (
                <th key={column.place} scope="col" class={meaning === undefined ? "" : "used"}>
                  <bdi>{nameOf(column)}</bdi>
                  <span class={meaning === undefined ? "quiet" : "pill good"}>
                    {meaning?.title.toLowerCase() ?? "not used"}
                  </span>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => row).map((row) => (
            <tr key={row}>
              {look.columns.map(({ place, examples }) => (
                <td key={place} class={meaningOf(place) === undefined ? "" : "used"}>
                  <bdi>{visible(examples[row] ?? "")}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
