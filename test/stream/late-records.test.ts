import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { type Line, memoryOutput, offerLines, openRun, queryPaths, releasedOf, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const words = 400
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(words), "paths.tsv")
const timeOf = (minute: number) => new Date(Date.UTC(2026, 2, 1) + minute * 60_000).toISOString().slice(0, 19)

/** Every query belongs to one search, so its own time is known. */
const searches = fc.array(fc.record({ user: fc.nat({ max: 9 }), minute: fc.nat({ max: 5000 }) }), {
  minLength: 1,
  maxLength: words,
})

describe("searches that arrive out of order", () => {
  test("are never released with a time before their own, also after a restart", async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.boolean(), async (given, changesK) => {
        const lines: Line[] = given.map(({ user, minute }, i) => ({
          user: `u${user}`,
          query: `w${i}`,
          time: timeOf(minute),
        }))
        const store = fresh("store")
        const output = memoryOutput()
        const half = Math.ceil(lines.length / 2)
        const first = await openRun({ store, taxonomy, classifier, output, live: { k: 4 } })
        await offerLines(first, lines.slice(0, half))
        await first.close()
        // A smaller k closes several cells at once.
        const live = { k: changesK ? 2 : 4 }
        const rest = memoryOutput(output.text())
        const second = await openRun({ store, taxonomy, classifier, output: rest, live })
        await offerLines(second, lines.slice(half))
        const { released } = second.figures()
        await second.close()
        const shown = releasedOf(rest)
        expect(shown).toHaveLength(released)
        for (const { query, time } of shown) {
          const own = lines[Number(query.slice(1))].time ?? ""
          expect(time.replace(" ", "T") >= own).toBe(true)
        }
      }),
      { numRuns: 12 },
    )
  })

  test("are counted with their lateness, and reported once if it is an hour or more", async () => {
    const warnings: string[] = []
    const warn = (text: string) => warnings.push(text)
    const stream = await openRun({ store: fresh("store"), taxonomy, classifier, output: memoryOutput(), warn })
    const at = (i: number, minute: number) => ({ user: `u${i}`, query: `w${4 * i}`, time: timeOf(minute) })
    await offerLines(stream, [at(1, 100), at(2, 99), at(3, 101)])
    expect(stream.figures().late).toEqual({ records: 1, seconds: 60 })
    expect(warnings).toEqual([])
    await offerLines(stream, [at(4, 10), at(5, 101), at(6, 20)])
    expect(stream.figures().late).toEqual({ records: 3, seconds: 91 * 60 })
    expect(warnings).toEqual([expect.stringMatching(/arrive out of order/)])
    await stream.close()
  })
})
