import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { RandomSource } from "../../kernels/random.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import type { Table } from "../../kernels/table.ts"
import { inspectLog } from "../../log/inspect-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import {
  type DegreeCurves,
  keptByK,
  keptOfUser,
  keptPerUserByK,
  matchEquality,
  ncpByK,
  queriesOfUser,
  retrievalByK,
  sampledByK,
  sensitiveByK,
} from "../../measures/degree-curves.ts"
import { betas } from "../../measures/f-beta.ts"
import { judgeQueries } from "../../measures/judge-queries.ts"
import { buildAffinityGraph } from "../../methods/affinity/affinity-graph.ts"
import { auditConcepts } from "../../methods/affinity/audit.ts"
import { degreesOfQueries } from "../../methods/affinity/choose-queries.ts"
import { countStates } from "../../methods/affinity/describe-release.ts"
import type { Point, PointOutput, StudySubject, TableData } from "../study.ts"
import { generalisedTables } from "./generalised.ts"
import { parametersOf, shownUsers } from "./rules.ts"
import { measureSubgraphs } from "./subgraphs.ts"
import { textTables } from "./tables.ts"

type Tables = Record<string, TableData>

/** The k of equality in the example of Carpineto & Romano 2015, §5. */
export const paperK = 3

/**
 * Computes one part of the study: the log itself, plain k-anonymity, affinity at one θ, affinity by other rules, or
 * generalisation.
 */
export async function computePart(point: Point, subject: StudySubject, context: RunContext): Promise<PointOutput> {
  const start = context.now()
  const part = parts[String(point.part)]
  if (part === undefined) throw new QueryveilError("internal", `The study of affinity has no part ${point.part}.`)
  const { tables, about } = await part(point, subject, context)
  const cost = {
    columns: ["seconds", "peakMegabytes", "concepts", "vectors", "pairs"],
    rows: [[(context.now() - start) / 1000, Math.round(process.resourceUsage().maxRSS / 1024), ...about]],
  }
  return { scores: [], tables: { ...tables, cost } }
}

type Part = (
  point: Point,
  subject: StudySubject,
  context: RunContext,
) => Promise<{ tables: Tables; about: (string | number)[] }>

const nothing = ["", "", ""]

const parts: Record<string, Part> = {
  async log(point, { log }, context) {
    const tokens = point.tokens === "segmenter" ? "segmenter" : "words"
    return { tables: textTables(await inspectLog(log, { tokens }, context)), about: nothing }
  },

  async equality(point, subject, context) {
    const { log } = subject
    const degrees = countQueries(log).users
    return { tables: await curveTables({ log, degrees, ks: ksOf(point) }, { point, subject }, context), about: nothing }
  },

  async affinity(point, subject, context) {
    const { log } = subject
    const { built, parameters, degrees } = await findDegrees(point, log, context)
    const ks = ksOf(point)
    const tables = await curveTables({ log, degrees, ks }, { point, subject }, context)
    const top = topConcepts(auditConcepts(built), { leastUsers: Math.max(shownUsers, parameters.minConceptUsers) })
    const { minConceptUsers, minTermUsers } = parameters
    const setting = { columns: ["minConceptUsers", "minTermUsers"], rows: [[minConceptUsers, minTermUsers]] }
    const states = countStates(built)
    const matching = matchEquality(
      { degrees, ks: [...new Set([...ks, paperK])].sort((a, b) => a - b) },
      built.counts.users,
    )
    const vmax = String(point.vmax).split(",").map(Number)
    const growing = { degrees, vmax, subgraphs: Number(point.subgraphs), ks, random: context.random }
    await yieldAndReport(context, { stage: "growing subgraphs", done: 0, total: 1 })
    return {
      tables: {
        ...tables,
        top,
        setting,
        states: { columns: Object.keys(states), rows: [Object.values(states)] },
        matching: {
          columns: ["k", "queries", "matching"],
          rows: matching.map((row) => [row.k, row.queries, row.matching]),
        },
        subgraphs: measureSubgraphs(built, growing),
      },
      about: [built.concepts.size, built.expanded.vectors.offsets.length - 1, built.graph.neighbours.length / 2],
    }
  },

  async "other-rules"(point, { log }, context) {
    const { degrees, parameters } = await findDegrees(point, log, context)
    const { minConceptUsers, minTermUsers } = parameters
    return {
      tables: {
        otherKept: {
          columns: ["k", "queries"],
          rows: keptByK({ log, degrees, ks: ksOf(point) }).map(({ k, queries }) => [k, queries]),
        },
        otherSetting: { columns: ["minConceptUsers", "minTermUsers"], rows: [[minConceptUsers, minTermUsers]] },
      },
      about: nothing,
    }
  },

  async wordnet(point, { log }, context) {
    return { tables: await generalisedTables(point, log, { ks: ksOf(point) }, context), about: nothing }
  },
}

const ksOf = (point: Point) => String(point.k).split(",").map(Number)

async function findDegrees(point: Point, log: SearchLog, context: RunContext) {
  const parameters = parametersOf(point, log)
  const built = await buildAffinityGraph(log, parameters, context)
  await yieldAndReport(context, { stage: "peeling", done: 0, total: 1 })
  const ofVector = anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 })
  return { built, parameters, degrees: degreesOfQueries(built, ofVector) }
}

/** Every table that is computed from the degrees of the queries. */
async function curveTables(
  curves: DegreeCurves,
  { point, subject }: { point: Point; subject: StudySubject },
  context: RunContext,
): Promise<Tables> {
  const { log } = curves
  const { samples, sampleSize } = point
  const sampled = sampledByK(curves, { samples: Number(samples), size: Number(sampleSize), random: context.random })
  await yieldAndReport(context, { stage: "counting", done: 1, total: 3 })
  const perUser = keptPerUserByK(curves)
  await yieldAndReport(context, { stage: "counting", done: 2, total: 3 })
  const users: string[] = JSON.parse(String(point.users))
  return {
    kept: {
      columns: ["k", "queries", "events", "sampled", "deviation"],
      rows: keptByK(curves).map(({ k, queries, events }, i) => {
        return [k, queries, events, sampled[i]?.mean ?? 0, sampled[i]?.deviation ?? 0]
      }),
    },
    perUser: {
      columns: ["k", "queries25", "queries50", "queries75", "events25", "events50", "events75"],
      rows: perUser.map(({ k, queries, events }) => [k, ...queries, ...events]),
    },
    stability: stabilityTable(curves, { point, random: context.random }),
    ncp: { columns: ["k", "ncp"], rows: ncpByK(curves).map(({ k, ncp }) => [k, ncp]) },
    users: {
      columns: ["user", "k", "share"],
      rows: users.flatMap((name, i) =>
        log.users.find(name) < 0 ? [] : keptOfUser(curves, name).map(({ k, share }) => [i + 1, k, share]),
      ),
    },
    chosen: chosenQueries(curves, subject.queries ?? [], users),
    ...judgedTables(curves, subject),
  }
}

/** Sample sizes, as multiples of the chosen size. */
const sizeSteps = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]

/** How the estimate from samples converges as they grow, for one k: Carpineto & Romano 2015, §4.1. */
function stabilityTable(curves: DegreeCurves, { point, random }: { point: Point; random: RandomSource }): TableData {
  const k = curves.ks.find((one) => one >= shownUsers) ?? curves.ks.at(-1) ?? shownUsers
  const wanted = sizeSteps.map((part) => Math.max(1, Math.round(part * Number(point.sampleSize))))
  const sizes = [...new Set(wanted.map((size) => Math.min(size, curves.log.queries.size)))]
  return {
    columns: ["size", "k", "mean", "deviation"],
    rows: sizes.flatMap((size) =>
      sampledByK({ ...curves, ks: [k] }, { samples: Number(point.samples), size, random }).map((found) => {
        return [size, k, found.mean, found.deviation]
      }),
    ),
  }
}

/**
 * The degree of each query in the owner's list and of each query of the users they named; -1 if it is not in the log.
 */
function chosenQueries({ log, degrees }: DegreeCurves, list: readonly string[], users: readonly string[]): TableData {
  const listed = list.map((text): (string | number)[] => {
    const query = log.queries.find(text)
    return ["", text, query < 0 ? -1 : (degrees[query] ?? 0)]
  })
  const theirs = users.flatMap((name, i) =>
    queriesOfUser(log, name).map((query): (string | number)[] => {
      return [i + 1, log.queries.text(query), degrees[query] ?? 0]
    }),
  )
  return { columns: ["user", "query", "degree"], rows: [...listed, ...theirs] }
}

/** F_β and the released share of sensitive queries, if it is known which queries are sensitive. */
function judgedTables(curves: DegreeCurves, subject: StudySubject): Tables {
  const judged = judgeQueries(curves.log, subject)
  if (judged === undefined) return {}
  const { truth } = subject
  const kinds = [...new Set(truth?.secrets.map(({ kind }) => kind))].sort()
  const byKind = kinds.map((kind): [string, Uint8Array | undefined] => {
    const secrets = truth?.secrets.filter((secret) => secret.kind === kind) ?? []
    return [kind, judgeQueries(curves.log, { truth: { secrets } })]
  })
  const sensitive = [["all", judged] as const, ...byKind].flatMap(([kind, marks]) =>
    marks === undefined
      ? []
      : sensitiveByK(curves, marks).map(({ k, released, n }) => {
          return [kind, k, n === 0 ? 0 : released / n, ...wilsonInterval(released, n), n]
        }),
  )
  return {
    retrieval: {
      columns: ["k", "precision", "recall", ...betas.map((beta) => `f@${beta}`)],
      rows: retrievalByK(curves, judged).map(({ k, precision, recall, f }) => [k, precision, recall, ...f]),
    },
    sensitive: { columns: ["kind", "k", "share", "low", "high", "n"], rows: sensitive },
  }
}

/** The ten bigrams and ten trigrams of greatest weight among concepts with at least this many users. */
function topConcepts(concepts: Table, { leastUsers }: { leastUsers: number }): TableData {
  const place = (name: string) => concepts.columns.indexOf(name)
  const number = (row: number, name: string) => Number(concepts.cell(row, place(name)))
  const text = (row: number) => String(concepts.cell(row, place("ngram")))
  const rows = [2, 3].flatMap((n) => {
    const found: number[] = []
    for (let row = 0; row < concepts.rows; row++) {
      if (number(row, "n") === n && number(row, "users") >= leastUsers) found.push(row)
    }
    found.sort((a, b) => number(b, "weight") - number(a, "weight") || (text(a) < text(b) ? -1 : 1))
    return found.slice(0, 10).map((row) => [n, text(row), number(row, "users"), number(row, "weight")])
  })
  return { columns: ["n", "ngram", "users", "weight"], rows }
}
