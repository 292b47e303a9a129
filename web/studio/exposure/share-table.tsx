import { asCount } from "../../shared/format.ts"
import { sharePercent } from "./inspection.ts"

/** A line of a table with two counts, each with its share. */
export interface ShareRow {
  name: string
  queries: number
  queryShare: number
  events: number
  eventShare: number
}

/** Counts of distinct queries and of searches, with their shares as bars. */
export function ShareTable({ caption, first, rows }: { caption: string; first: string; rows: readonly ShareRow[] }) {
  return (
    <div class="scroll">
      <table class="shares">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col" colSpan={2}>
              Different queries
            </th>
            <th scope="col" colSpan={2}>
              Searches
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, queries, queryShare, events, eventShare }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{asCount(queries)}</td>
              <ShareCell share={queryShare} />
              <td class="number">{asCount(events)}</td>
              <ShareCell share={eventShare} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ShareCell = ({ share }: { share: number }) => (
  <td class="share">
    <ShareBar share={share} /> {sharePercent(share)}
  </td>
)

/** A share as a bar. The number must be next to it. */
export const ShareBar = ({ share }: { share: number }) => (
  <svg class="share-bar" width="100%" height="6" aria-hidden="true">
    <rect class="track" width="100%" height="6" rx="3" />
    <rect class="bar" width={`${(100 * Math.min(1, share)).toFixed(2)}%`} height="6" rx="3" />
  </svg>
)
