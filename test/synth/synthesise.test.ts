import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { QueryveilError } from "#dist/kernels/error.js"
import type { SynthOptions } from "#dist/synth/options.js"
import { type PlantedSecret, synthesise } from "#dist/synth/synthesise.js"

async function make(options: SynthOptions & { topics?: boolean }, workers = 1) {
  const log = createHash("sha256")
  const topics = createHash("sha256")
  const secrets: PlantedSecret[] = []
  let text = ""
  let rows = 0
  let largest = 0
  for await (const chunk of synthesise(options, createContext({ workers }))) {
    log.update(chunk.bytes)
    topics.update(chunk.topics)
    secrets.push(...chunk.secrets)
    rows += chunk.rows
    largest = Math.max(largest, chunk.bytes.length)
    if ((options.rows ?? 0) < 50_000) text += Buffer.from(chunk.bytes).toString("latin1")
  }
  return { digest: log.digest("hex"), topics: topics.digest("hex"), secrets, text, rows, largest }
}

/** User and time of each row, in the order of the file. */
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))

describe("a synthetic log", () => {
  test("is the same for one, two and three workers, its truth too", async () => {
    const options = { rows: 120_000, users: 2500, seed: 5, topics: true }
    for (const follow of [0, 0.5]) {
      const one = await make({ ...options, follow }, 1)
      expect(one.secrets.length).toBeGreaterThan(0)
      expect(await make({ ...options, follow }, 2)).toEqual(one)
      expect(await make({ ...options, follow }, 3)).toEqual(one)
    }
  })

  test("has the known bytes of this model for its seed, without --follow", async () => {
    const options = { rows: 20_000, users: 400, topics: true }
    const { digest, topics } = await make({ ...options, seed: 1 })
    expect(digest).toBe("8b8f64cf52a3d6647f5ec3a89b77215a14b63feba83752d9f269198577908e1a")
    expect(topics).toBe("186749322ab885dc35b5e7a4d0c75caf1a4698fc9b10e7744924fc269e7bd126")
    const { digest: seventh } = await make({ ...options, seed: 7, follow: 0 })
    expect(seventh).toBe("b2920d4e04f042c1adcd868ba9be5db3054a2003b7bd55069483c7cc98084d53")
  })

  test("is another for another seed, also beyond 32 bits", async () => {
    const seeds = [1, 2, 2 ** 32 + 1]
    const digests = await Promise.all(seeds.map(async (seed) => (await make({ rows: 3000, seed })).digest))
    expect(new Set(digests).size).toBe(seeds.length)
  })

  test("has exactly the requested rows and users, each user in one run of rows in order of time", async () => {
    const size = fc.integer({ min: 1, max: 400 })
    const sizes = fc.tuple(size, size, fc.nat({ max: 9 }), fc.constantFrom(0, 0.3, 1))
    await fc.assert(
      fc.asyncProperty(sizes, async ([a, b, seed, follow]) => {
        const [rows, users] = [Math.max(a, b), Math.min(a, b)]
        const made = rowsOf((await make({ rows, users, seed, follow })).text)
        expect(made.length).toBe(rows)
        const ids = made.map(([id = ""]) => Number(id))
        expect(new Set(ids).size).toBe(users)
        expect(ids).toEqual(ids.toSorted((x, y) => x - y))
        for (let i = 1; i < made.length; i++)
          if (ids[i] === ids[i - 1]) expect((made[i]?.[2] ?? "") >= (made[i - 1]?.[2] ?? "")).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  test("of one very busy user is in order, in chunks of bounded size, within the three months", async () => {
    const { text, rows, largest } = await make({ rows: 40_000, users: 1 })
    const times = rowsOf(text).map(([, , time = ""]) => time)
    expect(rows).toBe(40_000)
    expect(largest).toBeLessThan(4 << 20)
    expect(times).toEqual(times.toSorted())
    expect((times[0] ?? "") >= "2006-03-01 00:00:00" && (times.at(-1) ?? "") <= "2006-05-31 23:59:59").toBe(true)
    expect(new Set(times).size).toBeGreaterThan(15_000)
  })

  test("with more users than rows is refused", async () => {
    const refused = make({ rows: 10, users: 11 })
    await expect(refused).rejects.toThrow(/--users 11: every user needs a row, and there are 10/)
    await expect(refused).rejects.toBeInstanceOf(QueryveilError)
  })

  test("with a share of --follow outside 0 to 1 is refused", async () => {
    for (const follow of [-0.1, 1.1, Number.NaN])
      await expect(make({ rows: 10, follow })).rejects.toThrow(/follow: expected a share from 0 to 1/)
  })

  test("has no secrets if none are requested, and more if more are", async () => {
    const options = { rows: 60_000, users: 1000 }
    expect((await make({ ...options, secrets: 0 })).secrets).toEqual([])
    const some = (await make({ ...options, secrets: 0.002 })).secrets.length
    const many = (await make({ ...options, secrets: 0.02 })).secrets.length
    expect(many).toBeGreaterThan(5 * some)
  })
})
