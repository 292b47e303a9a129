import { cpSync } from "node:fs"
import { afterEach, expect, test, vi } from "vitest"
import type { StreamOutput } from "#dist/stream/live/transport.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { type Line, memoryOutput, offerLines, openRun, queryPaths, releasedOf, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(400), "paths.tsv")
const records: Line[] = Array.from({ length: 200 }, (_, i) => ({ user: `u${(i * 7) % 15}`, query: `w${i}` }))

afterEach(() => {
  vi.useRealTimers()
})

test("a slow recovery makes no checkpoint before it is complete, which would lose what follows", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  let clock = Date.UTC(2026, 2, 1)
  const open = (store: string, output: StreamOutput) =>
    openRun({ store, taxonomy, classifier, output, checkpointSeconds: 60, now: () => clock })
  const [running, crashed] = [fresh("store"), fresh("store")]
  const written = memoryOutput()
  const first = await open(running, written)
  for (let from = 0; from < 200; from += 20) await offerLines(first, records.slice(from, from + 20))
  await first.drain()
  cpSync(running, crashed, { recursive: true, filter: (name) => !name.includes("lock") })
  await first.close()

  const again = memoryOutput(written.text())
  const slow: StreamOutput = {
    ...again,
    async write(bytes, last) {
      clock += 3_600_000
      vi.advanceTimersByTime(30_000)
      await again.write(bytes, last)
    },
  }
  await (await open(crashed, slow)).close()
  expect(again.text()).toBe(written.text())
  const third = await open(crashed, again)
  expect(third.resumed.repeated).toBe(0)
  await offerLines(
    third,
    records.slice(0, 100).map(({ user, query }) => ({ user, query: `w${Number(query.slice(1)) + 200}` })),
  )
  await third.close()
  expect(again.text().startsWith(written.text())).toBe(true)
  expect(releasedOf(again).map(({ seq }) => seq)).toEqual(releasedOf(again).map((_, i) => i))
})
