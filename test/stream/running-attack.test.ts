import { afterEach, describe, expect, test, vi } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { type Line, memoryOutput, offerLines, openRun, type RunOptions, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")

/** Searches of 80 people. Everything that one person searches for has a word of their own. */
const records: Line[] = Array.from({ length: 4000 }, (_, i) => {
  const user = (i * 37 + Math.floor(i / 80)) % 80
  return { user: `u${user}`, query: `hobby${user} thing${i}` }
})
const classifier = write(records.map(({ query }) => `${query}\tpets/dogs\n`).join(""), "paths.tsv")

/** Both attackers use words. Which of them is right more often is chance. */
const byWords = /shared-words|self-trained/

afterEach(() => void vi.useRealTimers())

/** The figures of a stream after these searches, once the running attack has looked at them, and its messages. */
async function attacked(live: RunOptions) {
  vi.useFakeTimers({ toFake: ["setInterval"] })
  const said: string[] = []
  const stream = await openRun({
    store: fresh(),
    taxonomy,
    classifier,
    output: memoryOutput(),
    live: { k: 5, riskWindow: 5000, ...live },
    warn: (text) => said.push(text),
  })
  await offerLines(stream, records)
  await stream.drain()
  const before = stream.figures()
  vi.advanceTimersByTime(10_000)
  const isOver = () => stream.figures().risk !== undefined || (live.gate === true && said.length > 0)
  await vi.waitFor(() => expect(isOver()).toBe(true), { timeout: 1_800_000, interval: 50 })
  const figures = stream.figures()
  const later = await offerLines(stream, [{ user: "late", query: "hobby1 thing3201" }])
  await stream.close()
  return { before, figures, said, later }
}

describe("the running attack", () => {
  test("finds people by the words of their searches if names last, and is a reason to promise nothing", async () => {
    const { figures, said } = await attacked({ users: "pseudonym" })
    expect(figures.risk).toMatchObject({ alarm: true, attacker: expect.stringMatching(byWords) })
    expect(figures.risk?.share).toBeGreaterThan(0.5)
    expect(figures.promised).toBe(false)
    expect(figures.reasons).toEqual([
      "One name joins all searches of a person.",
      expect.stringMatching(/^The running attack .* names the right user more often than 1\/5\.$/),
    ])
    expect(said).toEqual([expect.stringMatching(byWords)])
    expect(JSON.stringify([figures, said])).not.toMatch(/hobby|thing/)
  })

  test.each(["cell", "drop"] as const)("finds nobody with --users %s", async (users) => {
    const { before, figures, said } = await attacked({ users })
    expect(before).toMatchObject({ promised: true, risk: undefined })
    expect(figures.risk).toMatchObject({ alarm: false, alarmed: [] })
    expect(figures.risk?.share).toBeLessThan(0.25)
    expect(figures).toMatchObject({ promised: true, reasons: [expect.stringContaining("at most 1/5")] })
    expect(said).toEqual([])
  })

  test("makes the stream withhold the topic from then on with --gate", async () => {
    const { said, later } = await attacked({ users: "day", gate: true })
    expect(said).toEqual([expect.stringMatching(byWords)])
    expect(later).toMatchObject({ taken: 0, withheld: 1 })
  })
})
