import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { differingParts, plainLog } from "./plain-log.ts"
import { read, refusal } from "./read.ts"

const { folder, write } = scratchFolder()

const text = [
  "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n",
  "7001\tGardenShed.com\t2006-03-01 08:20:12\t\t\n",
  "7002\tharbour é\t2006-03-01 12:34:56\t1\thttp://www.harbour.com\n",
  "7001\tkettle.com\t2006-02-17 22:23:24\t1\thttp://www.kettle.com\n",
  "a line that is no row\n",
  "7001\tno time\tnever\n",
].join("")

let caches = 0
const newCache = () => join(folder, `cache${caches++}`)
const modeOf = (path: string) => statSync(path).mode & 0o777

/** Writes a file until the system's clock, which ticks a few times in 10 ms, shows that it has changed. */
function rewrite(path: string, content: string, times?: { atime: Date; mtime: Date }): void {
  const before = statSync(path, { bigint: true }).ctimeNs
  do {
    writeFileSync(path, content)
    if (times !== undefined) utimesSync(path, times.atime, times.mtime)
  } while (statSync(path, { bigint: true }).ctimeNs === before)
}

describe("a log read again with a cache", () => {
  test.each<[string, () => string | string[]]>([
    ["a file", () => write(text)],
    ["a gzip file", () => write(gzipSync(text))],
    ["several files", () => [write(text), write(gzipSync(text)), write("")]],
    ["a log without clicks", () => write("1\tq\t2006-03-01 08:20:12\n")],
  ])("comes from it and is the same in every column, dictionary and the intake: %s", async (_name, prepare) => {
    const input = prepare()
    const cache = newCache()
    const first = await read(input, { cache })
    const second = await read(input, { cache })
    expect([first.intake.cached, second.intake.cached]).toEqual([false, true])
    expect(differingParts(first, second)).toEqual([])
    expect(second.intake).toEqual({ ...first.intake, cached: true })
    expect(plainLog(second)).toEqual(plainLog(await read(input)))
    expect(second.log.queries.find("no such query")).toBe(-1)
    expect(second.log.queries.find(second.log.queries.text(0))).toBe(0)
    expect(second.log.user.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  test("comes from it however the file is named", async () => {
    const cache = newCache()
    const path = write(text, "named.txt")
    await read(path, { cache })
    expect((await read(join(folder, "nam?d.txt"), { cache })).intake.cached).toBe(true)
  })

  test("is refused in strict mode as it was when it was parsed", async () => {
    const cache = newCache()
    const path = write(text)
    const parsed = await refusal(read(path, { strict: true }))
    await read(path, { cache })
    const cached = await refusal(read(path, { cache, strict: true }))
    expect(cached).toBeInstanceOf(QueryveilError)
    expect(cached).toMatchObject({ code: "input-rows", fields: { file: path, line: 5 } })
    expect(String(cached)).toBe(String(parsed))
  })

  test("is parsed when no cache is asked for, and nothing is kept", async () => {
    const path = write(text)
    const before = readdirSync(folder)
    expect((await read(path)).intake.cached).toBe(false)
    expect((await read(path)).intake.cached).toBe(false)
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe("the cache is private", () => {
  test("only the owner can read its files and the folders made for it", async () => {
    const outer = newCache()
    const cache = join(outer, "inner")
    await read(write(text), { cache })
    const files = readdirSync(cache)
    expect(files).toHaveLength(1)
    expect(modeOf(join(cache, files[0]))).toBe(0o600)
    expect([modeOf(cache), modeOf(outer)]).toEqual([0o700, 0o700])
  })

  test("only the owner can read its files, also in an existing folder and after a rewrite", async () => {
    const cache = newCache()
    mkdirSync(cache, { mode: 0o755 })
    const path = write(text)
    await read(path, { cache })
    rewrite(path, text.toUpperCase())
    await read(path, { cache })
    const files = readdirSync(cache)
    expect(files).toHaveLength(1)
    expect(modeOf(join(cache, files[0]))).toBe(0o600)
  })

  test("the names of its files reveal nothing about the log's", async () => {
    const cache = newCache()
    await read(write(text, "secretname.txt"), { cache })
    expect(readdirSync(cache)[0]).toMatch(/^[0-9a-f]{32}\.log$/)
  })
})

describe("the cache is used only for the log that it was made from", () => {
  const different = text.replace("harbour", "weather")

  test("not when the log has grown", async () => {
    const cache = newCache()
    const path = write(text)
    await read(path, { cache })
    rewrite(path, `${text}9\tmore\t2006-03-01 08:20:12\n`)
    const { log, intake } = await read(path, { cache })
    expect([intake.cached, log.rows]).toEqual([false, 4])
    expect((await read(path, { cache })).intake.cached).toBe(true)
  })

  test("not when its content has changed and its size has not", async () => {
    const cache = newCache()
    const path = write(text)
    await read(path, { cache })
    rewrite(path, different)
    const { log, intake } = await read(path, { cache })
    expect([intake.cached, log.queries.find("weather é") >= 0]).toEqual([false, true])
  })

  test("not when its content has changed and size and time of change are set back", async () => {
    const cache = newCache()
    const path = write(text)
    const then = new Date("2006-08-04T00:00:00Z")
    utimesSync(path, then, then)
    await read(path, { cache })
    rewrite(path, different, { atime: then, mtime: then })
    expect(statSync(path).mtime).toEqual(then)
    const { log, intake } = await read(path, { cache })
    expect([intake.cached, log.queries.find("weather é") >= 0]).toEqual([false, true])
  })

  test("not when only letter case has changed, which the log does not show", async () => {
    const cache = newCache()
    const path = write(text)
    await read(path, { cache })
    rewrite(path, text.replace("harbour", "HARBOUR"))
    expect((await read(path, { cache })).intake.cached).toBe(false)
  })

  test("not for one file of several, nor for the same files in another order", async () => {
    const cache = newCache()
    const [a, b] = [write(text), write(different)]
    await read([a, b], { cache })
    expect((await read([b, a], { cache })).intake.cached).toBe(false)
    expect((await read([a], { cache })).intake.cached).toBe(false)
    expect((await read([a, b], { cache })).intake.cached).toBe(true)
    rewrite(b, text)
    expect((await read([a, b], { cache })).intake.cached).toBe(false)
  })

  test("but still if the file was only touched, or rewritten unchanged", async () => {
    const cache = newCache()
    const path = write(text)
    const first = await read(path, { cache })
    const later = new Date("2031-01-01T00:00:00Z")
    utimesSync(path, later, later)
    const touched = await read(path, { cache })
    rewrite(path, text)
    const rewritten = await read(path, { cache })
    expect([touched.intake.cached, rewritten.intake.cached]).toEqual([true, true])
    expect([...differingParts(first, touched), ...differingParts(first, rewritten)]).toEqual([])
  })

  test("not when the log is gone", async () => {
    const cache = newCache()
    const path = write(text)
    await read(path, { cache })
    rmSync(path)
    expect(await refusal(read(path, { cache }))).toMatchObject({ code: "input-missing" })
  })
})

describe("nothing is kept in the cache", () => {
  test("of a log that changed while it was read, and a warning says so", async () => {
    const cache = newCache()
    const path = write(text)
    const report = ({ stage }: { stage: string }) => {
      if (stage === "sorting") rewrite(path, `${text}9\tmore\t2006-03-01 08:20:12\n`)
    }
    const { intake } = await read(path, { cache }, { report })
    expect(intake.warnings.at(-1)).toMatch(/changed while it was read/)
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([])
  })

  test("of a log that is refused", async () => {
    const cache = newCache()
    await refusal(read(write(text), { cache, strict: true }))
    await refusal(read(write("no rows\n"), { cache }))
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([])
  })

  test("when the run is interrupted while it is written, and the run is refused as interrupted", async () => {
    const cache = newCache()
    const controller = new AbortController()
    const report = ({ stage }: { stage: string }) => {
      if (stage === "caching") controller.abort()
    }
    const error = await refusal(read(write(text), { cache }, { signal: controller.signal, report }))
    expect(readdirSync(cache)).toEqual([])
    expect(error).toMatchObject({ code: "interrupted" })
  })

  test("where it cannot be written, and the error names the folder", async () => {
    const cache = write("a file where the folder should be")
    const error = await refusal(read(write(text), { cache }))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code: "output-unwritable", fields: { file: cache } })
  })
})

test("half-written files of a killed run are removed a day later; files being written stay", async () => {
  const cache = newCache()
  mkdirSync(cache)
  const [old, live] = ["old.log.1.partial", "live.log.2.partial"].map((name) => join(cache, name))
  for (const path of [old, live]) writeFileSync(path, "half a log")
  utimesSync(old, new Date(0), new Date(0))
  await read(write(text), { cache })
  expect([existsSync(old), existsSync(live)]).toEqual([false, true])
})
