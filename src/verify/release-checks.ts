import { isDeepStrictEqual } from "node:util"
import type { RunContext } from "../kernels/context.ts"
import type { ColumnTable } from "../kernels/table.ts"
import { type SearchLog, unknownRank } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import { policyOf, releaseColumns, shownColumns } from "../release/column-policy.ts"
import type { Release, RowsRelease, TablesRelease } from "../release/read-release.ts"
import { type KindSet, kindSet, noKinds, parseKinds } from "../text/identifiers/kinds.ts"
import { detectKinds } from "../text/identifiers/registry.ts"
import { checkClosed } from "./closed-manifest.ts"
import type { ExemptList } from "./exempt-list.ts"
import type { Check } from "./verifier.ts"

const pseudonym = /^u[a-z2-7]{12}$/

/**
 * The row of the released file behind a row of its log. A draft has no file yet and is treated as a table with a
 * header.
 */
export function fileRow(release: RowsRelease, log: SearchLog, row: number): number {
  const header = release.manifest.files[0]?.path.endsWith(".tsv") === false ? 0 : 1
  return log.line[row] - header
}

/** Checks what every release must show, whatever its guarantee: it is unaltered, and its column policies are kept. */
export async function checkRelease(release: Release, exempt: ExemptList, context: RunContext): Promise<Check[]> {
  if (release.kind === "tables") return checkTables(release, exempt, context)
  const released = await release.log(context)
  return [
    await checkFiles(release, { rows: released.rows }),
    await checkClosed(release),
    checkRandomness(release),
    checkTimes(release, released),
    checkNames(release, released),
    checkRanks(release, released),
    checkColumns(release),
    checkScrubbed(release, released, exempt),
  ]
}

/** Tables have no column policy. They show texts in key order and counts. */
async function checkTables(release: TablesRelease, exempt: ExemptList, context: RunContext): Promise<Check[]> {
  const tables = await release.tables(context)
  return [
    await checkFiles(release, {
      rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
      rowsOf: (path) => tables[path.slice(0, path.indexOf("."))].rows,
    }),
    await checkClosed(release),
    checkRandomness(release),
    checkKeyOrder(tables),
    checkScrubbedTables(release, tables, exempt),
  ]
}

/**
 * Checks that the rows are in the order of their keys, which reveals nothing about the log, and that no key occurs
 * twice.
 */
function checkKeyOrder(tables: Record<string, ColumnTable>): Check {
  const about = { name: "key-order", promise: "the rows are in the order of their keys, each key once" }
  for (const [name, { rows, columns }] of Object.entries(tables)) {
    const keys = columns.filter((column) => "texts" in column)
    const compare = (row: number) => {
      for (const { texts, ids } of keys) {
        const order = Buffer.compare(texts.bytes(ids[row - 1]), texts.bytes(ids[row]))
        if (order !== 0) return order
      }
      return 0
    }
    for (let row = 1; row < rows; row++) {
      if (compare(row) >= 0) return { ...about, state: "failed", row: row + 1, detail: name }
    }
  }
  return { ...about, state: "passed" }
}

/** Columns of tables that contain urls. The detectors are for queries, so these columns are skipped. */
const urlColumns = new Set(["url"])

function checkScrubbedTables(release: TablesRelease, tables: Record<string, ColumnTable>, exempt: ExemptList): Check {
  const spared = new Set<string>()
  const about = scrubPromise(release)
  if (traitsOf(release.manifest.guarantee).shows === "profiles")
    return { ...about, state: "passed", detail: "the texts are topics, not queries" }
  const kinds = scrubbedKinds(release)
  if (kinds === undefined) return { ...about, state: "failed", detail: unknownKinds }
  if (kinds === noKinds) return { ...about, state: "not promised", detail: "nothing was scrubbed" }
  for (const [name, { columns }] of Object.entries(tables)) {
    for (const column of columns) {
      if ("values" in column || urlColumns.has(column.name)) continue
      for (let text = 0; text < column.texts.size; text++) {
        const shown = column.texts.text(text)
        if (detectKinds(shown, kinds) === noKinds) continue
        if (!exempt.queries.has(shown))
          return { ...about, state: "failed", row: column.ids.indexOf(text) + 1, detail: exemptDetail(exempt) ?? name }
        spared.add(shown)
      }
    }
  }
  return passScrub(about, spared.size, exempt)
}

const scrubPromise = ({ manifest }: Release) => ({
  name: "scrub",
  promise: `no query has a direct identifier that the detectors know (${manifest.parameters.scrub})`,
})

/** Checks that the columns are those that the policies show. */
function checkColumns({ manifest }: RowsRelease): Check {
  const about = { name: "columns", promise: "the columns follow from the policies" }
  const policy = policyOf(manifest.parameters)
  if (policy === undefined) return { ...about, state: "failed", detail: "unknown policy" }
  const expected = shownColumns(policy).map((column) => releaseColumns[column])
  return { ...about, state: isDeepStrictEqual(manifest.columns, expected) ? "passed" : "failed" }
}

/** Checks that no released query contains an identifier of the scrubbed kinds. Every detector reads each text. */
function checkScrubbed(release: RowsRelease, released: SearchLog, exempt: ExemptList): Check {
  const about = scrubPromise(release)
  const { shows, scrubsItself = [] } = traitsOf(release.manifest.guarantee)
  if (shows === "concepts") return { ...about, state: "passed", detail: "the texts are concepts, not queries" }
  const given = scrubbedKinds(release)
  if (given === undefined) return { ...about, state: "failed", detail: unknownKinds }
  // The method's own verifier checks kinds that the method leaves out by its own rule.
  const kinds = given & ~kindSet(scrubsItself)
  if (kinds === noKinds) return { ...about, state: "not promised", detail: "nothing was scrubbed" }
  let spared = 0
  for (let query = 0; query < released.queries.size; query++) {
    const text = released.queries.text(query)
    if (detectKinds(text, kinds) === noKinds) continue
    if (!exempt.queries.has(text)) {
      const row = fileRow(release, released, released.query.indexOf(query))
      const detail = exemptDetail(exempt)
      return { ...about, state: "failed", row, ...(detail !== undefined && { detail }) }
    }
    spared++
  }
  return passScrub(about, spared, exempt)
}

const exemptDetail = ({ doubt }: ExemptList) =>
  doubt === "of another release"
    ? "the audit's list of exempt queries does not match the receipt, and is not used"
    : undefined

/** Everything found is on the owner's list. The list counts only if the receipt has its digest. */
function passScrub(about: Pick<Check, "name" | "promise">, spared: number, { doubt }: ExemptList): Check {
  if (spared === 0) return { ...about, state: "passed" }
  const detail = `${spared} queries with an identifier are on the owner's list of exempt queries`
  if (doubt === undefined) return { ...about, state: "passed", detail }
  return { ...about, state: "not checked", detail: `${detail}, and no receipt of the release confirms the list` }
}

export const unknownKinds = "unknown kinds"

/** The kinds of identifiers that were left out according to the manifest; undefined if it names an unknown kind. */
export function scrubbedKinds({ manifest }: Release): KindSet | undefined {
  try {
    return parseKinds(String(manifest.parameters.scrub))
  } catch {
    return undefined
  }
}

/** `found` has the number of rows read from all files and, if there are several files, from each. */
async function checkFiles(
  release: Release,
  found: { rows: number; rowsOf?: (path: string) => number },
): Promise<Check> {
  const about = { name: "files", promise: "the files match the manifest" }
  if (release.folder === undefined) return { ...about, state: "passed", detail: "a draft has none" }
  const { files } = release.manifest
  const extra = (await release.files()).find((name) => !files.some(({ path }) => path === name))
  if (extra !== undefined) return { ...about, state: "failed", detail: "a file that the manifest does not name" }
  for (const file of files) {
    const sha256 = await release.fingerprint(file.path)
    if (sha256 !== file.sha256) {
      return {
        ...about,
        state: "failed",
        detail: `${file.path} ${sha256 === undefined ? "is missing" : "was altered"}`,
      }
    }
    const rows = found.rowsOf?.(file.path) ?? file.rows
    if (rows !== file.rows) return { ...about, state: "failed", value: rows, bound: file.rows, detail: file.path }
  }
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  if (rows !== found.rows) return { ...about, state: "failed", value: found.rows, bound: rows, detail: "rows" }
  return { ...about, state: "passed" }
}

/** Whoever has the seed of a seeded release, or the key that it was given, can draw it again. */
function checkRandomness({ manifest }: Release): Check {
  const about = { name: "randomness", promise: "its manifest says that no seed and no key was given" }
  if (!manifest.seeded) return { ...about, state: "passed" }
  return { ...about, state: "failed", detail: "made with a seed or a given key: not for publication" }
}

/** A check of a column against its policy in the manifest. */
interface PolicyCheck {
  name: string
  option: string
  /** The column is present unless the policy is `drop`. */
  column: "AnonID" | "QueryTime"
  promises: Record<string, string>
}

/** The policy, its promise, and any fault that is visible before the rows are read. */
function columnPolicy({ manifest }: RowsRelease, { name, option, column, promises }: PolicyCheck) {
  const policy = String(manifest.parameters[option])
  const promise = promises[policy]
  if (promise === undefined)
    return { policy, about: { name, promise: `${name} keep their policy` }, fault: "unknown policy" }
  const isWrong = (policy === "drop") === manifest.columns.includes(column)
  return { policy, about: { name, promise }, fault: isWrong ? "columns" : undefined }
}

const times: PolicyCheck = {
  name: "times",
  option: "time",
  column: "QueryTime",
  promises: {
    hour: "times are cut to the hour",
    day: "times are cut to the day",
    exact: "times are shown as they were",
    own: "times are shown as they were",
    drop: "no times are shown",
  },
}

function checkTimes(release: RowsRelease, released: SearchLog): Check {
  const { policy, about, fault } = columnPolicy(release, times)
  if (fault !== undefined) return { ...about, state: "failed", detail: fault }
  if (policy === "exact" || policy === "own") return { ...about, state: "not promised" }
  const unit = policy === "hour" ? 3600 : policy === "day" ? 86400 : 1
  const row = released.time.findIndex((seconds) => seconds % unit !== 0)
  return row < 0 ? { ...about, state: "passed" } : { ...about, state: "failed", row: fileRow(release, released, row) }
}

const names: PolicyCheck = {
  name: "names",
  option: "users",
  column: "AnonID",
  promises: {
    cell: "users are random names, one per cell",
    session: "users are random names, one per session",
    day: "users are random names, one per UTC day",
    pseudonym: "users are random names, one per user",
    drop: "no users are shown",
    keep: "user ids are hidden",
  },
}

function checkNames(release: RowsRelease, released: SearchLog): Check {
  const { policy, about, fault } = columnPolicy(release, names)
  if (fault !== undefined) return { ...about, state: "failed", detail: fault }
  if (policy === "keep") return { ...about, state: "failed", detail: "made with --users keep: not for publication" }
  for (let user = 0; user < released.users.size; user++) {
    if (!pseudonym.test(released.users.text(user))) {
      return { ...about, state: "failed", row: fileRow(release, released, released.user.indexOf(user)) }
    }
  }
  return { ...about, state: "passed" }
}

function checkRanks(release: RowsRelease, released: SearchLog): Check {
  const about = { name: "ranks", promise: "ranks are shown only with their url" }
  const row = released.rank.findIndex((rank, i) => rank !== unknownRank && released.url[i] < 0)
  return row < 0 ? { ...about, state: "passed" } : { ...about, state: "failed", row: fileRow(release, released, row) }
}
