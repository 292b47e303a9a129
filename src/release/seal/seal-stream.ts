import { randomBytes } from "node:crypto"
import { createContext, type RunContext } from "../../kernels/context.ts"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { shuffle } from "../../kernels/random.ts"
import { type Table, tableOf } from "../../kernels/table.ts"
import { type SearchLog, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import { measureGuarantee } from "../../methods/swap/measure-guarantee.ts"
import { cutBySettings } from "../../stream/live/settings.ts"
import type { ArchiveFacts } from "../../stream/store/archive.ts"
import { openStreamAudit } from "../../stream/store/audited-releases.ts"
import { dealingTable } from "../../swapper/dealing-secret.ts"
import { taxonomyFingerprint } from "../../taxonomy/fingerprint.ts"
import { builtIn, openTaxonomy } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { formatKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import { ownPlace, type RowsDraft } from "../anonymize.ts"
import { policyOf, releaseColumns, shownColumns } from "../column-policy.ts"
import { releaseVersion } from "../manifest.ts"
import { findSearches } from "./find-searches.ts"
import { type Bounds, differs, gatherPeriod, type Period } from "./gather-period.ts"

/** Options for sealing a period of a stream. */
export interface SealOptions extends Bounds {
  /** File with the releases, or the folder `output` of the store. */
  output: string
  /** Folder of `stream run --audit`. */
  audit: string
  /** As they were given to the stream. */
  taxonomy?: string | undefined
  classifier?: string | undefined
}

/**
 * Closes a period of a live stream. Makes a release of its rows as they left, with the same names, in random order. The
 * guarantee is that of swapping, with what the attacks find now. Its side tables lead to lines of the log that the
 * stream read.
 */
export async function sealStream(
  options: SealOptions,
  log: SearchLog,
  context: RunContext = createContext(),
): Promise<{ draft: RowsDraft; released: number; covered: number }> {
  const audit = await openStreamAudit(options.audit)
  const taxonomy = await openTaxonomy(options.taxonomy, {}, context)
  if (taxonomyFingerprint(taxonomy) !== audit.facts.taxonomy)
    throw new QueryveilError("store-mismatch", "The stream ran with another taxonomy. Give that one with --taxonomy.", {
      flag: "--taxonomy",
    })
  const period = await gatherPeriod({ output: options.output, audit, taxonomy, bounds: options }, context)
  const { settings, released, covered } = period
  const find = findSearches(log, { withUrls: settings.urls === "keep" })
  const source = Uint32Array.from(period.rows, ({ audited }) => find(audited.record))
  const donor = Uint32Array.from(period.rows, ({ audited }) => find(audited.as))
  const categories = categoriesOf(period, taxonomy)
  if (settings.category === true) checkCategories(period, { of: categories.of, taxonomy, output: options.output })
  const order = drawOrder(period, context)
  const parameters = parametersOf(period, options)
  const { guarantee, measured } = await measureGuarantee(
    {
      shown: {
        user: Int32Array.from(donor, (row) => log.user[row]),
        text: Int32Array.from(source, (row) => log.query[row]),
        category: categories.of,
        time: Int32Array.from(period.rows, ({ audited }) =>
          parameters.time === "own" ? audited.record.time : audited.closed,
        ),
        truth: Int32Array.from(source, (row) => log.user[row]),
      },
      cell: Int32Array.from(period.rows, ({ audited }) => audited.cell),
      queries: log.queries,
      about: {
        k: settings.k,
        counted: log.unit,
        repeats: parameters.repeats,
        mode: settings.mode,
        users: settings.users,
        ownTimes: parameters.time === "own",
        distinctTexts: parameters.cellTexts === "distinct",
        stream: { longerNamesBefore: settings.shorterSince !== undefined },
      },
    },
    context,
  )
  const rows = arrangedRows(period, order)
  const draft: RowsDraft = {
    kind: "rows",
    manifest: {
      queryveil: releaseVersion,
      id: randomBytes(16).toString("hex"),
      method: "swap",
      parameters: { ...parameters },
      guarantee,
      columns: rows.columns.map((column) => releaseColumns[column]),
      seeded: context.random.seeded,
      created: new Date(context.now()).toISOString(),
    },
    rows,
    withheld: {},
    audit: {
      categories: categories.table,
      trail: trailOf({ period, order, source, donor, log }),
      ...(settings.mode === "strict" && dealingOf(period, audit.facts)),
    },
    places: placesOf(options),
    warnings: traitsOf(guarantee).promised ? [] : [guarantee.statement],
    measured,
  }
  return { draft, released, covered }
}

/**
 * The secret under which the cells were dealt, and the number of each cell in its category. Empty if an earlier version
 * dealt cells of the store, because then the secret does not give them again.
 */
function dealingOf({ rows }: Period, { dealing }: ArchiveFacts): Record<string, Table> {
  if (dealing === undefined) return {}
  const numbers = new Map(rows.map(({ audited }) => [audited.cell, audited.numberInCategory]))
  return {
    dealing: dealingTable({ key: Buffer.from(dealing.key, "hex"), version: dealing.version }),
    cells: tableOf(["cell", "number in category"], [...numbers]),
  }
}

const placesOf = ({ taxonomy = builtIn, classifier }: SealOptions) => ({
  ...(taxonomy !== builtIn && { taxonomy }),
  ...(classifier !== undefined && { classifier }),
})

/**
 * Option values like those of `anonymize swap`. The rows of the period decide whether the texts of a cell are distinct,
 * and whether each text leaves once.
 */
function parametersOf(period: Period, { taxonomy = builtIn, classifier }: SealOptions) {
  const { k, depth, branches, mode, users, urls, time, scrub, repeats, category } = period.settings
  const once = repeats === "once" && isOnce(period)
  return {
    k,
    mode,
    ...(mode === "strict" && { cellTexts: hasDistinctTexts(period) ? ("distinct" as const) : ("any" as const) }),
    repeats: once ? ("once" as const) : ("keep" as const),
    depth: branches === undefined ? String(depth) : "auto",
    minQueryUsers: 1,
    taxonomy: taxonomy === builtIn ? builtIn : ownPlace,
    ...(classifier !== undefined && { classifier: ownPlace }),
    scrub: formatKinds(parseKinds(scrub)),
    users,
    urls,
    time,
    ...(category === true && { category }),
  }
}

/**
 * True if no text of a user left with two cells. This is checked because a stream forgets what it released long ago.
 */
function isOnce({ rows }: Period): boolean {
  const cellOf = new Map<string, number>()
  return rows.every(({ audited: { record, cell } }) => {
    const key = `${record.user}\t${record.query}`
    const earlier = cellOf.get(key) ?? cell
    cellOf.set(key, earlier)
    return earlier === cell
  })
}

/** True if no two users of a cell have the same text. */
function hasDistinctTexts({ rows }: Period): boolean {
  const userOf = new Map<string, string>()
  return rows.every(({ audited: { record, cell } }) => {
    const key = `${cell}\t${record.query}`
    const earlier = userOf.get(key) ?? record.user
    userOf.set(key, earlier)
    return earlier === record.user
  })
}

/**
 * The category of each release. The table, for the audit, has the number of releases per category and their mean wait
 * by the log's times.
 */
function categoriesOf({ rows, settings }: Period, taxonomy: Taxonomy): { of: Int32Array; table: Table } {
  const cut = cutBySettings(taxonomy, settings)
  const of = Int32Array.from(rows, ({ audited }) => cut[audited.record.topic])
  const [left, waited] = [new Float64Array(taxonomy.size), new Float64Array(taxonomy.size)]
  rows.forEach(({ audited }, i) => {
    left[of[i]]++
    waited[of[i]] += audited.closed - audited.record.time
  })
  const nodes = Uint32Array.from(left.keys()).filter((node) => left[node] > 0)
  const table: Table = {
    columns: ["category", "searches", "released", "mean wait in seconds"],
    rows: nodes.length,
    cell: (row, column) => {
      const node = nodes[row]
      return [taxonomy.path(node), left[node], left[node], Math.round(waited[node] / left[node])][column]
    },
  }
  return { of, table }
}

/** Checks that the output shows the category in which each search was swapped. */
function checkCategories(
  { rows }: Period,
  { of, taxonomy, output }: { of: Int32Array; taxonomy: Taxonomy; output: string },
): void {
  rows.forEach(({ shown }, i) => {
    if (shown.category !== taxonomy.path(of[i])) throw differs(output, shown.seq)
  })
}

/**
 * Draws the order of rows: names in random order, and the rows of a name by the time shown, in random order where it is
 * equal. Without names, every row is placed at random.
 */
function drawOrder({ rows }: Period, { random }: RunContext): Uint32Array {
  const drawn = Uint32Array.from(rows.keys())
  shuffle(drawn, random)
  const placeOf = new Map<string, number>()
  const nameAt = (row: number) => rows[row].shown.user ?? `${row}`
  for (const row of drawn) if (!placeOf.has(nameAt(row))) placeOf.set(nameAt(row), placeOf.size)
  const place = Uint32Array.from(rows.keys(), (row) => placeOf.get(nameAt(row)) ?? 0)
  return drawn.sort((a, b) => place[a] - place[b] || rows[a].time - rows[b].time)
}

function arrangedRows({ rows, settings }: Period, order: Uint32Array): RowsDraft["rows"] {
  const texts = () => {
    const ids = new Map<string, number>()
    const idOf = (text: string | undefined) => {
      if (text === undefined) return -1
      const id = ids.get(text) ?? ids.size
      ids.set(text, id)
      return id
    }
    return { idOf, parts: () => dictionaryOf(ids.keys()).parts() }
  }
  const [users, queries, urls, categories] = [texts(), texts(), texts(), texts()]
  const count = rows.length
  const columns = {
    user: sharedInt32(count),
    query: sharedInt32(count),
    time: sharedInt32(count),
    rank: sharedUint16(count),
    url: sharedInt32(count),
    category: sharedInt32(count),
  }
  rows.forEach(({ shown, time }, i) => {
    columns.user[i] = users.idOf(shown.user)
    columns.query[i] = queries.idOf(shown.query)
    columns.time[i] = time
    columns.rank[i] = shown.rank === undefined ? unknownRank : Number(shown.rank)
    columns.url[i] = urls.idOf(shown.url)
    columns.category[i] = categories.idOf(shown.category)
  })
  const policy = policyOf({
    users: settings.users,
    urls: settings.urls,
    time: settings.time,
    category: settings.category === true,
  })
  if (policy === undefined) throw new QueryveilError("internal", "Unknown column policy.")
  const sharedOrder = sharedUint32(count)
  sharedOrder.set(order)
  const urlParts = urls.parts()
  return {
    log: columns,
    users: users.parts(),
    queries: queries.parts(),
    urls: urlParts,
    ...(settings.category === true && { categories: categories.parts() }),
    columns: shownColumns(policy),
    order: sharedOrder,
    group: sharedUint32(count),
    names: undefined,
    urlShown: new Uint8Array(new SharedArrayBuffer(urlParts.offsets.length)).fill(1),
    timeUnit: 1,
  }
}

/**
 * For each row of the release: the line of its search, the line of the search whose user it is shown with, its cell,
 * and how many users waited in the category.
 */
function trailOf(subject: {
  period: Period
  order: Uint32Array
  source: Uint32Array
  donor: Uint32Array
  log: SearchLog
}): Table {
  const { period, order, source, donor, log } = subject
  return {
    columns: ["row", "query_row", "user_row", "cell", "users"],
    rows: order.length,
    cell: (row, column) => {
      const at = order[row]
      const { cell, users } = period.rows[at].audited
      return [row + 1, log.line[source[at]], log.line[donor[at]], cell, users][column]
    },
  }
}
