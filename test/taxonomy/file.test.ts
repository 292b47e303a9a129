import { readFileSync, writeFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { TaxonomyColumns } from "#dist/taxonomy/taxonomy.js"
import { encodeTaxonomy, readTaxonomyFile } from "#dist/taxonomy/taxonomy-file.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { expectTree } from "./expect-tree.ts"
import { importFrom, listTopics, readFrom } from "./import-text.ts"

const { write, at } = scratchFolder()
const rows = write("a\t1\talpha\na/b\t2\tbeta\na/b/c\t3\t\nd\t4\tdelta\nd/é\t0.5\té\n")
const save = (columns: TaxonomyColumns, name: string) => write(Buffer.concat(encodeTaxonomy(columns)), name)

describe("a taxonomy file", () => {
  test("returns the same taxonomy, in shared memory", async () => {
    const { columns } = await importFrom(rows)
    const kept = await readTaxonomyFile(save(columns, "t.taxonomy"))
    expect(kept).toEqual(columns)
    expect(kept?.parent.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  test("is opened by its path like the file it was made from", async () => {
    const { columns } = await importFrom(rows)
    const context = createContext()
    const opened = await openTaxonomy(save(columns, "t.taxonomy"), {}, context)
    expectTree(opened)
    expect(listTopics(opened)).toEqual(listTopics(await openTaxonomy(rows, {}, context)))
    expect(listTopics(opened)).toEqual(listTopics(await readFrom(rows)))
  })

  test("with any bit flipped, cut short or made longer is refused, or read as another kind of file", async () => {
    const { columns } = await importFrom(rows)
    const path = save(columns, "damaged.taxonomy")
    const whole = readFileSync(path)
    const expectRefused = async (content: Uint8Array) => {
      writeFileSync(path, content)
      const read = await readTaxonomyFile(path).catch((error: unknown) => error)
      if (read !== undefined) expect(read).toMatchObject({ code: "taxonomy-broken", fields: { file: path } })
    }
    for (let byte = 0; byte < whole.length; byte++) {
      const flipped = Buffer.from(whole)
      flipped[byte] = (flipped[byte] ?? 0) ^ (1 << (byte % 8))
      await expectRefused(flipped)
    }
    for (let length = 0; length < whole.length; length += 7) await expectRefused(whole.subarray(0, length))
    await expectRefused(Buffer.concat([whole, Buffer.of(0)]))
  })

  test("with valid checksums but no tree is refused", async () => {
    const { columns } = await importFrom(rows)
    const names = ["parent", "end", "depth"] as const
    const changes = fc.record({
      name: fc.constantFrom(...names),
      at: fc.nat(),
      value: fc.integer({ min: -2, max: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(changes, async ({ name, at: place, value }) => {
        const made = structuredClone(columns)
        const changed = new (made[name].constructor as new (length: number) => Int32Array)(made[name].length)
        changed.set(made[name])
        changed[place % changed.length] = value
        if (changed[place % changed.length] === made[name][place % changed.length]) return
        const path = save({ ...made, [name]: changed }, "forged.taxonomy")
        await expect(readTaxonomyFile(path)).rejects.toMatchObject({ code: "taxonomy-broken" })
      }),
      { numRuns: 300 },
    )
  })

  test("that does not exist is reported as missing", async () => {
    const context = createContext()
    await expect(openTaxonomy(at("none.taxonomy"), {}, context)).rejects.toMatchObject({ code: "input-missing" })
  })
})
