import { describe, expect, test } from "vitest"
import { release } from "#dist/app/release.js"
import { verifyRelease } from "#dist/app/verify-release.js"
import { registerEngine } from "#dist/engine/open-remote-log.js"
import type { RemoteLog } from "#dist/engine/remote-log.js"
import { readLog } from "#dist/log/read-log.js"
import type { LogSizes } from "#dist/release/receipt.js"
import { writeSynth } from "#dist/release/write-synth.js"
import type { RemoteOriginal, RowDifferences } from "#dist/verify/remote-original.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh } = scratchFolder()
const path = fresh()
await writeSynth(path, { rows: 20_000, users: 150, seed: 5 })
const read = await readLog(path)

/** What the engine of this test finds, besides the truth. */
const lies: Partial<RowDifferences> & { users?: number; unit?: RemoteOriginal["unit"]; sizes?: LogSizes } = {}

const remoteLog: RemoteLog = {
  get log() {
    return lies.sizes ?? read.log
  },
  intake: read.intake,
  refuse: () => undefined,
  decide: () => Promise.reject(new Error("This engine only verifies.")),
  async original({ scrub }) {
    expect(scrub).toContain("email")
    const { log } = read
    return {
      unit: lies.unit ?? "user",
      countUsers: async (texts) =>
        Array.from({ length: texts.size }, (_, text) => {
          const query = log.queries.find(texts.text(text))
          return lies.users ?? new Set(log.user.filter((_, row) => log.query[row] === query)).size
        }),
      compareRows: async (released) => {
        const clickers = new Array<number>(released.urls.size).fill(3)
        return { rows: released.rows, differing: 0, strangeClicks: 0, clickers, ...lies }
      },
      countBounded: async () => [],
    }
  },
  close: async () => {},
}
registerEngine({ name: "counting", summary: "for this test", open: async () => remoteLog })

describe("verify --engine", () => {
  const states = async (found: typeof lies) => {
    Object.assign(lies, { users: undefined, unit: undefined }, found)
    const { checks, state } = await verifyRelease(await folder, { against: "searches", engine: "counting://host" })
    for (const key of Object.keys(lies)) delete lies[key as keyof typeof lies]
    return { state, ...Object.fromEntries(checks.map((check) => [check.name, check.state])) }
  }
  const folder = (async () => {
    const made = fresh("release")
    await release(read, { method: "equality", k: 3 }, { folder: made })
    return made
  })()

  test("believes what an engine counts, and says what it does not compare", async () => {
    const checks = await states({})
    expect(checks).toMatchObject({ "users-original": "passed", rows: "passed", clicks: "passed", urls: "passed" })
    expect(checks).toMatchObject({ groups: "not checked", state: "not checked" })
  })

  test.each([
    { name: "users-original", lie: { users: 2 } },
    { name: "rows", lie: { differing: 1 } },
    { name: "rows", lie: { rows: 1 } },
    { name: "clicks", lie: { strangeClicks: 1 } },
    { name: "urls", lie: { clickers: [] } },
    { name: "users-original", lie: { unit: "session" as const } },
  ])("fails a release whose $name differ there", async ({ name, lie }) => {
    expect(await states(lie)).toMatchObject({ [name]: "failed", state: "failed" })
  })

  test("notices that the log there is not the one of the receipt, also for a release that shows no users", async () => {
    const made = fresh("release")
    await release(read, { method: "equality", k: 3, users: "drop" }, { folder: made })
    const verifyThere = () => verifyRelease(made, { against: "searches", engine: "counting://host" })
    expect((await verifyThere()).state).toBe("passed")
    lies.sizes = { ...read.log, rows: read.log.rows + 1 }
    const other = await verifyThere()
    delete lies.sizes
    expect(other.state).toBe("not checked")
    expect(other.warnings.join()).toContain("is about another log")
  })

  test("needs the name of the log there", async () => {
    const missing = verifyRelease(await folder, { engine: "counting://host" })
    await expect(missing).rejects.toMatchObject({ code: "usage" })
  })
})
