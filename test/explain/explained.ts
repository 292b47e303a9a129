import * as fc from "fast-check"
import { expect } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import type { Change, Outcome } from "#dist/methods/explanation.js"
import { makeDraft, type OptionValues } from "#dist/release/anonymize.js"
import { type ExplainedQuery, explainAny } from "#dist/release/explain.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

export type Choice = { method: string; preset?: "paper" } & OptionValues

const texts = [
  "dog",
  "red dog",
  "toy poodle",
  "poodle",
  "cat",
  "my cats",
  "lion",
  "weather",
  "the weather",
  "weather dog",
  "mary smith",
  "dog mary smith",
  "ann@mail.example",
  "dog ann@mail.example",
  "zyxw",
]

/** A few people who share some queries and clicks. Some queries contain an identifier or a name, or have no noun. */
export const searches: fc.Arbitrary<Search[]> = fc
  .array(
    fc.record({
      user: fc.integer({ min: 1, max: 7 }).map(String),
      query: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...texts.slice(0, 5)) },
        { weight: 2, arbitrary: fc.constantFrom(...texts) },
      ),
      time: fc.nat({ max: 400 }).map((step) => timeAfter(step * 90)),
      click: fc.option(fc.record({ rank: fc.constant(1), url: fc.constantFrom("http://x", "http://y", "http://z") }), {
        freq: 3,
      }),
    }),
    { minLength: 8, maxLength: 40 },
  )
  .map((rows) => rows.map(({ click, ...row }): Search => ({ ...row, ...click })))

const contextOf = (seed: number) => createContext({ workers: 1, seed })

export async function readRows(rows: readonly Search[]): Promise<SearchLog> {
  return (await readLog(write(aolText(rows), "log.tsv"), {}, contextOf(1))).log
}

export const explain = (log: SearchLog, choice: Choice, query: string): Promise<ExplainedQuery> =>
  explainAny(log, choice, query, contextOf(1))

export const textsOf = (log: SearchLog): string[] => [
  ...new Set(Array.from(log.query, (query) => log.queries.text(query))),
]

const known = new WeakMap<SearchLog, Map<string, Promise<Set<string>>>>()

/** `shownTexts`, drawn once per log. */
function shownOnce(log: SearchLog, choice: Choice, seed: number): Promise<Set<string>> {
  const ofLog = known.get(log) ?? new Map<string, Promise<Set<string>>>()
  known.set(log, ofLog)
  const key = JSON.stringify([choice, seed])
  const shown = ofLog.get(key) ?? shownTexts(log, choice, seed)
  ofLog.set(key, shown)
  return shown
}

/** The texts that a release of rows shows. For tables, the texts of their first text column that is not a name. */
export async function shownTexts(log: SearchLog, choice: Choice, seed: number): Promise<Set<string>> {
  const draft = await makeDraft(log, choice, contextOf(seed))
  const shown = new Set<string>()
  if (draft.kind === "rows") {
    const { arena, offsets } = draft.rows.queries
    const textOf = (id: number) => Buffer.from(arena.slice(offsets[id], offsets[id + 1])).toString("utf8")
    for (const row of draft.rows.order) shown.add(textOf(draft.rows.log.query[row] ?? -1))
    return shown
  }
  const column = (draft.tables.queries ?? draft.tables.profiles)?.columns.find(({ name }) => /query|topic/.test(name))
  if (column !== undefined && "ids" in column) for (const id of column.ids) shown.add(column.texts.text(id))
  return shown
}

const seeds = [1, 2]

/** How a release shows a query: by its text, or as an explanation says. */
export type IsShown = (shown: ReadonlySet<string>, found: ExplainedQuery) => boolean

export const byText: IsShown = (shown, { query }) => shown.has(query)

/** Checks that every draw has the predicted outcome if the outcome is certain. */
export async function expectOutcome(
  log: SearchLog,
  choice: Choice,
  { found, outcome, isShown }: { found: ExplainedQuery; outcome: Outcome; isShown: IsShown },
): Promise<void> {
  if (outcome.chance.low !== outcome.chance.high || (outcome.chance.low > 0 && outcome.chance.low < 1)) return
  for (const seed of seeds) {
    const said = JSON.stringify({ choice, query: found.query, outcome })
    expect(isShown(await shownOnce(log, choice, seed), found), said).toBe(outcome.chance.low === 1)
  }
}

/** One step less than a change: each whole number that it sets is one nearer to the given value. */
function stepLess(change: Change, given: ExplainedQuery): OptionValues | undefined {
  const stepped: OptionValues = { ...change.options }
  let steps = 0
  for (const [key, value] of Object.entries(change.options)) {
    if (key === "minConceptUsers" || (key === "minTermUsers" && "k" in change.options)) continue // they keep concepts
    const before = Number(given.parameters[key] ?? given.parameters.k)
    const after = Number(value)
    if (!Number.isInteger(after) || typeof value === "boolean" || after === before) continue
    if (Object.keys(change.options).length > 1 && key !== "k") continue
    const less = after < before ? after + 1 : after - 1
    stepped[key] = typeof value === "string" ? String(less) : less
    steps++
  }
  return steps === 1 ? stepped : undefined
}

/** The rows plus this many users who issue a query once and do nothing else. */
export const withUsers = (rows: readonly Search[], query: string, users: number): Search[] => [
  ...rows,
  ...Array.from({ length: users }, (_, i) => ({ user: `${1000 + i}`, query, time: timeAfter(90_000 + i * 60) })),
]

/**
 * Runs the method with every change that an explanation names, and with one step less if the explanation says that this
 * fails.
 */
export async function expectChanges(
  rows: readonly Search[],
  choice: Choice,
  { found, isShown }: { found: ExplainedQuery; isShown: IsShown },
): Promise<number> {
  const log = await readRows(rows)
  for (const change of found.changes) {
    const changed = { ...choice, ...change.options }
    const larger = change.users === undefined ? log : await readRows(withUsers(rows, found.query, change.users))
    const after = await explain(larger, changed, found.query)
    expect(after.verdict, JSON.stringify({ choice, change, query: found.query })).toBe(change.verdict)
    await expectOutcome(larger, changed, { found: after, outcome: change, isShown })
    if (!change.smallest) continue
    const fewer = change.users === undefined ? log : await readRows(withUsers(rows, found.query, change.users - 1))
    const less = change.users === undefined ? stepLess(change, found) : change.options
    if (less === undefined) continue
    const before = await explain(fewer, { ...choice, ...less }, found.query)
    const said = JSON.stringify({ choice, change, less, query: found.query })
    expect(shapeOf(before), said).not.toEqual(shapeOf(after))
    await expectOutcome(fewer, { ...choice, ...less }, { found: before, outcome: before, isShown })
  }
  return found.changes.length
}

/** What a release does with a query and, for a concept, which one it shows. */
const shapeOf = ({ verdict, facts }: ExplainedQuery) => [verdict, facts["released concept"]]
