import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import {
  expectedLoss,
  flowOf,
  heaviestCategory,
  longestWay,
  lossOf,
  meanDelay,
  originalPairs,
  outcomeShares,
  type SwapSubject,
  sizesOf,
} from "../../measures/swap-curves.ts"
import { classifyLog } from "../../measures/topics/classify-log.ts"
import type { ArrivingRecords } from "../../methods/swap/auto-depth.ts"
import { releasedStream } from "../../methods/swap/measure-linkage.ts"
import { type Arrivals, orderArrivals } from "../../methods/swap/order-arrivals.ts"
import type { SwapSettings } from "../../methods/swap/swap-log.ts"
import { cutTopics } from "../../swapper/categories.ts"
import { drawSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import type { SwapMode } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { findContentWords } from "../../text/content-words.ts"
import type { Point, PointOutput, StudySubject, TableData } from "../study.ts"
import { heavyArrivals } from "./heavy-user.ts"
import { computeLifetime } from "./lifetimes.ts"
import { type Row, tableFrom } from "./rows.ts"
import { type AttackerResult, runAttackers, runSwap, settingsOf } from "./run-swap.ts"
import { fewTextArrivals, newsArrivals } from "./synthetic-texts.ts"

type Tables = Record<string, TableData>
type Part = (point: Point, subject: StudySubject, context: RunContext) => Promise<Tables>

/**
 * Computes one part of the study: the log, one mode and k over all depths, a synthetic category, the repairs, attackers
 * with wrong assumptions, or lifetimes of names.
 */
export async function computeSwapPart(point: Point, subject: StudySubject, context: RunContext): Promise<PointOutput> {
  const part = parts[String(point.part)]
  if (part === undefined) throw new QueryveilError("internal", `The study of swapping has no part ${point.part}.`)
  const start = context.now()
  const tables = await part(point, subject, context)
  const time = tableFrom([{ seconds: (context.now() - start) / 1000 }])
  return { scores: [], tables: { ...tables, time } }
}

const parts: Record<string, Part> = {
  async log(point, subject, context) {
    const { taxonomy, arrivals } = await openArrivals(point, subject, context)
    const expected = expectedLoss(arrivals, taxonomy)
    const longest = longestWay(arrivals.topic, taxonomy)
    const rows = depthsOf(point).map((depth): Row => {
      const used = new Set(categoriesAt(arrivals, taxonomy, depth))
      const { edges, share } = expected[Math.min(depth, expected.length - 1)] ?? { edges: 0, share: 0 }
      return { depth, categories: used.size, records: arrivals.row.length, edges, share, longest }
    })
    const { events } = subject.log
    return { depths: tableFrom(rows), topics: tableFrom([{ events, records: arrivals.row.length }]) }
  },

  async grid(point, subject, context) {
    const { taxonomy, arrivals } = await openArrivals(point, subject, context)
    const settings = settingsOf(modeOf(point), Number(point.k))
    const rows: Record<string, Row[]> = { linkage: [], sizes: [], flow: [], loss: [], heavy: [] }
    const depths = depthsOf(point)
    for (const [i, depth] of depths.entries()) {
      await yieldAndReport(context, { stage: "depths", done: i, total: depths.length })
      const run = await runSwap(arrivals, { category: categoriesAt(arrivals, taxonomy, depth), settings }, context)
      const attacks = await runAttackers(run.stream, settings, context)
      const { pairs, profiles } = lossOf(run, taxonomy)
      const swapper = run.microseconds / Math.max(1, arrivals.row.length)
      rows.linkage?.push(...attacks.map((result) => ({ depth, ...linkageRow(result) })))
      rows.sizes?.push({ depth, ...outcomeShares(run), ...meanDelay(run), ...sizesOf(run), swapper })
      rows.flow?.push(...flowOf(run, { points: 20 }).map((flow) => ({ depth, ...flow })))
      rows.loss?.push({
        depth,
        records: run.stream.user.length,
        pairs: pairs.share,
        profiles: profiles.share,
        pairEdges: pairs.edges,
        profileEdges: profiles.edges,
      })
      rows.heavy?.push(...heavyRows(run, { attacks, depth, k: settings.k }))
    }
    return Object.fromEntries(Object.entries(rows).map(([name, found]) => [name, tableFrom(found)]))
  },

  async heavy(point, _subject, context) {
    const arrivals = heavyArrivals({ records: Number(point.records), share: Number(point.share) }, context.random)
    const category = new Int32Array(arrivals.user.length)
    const rows: Row[] = []
    for (const k of ksOf(point)) {
      for (const mode of ["paper", "strict"] as const) {
        const settings = settingsOf(mode, k)
        const run = await runSwap(arrivals, { category, settings }, context)
        const releasedShare =
          run.stream.truth.filter((user) => user === 0).length / Math.max(1, run.stream.truth.length)
        const attacks = await runAttackers(run.stream, settings, context)
        const found = attacks.map((result) => ({
          mode,
          k,
          releasedShare,
          ...outcomeShares(run),
          ...linkageRow(result),
        }))
        rows.push(...found)
      }
    }
    return { heavyUser: tableFrom(rows) }
  },

  async news(point, _subject, context) {
    const arrivals = newsArrivals({ records: Number(point.records), share: Number(point.share) }, context.random)
    const rows: Row[] = []
    for (const k of ksOf(point)) {
      for (const backlog of [1000, 20, usualBacklog, 1])
        rows.push(...(await attackTopic(arrivals, { k, backlog, only: "outdated-texts" }, context)))
    }
    return { news: tableFrom(rows) }
  },

  async fewTexts(point, _subject, context) {
    const rows: Row[] = []
    for (const texts of String(point.texts).split(",").map(Number)) {
      const arrivals = fewTextArrivals({ users: Number(point.users), texts }, context.random)
      for (const k of ksOf(point)) {
        const found = await attackTopic(arrivals, { k, backlog: usualBacklog, only: "compared-cells" }, context)
        rows.push(...found.map((row) => ({ texts, ...row })))
      }
    }
    return { fewTexts: tableFrom(rows) }
  },

  async repairs(point, subject, context) {
    const { taxonomy, arrivals } = await openArrivals(point, subject, context)
    const category = categoriesAt(arrivals, taxonomy, Number(point.depth))
    const k = Number(point.k)
    const strict = settingsOf("strict", k)
    const variants: [variant: string, settings: SwapSettings][] = [
      ["strict", strict],
      ["strict, repeats kept", { ...strict, repeats: "keep" }],
      ["strict, a query with one cell", { ...strict, repeats: "never" }],
      ["strict, distinct texts in a cell", { ...strict, cellTexts: "distinct" }],
      ["strict, as by default", { ...strict, backlog: usualBacklog, repeats: "never", cellTexts: "distinct" }],
      ["strict, queries of k users", { ...strict, minQueryUsers: k }],
      ["paper", settingsOf("paper", k)],
    ]
    const words = await findContentWords(subject.log.queries, context)
    const linkage: Row[] = []
    const price: Row[] = []
    for (const [variant, settings] of variants) {
      const run = await runSwap(arrivals, { category, settings }, context)
      const { stream, cell } = run
      const add = (name: string, attacks: readonly AttackerResult[]) =>
        linkage.push(...attacks.map((result) => ({ variant: name, ...linkageRow(result) })))
      price.push({ variant, ...outcomeShares(run), ...meanDelay(run), pairs: originalPairs(run) })
      add(variant, await runAttackers(stream, { ...settings, cell, words }, context))
      if (variant !== "strict") continue
      const own = releasedStream(arrivals, run.swapped, { category, ownTimes: true })
      add("strict, own times", await runAttackers(own, settings, context))
    }
    return { variants: tableFrom(linkage), price: tableFrom(price) }
  },

  async wrong(point, subject, context) {
    const { taxonomy, arrivals } = await openArrivals(point, subject, context)
    const [k, depth] = [Number(point.k), Number(point.depth)]
    const rows: Row[] = []
    for (const mode of ["paper", "strict"] as const) {
      const settings = settingsOf(mode, k)
      const { stream } = await runSwap(
        arrivals,
        { category: categoriesAt(arrivals, taxonomy, depth), settings },
        context,
      )
      const sequence = stream.text // texts of the released records, in their order
      const guess = async (guessed: string, value: number, attacked: typeof stream, attackK: number) => {
        for (const only of ["record-linkage-1", "record-linkage-2", "record-linkage-3"]) {
          const [found] = await runAttackers(attacked, { ...settings, k: attackK, only }, context)
          if (found === undefined || found.records === 0) continue
          const { attacker, share, low, high } = found
          rows.push({ mode, attacker, guessed, guess: value, share, low, high })
        }
      }
      const topicOfText = new Map(Array.from(arrivals.text, (text, i) => [text, arrivals.topic[i] ?? 0]))
      for (const value of String(point.ks).split(",").map(Number)) await guess("k", value, stream, value)
      for (const value of String(point.depths).split(",").map(Number)) {
        const cut = cutTopics(taxonomy, { depth: value, sensitive: [] })
        const category = sequence.map((text) => cut[topicOfText.get(text) ?? 0] ?? 0)
        await guess("ℓ", value, { ...stream, category }, k)
      }
    }
    return { wrong: tableFrom(rows) }
  },

  lifetimes: computeLifetime,
}

/** The default backlog of the method. */
const usualBacklog = 2

/** Runs one attacker on one category in strict mode. */
async function attackTopic(
  arrivals: ArrivingRecords,
  { k, backlog, only }: { k: number; backlog: number; only: string },
  context: RunContext,
): Promise<Row[]> {
  const settings = { ...settingsOf("strict", k), backlog }
  const run = await runSwap(arrivals, { category: new Int32Array(arrivals.user.length), settings }, context)
  const attacks = await runAttackers(run.stream, { ...settings, only }, context)
  return attacks.map((result) => ({ k, backlog, ...outcomeShares(run), ...linkageRow(result) }))
}

async function openArrivals(
  { taxonomy, classifier }: Point,
  { log }: StudySubject,
  context: RunContext,
): Promise<{ taxonomy: Taxonomy; arrivals: Arrivals }> {
  const choice = { taxonomy: String(taxonomy), ...(classifier === undefined ? {} : { classifier: String(classifier) }) }
  const found = await classifyLog(log, choice, context)
  const seeds = positionSeeds(drawSecret(context.random))
  return { taxonomy: found.taxonomy, arrivals: orderArrivals(log, found.topics, { seeds }) }
}

function categoriesAt({ topic }: Arrivals, taxonomy: Taxonomy, depth: number): Int32Array {
  const cut = cutTopics(taxonomy, { depth, sensitive: [] })
  return topic.map((node) => cut[node] ?? 0)
}

const linkageRow = ({ choice, microseconds, ...result }: AttackerResult): Row => ({
  ...result,
  microseconds: microseconds / Math.max(1, choice.length),
})

/**
 * The result of attacker 4 in the category where one user's share is largest. Categories with fewer records than
 * `least` are too small to judge.
 */
function heavyRows(
  run: SwapSubject & { stream: Parameters<typeof heaviestCategory>[1]["stream"] },
  { attacks, depth, k }: { attacks: readonly AttackerResult[]; depth: number; k: number },
): Row[] {
  const named = attacks.find(({ attacker }) => attacker === "largest-share")?.choice
  if (named === undefined) return []
  const found = heaviestCategory(run, { named, stream: run.stream }, { least: Math.max(500, 20 * k) })
  if (found === undefined) return []
  const [low, high] = found.interval
  const value = found.named === 0 ? 0 : found.right / found.named
  return [{ depth, came: found.came, userShare: found.share, named: found.named, value, low, high }]
}

const modeOf = ({ mode }: Point): SwapMode => (mode === "paper" ? "paper" : "strict")
const ksOf = ({ k }: Point) => String(k).split(",").map(Number)
const depthsOf = ({ depth }: Point) => String(depth).split(",").map(Number)
