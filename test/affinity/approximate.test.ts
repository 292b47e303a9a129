import { readFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { type AffinityGraph, buildAffinityGraph } from "#dist/methods/affinity/affinity-graph.js"
import { approximateDegree, openNeighbours } from "#dist/methods/affinity/approximate.js"
import { anonymize, type Draft } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { affinityByHand } from "./by-hand.ts"
import { searches } from "./random-logs.ts"

const { at, fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })
const thetas = fc.constantFrom(0.3, 0.5, 0.7, 0.8, 0.9, 1)
const everyWord = { minConceptUsers: 1, minTermUsers: 1, functionWords: "none", tokens: "words" as const }

const read = async (rows: readonly Search[]) =>
  (await readLog(write(aolText(rows), "approximate.tsv"), {}, context)).log

const build = async (log: SearchLog, theta: number): Promise<AffinityGraph> =>
  buildAffinityGraph(log, { theta, ...everyWord }, context)

/** The degrees by hand, with the concepts of `build`. */
const handDegrees = (rows: readonly Search[], theta: number, k = 1) =>
  affinityByHand(rows, { k, theta, ...everyWord, functionWords: [], scrubsMail: false, scrubsNames: false })

describe("neighbours that are looked up", () => {
  test("are those of the whole join", async () => {
    await fc.assert(
      fc.asyncProperty(searches, thetas, async (rows, theta) => {
        const { graph, expanded } = await build(await read(rows), theta)
        const neighbours = openNeighbours(expanded.vectors, { theta })
        for (let v = 0; v + 1 < graph.offsets.length; v++) {
          expect([...neighbours(v)]).toEqual([...graph.neighbours.subarray(graph.offsets[v], graph.offsets[v + 1])])
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe("a degree from the surroundings of a query", () => {
  test("is the degree where the subgraph closed, and never more elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(searches, thetas, fc.integer({ min: 1, max: 12 }), async (rows, theta, vmax) => {
        const log = await read(rows)
        const built = await build(log, theta)
        const neighbours = openNeighbours(built.expanded.vectors, { theta })
        const { degrees } = handDegrees(rows, theta)
        for (let query = 0; query < log.queries.size; query++) {
          const { degree, closed } = approximateDegree(built, query, { neighbours, vmax })
          const exact = degrees.get(log.queries.text(query))?.degree ?? -1
          if (closed) expect(degree).toBe(exact)
          else expect(degree).toBeLessThanOrEqual(exact)
          if (vmax >= log.queries.size) expect(closed).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })

  test("counts no query beyond vmax", async () => {
    // Five people, each with a query of the same concept. At vmax 2, only a query and one other are seen.
    const rows = ["a", "a a", "b a a", "a b a", "a a b"].map(
      (query, i): Search => ({ user: String(i), query, time: timeAfter(i) }),
    )
    const log = await read(rows)
    const built = await build(log, 0.3)
    const neighbours = openNeighbours(built.expanded.vectors, { theta: 0.3 })
    expect(approximateDegree(built, 0, { neighbours, vmax: 2 })).toEqual({ degree: 2, closed: false, vertices: 2 })
    expect(approximateDegree(built, 0, { neighbours, vmax: 5 }).closed).toBe(true)
  })
})

const cells = ({ audit }: Draft) =>
  Array.from({ length: audit.degrees.rows }, (_, row) =>
    audit.degrees.columns.map((_, column) => audit.degrees.cell(row, column)),
  )

describe("a release in the approximate mode", () => {
  const given = { ...everyWord, scrub: "none", method: "affinity" as const, approximate: true }

  test("verifies, has only listed queries, and does not name them in its manifest", async () => {
    const listed = searches.chain((rows) => {
      return fc.tuple(fc.constant(rows), fc.subarray([...new Set(rows.map(({ query }) => query))]))
    })
    await fc.assert(
      fc.asyncProperty(listed, thetas, fc.integer({ min: 1, max: 4 }), async ([rows, queries], theta, k) => {
        const log = await read(rows)
        const draft = await anonymize(log, { ...given, theta, k, vmax: 3, queries: queries.join("\n") }, context)
        const checks = await verify({ release: openDraft(draft), log }, context)
        expect(checks.filter((one) => one.name !== "files" && isOpen(one))).toEqual([])
        const texts = new Set(queries.map((query) => query.toLowerCase()))
        for (const row of draft.rows.order) expect(texts).toContain(log.queries.text(draft.rows.log.query[row]))
        expect(
          cells(draft)
            .map(([query]) => query)
            .sort(),
        ).toEqual([...texts].sort())
        expect(draft.manifest.parameters).toMatchObject({ approximate: true, vmax: 3 })
        expect(draft.manifest.parameters).not.toHaveProperty("queries")
        // The paper's estimate counts queries that reach k in the whole log. In a release, the released queries alone
        // must reach k.
        const reaching = cells(draft).filter(([, , degree]) => Number(degree) >= k).length
        expect(draft.measured).toMatchObject({
          "queries looked at": texts.size,
          "queries looked at with a degree of at least k": reaching,
          "subgraphs cut at vmax": cells(draft).filter((row) => row[4] === "lower").length,
        })
        expect(Number(draft.measured?.texts)).toBeLessThanOrEqual(reaching)
      }),
      { numRuns: 100 },
    )
  })

  test("is the exact release when all queries are looked at and all subgraphs close", async () => {
    await fc.assert(
      fc.asyncProperty(searches, thetas, fc.integer({ min: 1, max: 4 }), async (rows, theta, k) => {
        const log = await read(rows)
        const draft = await anonymize(log, { ...given, theta, k }, context)
        const texts = Array.from(draft.rows.order, (row) => log.queries.text(draft.rows.log.query[row]))
        const { released, degrees } = handDegrees(rows, theta, k)
        expect([...new Set(texts)].sort()).toEqual([...released].sort())
        expect(cells(draft).sort()).toEqual(
          [...degrees].map(([query, { users, degree, state }]) => [query, users, degree, state, "exact"]).sort(),
        )
      }),
      { numRuns: 100 },
    )
  })

  test("marks lower bounds, takes a file of queries or a sample, from the command line", async () => {
    const rows = Array.from({ length: 30 }, (_, i): Search => {
      return { user: String(i % 10), query: i % 3 === 0 ? "x" : `x ${"y ".repeat(i % 5)}z`, time: timeAfter(i) }
    })
    const log = write(aolText(rows), "cli.tsv")
    const [out, audit] = [fresh("out"), fresh("audit")]
    const command = (...flags: string[]) =>
      runCli(["anonymize", "affinity", log, "-k", "2", "--theta", "0.3", "--scrub", "none", ...flags])
    const flags = ["--approximate", "--vmax", "1", "--queries", write("X\nnot there\n", "list.txt")]
    expect(await command("-o", out, "--audit", audit, ...flags)).toMatchObject({ code: 0 })
    const [header, line, ...more] = readFileSync(`${audit}/degrees.tsv`, "utf8").trimEnd().split("\n")
    expect(header).toBe("query\tusers\tdegree\tstate\tbound")
    expect(line).toMatch(/^x\t10\t10\texpanded\tlower$/)
    expect(more).toEqual([])
    expect(readFileSync(`${out}/release.json`, "utf8")).not.toContain("not there")

    const sampled = fresh("audit")
    expect(await command("-o", fresh("out"), "--audit", sampled, "--approximate", "--sample", "2")).toMatchObject({
      code: 0,
    })
    expect(readFileSync(`${sampled}/degrees.tsv`, "utf8").trimEnd().split("\n").length).toBe(3)

    const refused = await command("-o", at("never"), "--vmax", "5")
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain("--approximate")
  })
})
