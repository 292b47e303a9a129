import type { Inspection } from "../../../src/log/inspect-log.ts"
import { asCount, counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import { kindTitles, sharePercent } from "./inspection.ts"
import { ShareBar, ShareTable } from "./share-table.tsx"

/** What `queryveil inspect` says about a log, as tables. */
export function InspectionView({ inspection, people }: { inspection: Inspection; people: string }) {
  const { exposure, lengths } = inspection
  const rare = exposure?.queries.find(({ fewerThan }) => fewerThan === 2)
  return (
    <div class="two">
      <Panel title="How few people share a query">
        {exposure === null || exposure === undefined ? (
          <p>The log has no users, so this is not known.</p>
        ) : (
          <>
            <p class="first">
              {asCount(exposure.usersWithUniqueQuery.users)} of {asCount(inspection.size.users)} {people} issued a query
              that nobody else did
              {rare && `, and ${sharePercent(rare.queryShare)} of the different queries were issued by one alone`}. Such
              a query can give its author away.
            </p>
            <ShareTable
              caption="Queries by the number of people who issued them"
              first="Issued by"
              rows={exposure.queries.map((part) => ({
                ...part,
                name: part.fewerThan === 2 ? "one alone" : `fewer than ${part.fewerThan}`,
              }))}
            />
          </>
        )}
      </Panel>
      <Identifiers inspection={inspection} />
      <Panel title="Words in a query">
        <p class="first">Long queries are seldom shared, so a release withholds more of them.</p>
        <ShareTable
          caption="Queries by their number of words"
          first="Words"
          rows={lengths.map((part) => ({ ...part, name: `${part.words}${part.orMore ? " or more" : ""}` }))}
        />
      </Panel>
      <WordRuns inspection={inspection} />
    </div>
  )
}

function Identifiers({ inspection: { identifiers, size } }: { inspection: Inspection }) {
  const kinds = identifiers.filter(({ kind, queries }) => !kind.startsWith("any") && queries > 0)
  const any = identifiers.find(({ kind }) => kind === "any")
  const most = Math.max(1, ...kinds.map(({ events }) => events))
  return (
    <Panel title="Direct identifiers">
      <p class="first">
        {any === undefined || any.events === 0 ? (
          "None was found in any query. Detectors miss some."
        ) : (
          <>
            {counted(any.events, "search contains", "searches contain")} something that names a person directly (
            {sharePercent(any.events / Math.max(1, size.events))}). They were found by rule: some are missed, and some
            are none.
          </>
        )}
      </p>
      {kinds.length > 0 && (
        <div class="scroll">
          <table class="shares">
            <caption class="unseen">Identifiers by kind</caption>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col" class="number">
                  Different queries
                </th>
                <th scope="col" class="number">
                  Searches
                </th>
                <th scope="col">
                  <span class="unseen">Searches as a bar</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {kinds.map(({ kind, queries, events }) => (
                <tr key={kind}>
                  <th scope="row">{kindTitles[kind] ?? kind}</th>
                  <td class="number">{asCount(queries)}</td>
                  <td class="number">{asCount(events)}</td>
                  <td class="share">
                    <ShareBar share={events / most} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

const runNames = ["One word", "Two words in a row", "Three words in a row"]

function WordRuns({ inspection: { ngrams } }: { inspection: Inspection }) {
  return (
    <Panel title="Frequent words">
      <p class="first">
        Words in a row are frequent if one person in ten thousand typed them, here{" "}
        {counted(ngrams.leastUsers, "person", "people")}. Words such as “the” and “of” alone do not count.
      </p>
      <div class="scroll">
        <table class="shares">
          <caption class="unseen">Runs of words, and how many are frequent</caption>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" class="number">
                Different
              </th>
              <th scope="col" class="number">
                Frequent
              </th>
              <th scope="col">Share of what was typed</th>
            </tr>
          </thead>
          <tbody>
            {ngrams.lengths.map(({ n, unique, total, frequent }) => (
              <tr key={n}>
                <th scope="row">{runNames[n - 1] ?? `${n} words in a row`}</th>
                <td class="number">{asCount(unique)}</td>
                <td class="number">{asCount(frequent.unique)}</td>
                <td class="share">
                  <ShareBar share={total === 0 ? 0 : frequent.total / total} />{" "}
                  {sharePercent(total === 0 ? 0 : frequent.total / total)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
