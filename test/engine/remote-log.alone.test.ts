import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { release, releaseAny } from "#dist/app/release.js"
import { decideQueries } from "#dist/engine/decide-queries.js"
import { openRemoteLog, registerEngine } from "#dist/engine/open-remote-log.js"
import type { RemoteDecision, RemoteLog, RemoteRequest } from "#dist/engine/remote-log.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { readRelease } from "#dist/release/read-release.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh } = scratchFolder()
const shape = { users: "drop", time: "drop", urls: "drop" } as const

const path = fresh()
await writeSynth(path, { rows: 4000, users: 150, seed: 5 })
const read = await readLog(path)
const texts = Array.from(read.log.query, (query) => read.log.queries.text(query))

/** An engine over rows in memory, which writes them in two parts. */
function remoteLog(change: Partial<RemoteDecision> = {}): RemoteLog {
  const { log, intake } = read
  return {
    log,
    intake,
    refuse: ({ method }: RemoteRequest) => (method.name === "groups" ? "users cannot be grouped there" : undefined),
    async decide(request, context) {
      // A database holds texts as typed: with other letter cases and other spaces.
      const pairs = texts.map((text, row) => [log.users.text(log.user[row]), `  ${text.toUpperCase()} `] as const)
      const { shown, ...decision } = await decideQueries(pairs, request, context)
      return {
        ...decision,
        withheld: {},
        async writeParts(folder) {
          const left = texts.flatMap((text) => shown.get(`  ${text.toUpperCase()} `) ?? [])
          const parts = [left.slice(0, 10), left.slice(10)]
          return Promise.all(
            parts.map(async (lines, i) => {
              const bytes = Buffer.from(["Query", ...lines].map((line) => `${line}\n`).join(""))
              await writeFile(join(folder, `log-${i}.tsv`), bytes)
              const sha256 = createHash("sha256").update(bytes).digest("hex")
              return { path: `log-${i}.tsv`, rows: lines.length, sha256 }
            }),
          )
        },
        ...change,
      }
    },
    close: async () => {},
  }
}

const releasedTexts = async (folder: string) => {
  const opened = await readRelease(folder)
  if (opened.kind !== "rows") throw new Error("A release of rows was expected.")
  const log = await opened.log()
  return Array.from(log.query, (query) => log.queries.text(query)).sort()
}

describe("a remote log", () => {
  test.each([
    { method: "equality", k: 3 },
    { method: "affinity", k: 3 },
    { method: "wordnet", k: 20 },
  ])("releases by $method what the single process releases", async (choice) => {
    const [here, there] = [fresh("here"), fresh("there")]
    await releaseAny(read, { ...choice, ...shape }, { folder: here }, createContext())
    const { receipt, manifest } = await releaseAny(
      remoteLog(),
      { ...choice, ...shape },
      { folder: there },
      createContext(),
    )
    expect(await releasedTexts(there)).toEqual(await releasedTexts(here))
    expect(manifest.files.map(({ path }) => path)).toEqual(["log-0.tsv", "log-1.tsv"])
    expect(receipt.released.rows).toBe((await releasedTexts(there)).length)
    expect(receipt.input.rows).toBe(read.log.rows)
  })

  test("gives a release that verifies like any other", async () => {
    const folder = fresh()
    await release(remoteLog(), { method: "equality", k: 3, ...shape }, { folder })
    const checks = await verify({ release: await readRelease(folder), log: read.log })
    expect(overall(checks)).toBe("passed")
  })

  test("is refused before any work where the engine cannot release it", async () => {
    const folder = fresh()
    const refused = release(remoteLog(), { method: "groups" }, { folder })
    await expect(refused).rejects.toMatchObject({ code: "remote-refused", message: expect.stringContaining("grouped") })
    await expect(release(remoteLog(), { method: "counts", epsilon: 1, delta: 1e-6 }, { folder })).rejects.toMatchObject(
      {
        code: "remote-refused",
      },
    )
    expect(existsSync(folder)).toBe(false)
  })

  test("is not released under a bound of risk that nobody can check there", async () => {
    const folder = fresh()
    const refused = release(remoteLog(), { method: "equality", k: 3, ...shape }, { folder, maxRisk: 0.1 })
    await expect(refused).rejects.toMatchObject({ code: "usage", fields: { flag: "--max-risk" } })
  })

  test("leaves nothing behind when the engine fails halfway", async () => {
    const scratch = fresh()
    mkdirSync(scratch)
    const writeParts = async (folder: string) => {
      await writeFile(join(folder, "log-0.tsv"), "Query\nhalf")
      throw new Error("the engine was lost")
    }
    const folder = join(scratch, "release")
    const lost = release(remoteLog({ writeParts }), { method: "equality", k: 3, ...shape }, { folder })
    await expect(lost).rejects.toThrow("the engine was lost")
    expect(readdirSync(scratch)).toEqual([])
  })

  test("is opened by the scheme of its engine", async () => {
    const remote = remoteLog()
    registerEngine({ name: "test-engine", summary: "for this test", open: async () => remote })
    expect(await openRemoteLog("test-engine://host:1", "searches")).toBe(remote)
    await expect(openRemoteLog("other://host", "searches")).rejects.toMatchObject({
      code: "unknown-name",
      message: expect.stringContaining("test-engine:"),
    })
    expect(() => registerEngine({ name: "test-engine", summary: "", open: async () => remote })).toThrow("taken")
  })
})
