import type { RunContext } from "../../../kernels/context.ts"
import type { Guarantee } from "../../../methods/guarantee.ts"
import { measureGuarantee } from "../../../methods/swap/measure-guarantee.ts"
import type { settleRepeats } from "../../../methods/swap/options.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { TextIds } from "../read-table.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { SwapTotals } from "./swap.ts"

/** Most searches that attackers get. */
const mostSearches = 1 << 20

interface Cells {
  /** A query in brackets of the searches that leave. */
  cells: string
  totals: SwapTotals
  options: ReturnType<typeof settleRepeats>
}

/**
 * Runs the attackers of the single process on a sample of the searches that leave, and states what can be promised. The
 * sample is every search that left in a span of time, so that sessions, days and cells are whole, and the attackers see
 * all topics of that time. The span has a random place. A small release is attacked whole.
 */
export async function attackSample(
  log: ScrubbedLog,
  { cells, totals, options }: Cells,
  context: RunContext,
): Promise<{ guarantee: Guarantee; measured: Record<string, string | number> }> {
  const { k, repeats, mode, users, cellTexts, time } = options
  const ownTimes = time === "own"
  const isSample = totals.released > mostSearches
  const rules = { k, repeats, mode, users, distinctTexts: cellTexts === "distinct", ownTimes }
  const where = isSample ? await chooseSpan(log, { cells, totals }, context) : "TRUE"
  const sample = await readSample(log, users === "drop" ? "FALSE" : where, { cells, ownTimes }, context)
  const { guarantee, measured } = await measureGuarantee(
    { ...sample, about: { ...rules, counted: log.unit, isSample } },
    context,
  )
  const seen = { "searches attacked": sample.cell.length, "searches released": totals.released }
  return { guarantee, measured: users === "drop" ? measured : { ...measured, ...seen } }
}

/** Days of the sample: as many as it may have, from a random one on, and at least one. */
async function chooseSpan(
  { session }: ScrubbedLog,
  { cells, totals }: Pick<Cells, "cells" | "totals">,
  { random, signal }: RunContext,
): Promise<string> {
  const days: [day: number, searches: number][] = []
  const sql = `SELECT CAST(floor(z / 86400) AS BIGINT) AS d, count(*) FROM ${cells} GROUP BY d ORDER BY d`
  for await (const [day, searches] of readRows(session, sql, { stage: "counting", signal }))
    days.push([Number(day), Number(searches)])
  let at = random.below(Math.max(1, totals.released))
  const first = days.findIndex(([, searches]) => {
    at -= searches
    return at < 0
  })
  let sum = 0
  const taken = days.slice(Math.max(0, first)).filter(([, searches], place) => {
    sum += searches
    return place === 0 || sum <= mostSearches
  })
  const [from = 0, to = 0] = [taken[0]?.[0], taken.at(-1)?.[0]]
  const inDays = `floor(z / 86400) BETWEEN ${from} AND ${to}`
  const [found = 0] = await readNumbers(session, `SELECT count(*) FROM ${cells} WHERE ${inDays}`, {
    ...{ stage: "counting", signal },
  })
  // A day can have more than fits. Then whole cells of that day are taken at random.
  const share = Math.ceil(found / mostSearches)
  return share <= 1 ? inDays : `${inDays} AND pmod(xxhash64(c, n), ${share}) = ${random.below(share)}`
}

async function readSample(
  { session }: ScrubbedLog,
  where: string,
  { cells, ownTimes }: { cells: string; ownTimes: boolean },
  { signal }: RunContext,
) {
  const [users, texts, categories, numbers] = [0, 0, 0, 0].map(() => new TextIds()) as [
    ...[TextIds, TextIds, TextIds, TextIds],
  ]
  const columns: Record<"user" | "text" | "category" | "time" | "truth" | "cell", number[]> = {
    ...{ user: [], text: [], category: [], time: [], truth: [], cell: [] },
  }
  const sql = `SELECT v, q, c, ${ownTimes ? "t" : "z"}, u, n FROM ${cells} WHERE ${where} ORDER BY z, c, n, o`
  for await (const [shown, text, category, time, user, cell] of readRows(session, sql, {
    stage: "attacking",
    signal,
  })) {
    columns.user.push(users.idOf(String(shown)))
    columns.truth.push(users.idOf(String(user)))
    columns.text.push(texts.idOf(String(text)))
    columns.category.push(categories.idOf(String(category)))
    columns.time.push(Number(time))
    columns.cell.push(numbers.idOf(`${category}\n${cell}`))
  }
  const { user, text, category, time, truth, cell } = columns
  const int = (values: readonly number[]) => Int32Array.from(values)
  const shown = { user: int(user), text: int(text), category: int(category), time: int(time), truth: int(truth) }
  return { shown, cell: int(cell), queries: texts.freeze() }
}
