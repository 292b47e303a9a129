import * as fc from "fast-check"
import { expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { importFormats } from "#dist/taxonomy/load/formats.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { importFrom } from "./import-text.ts"
import { content, structure } from "./odp-dump.ts"

const { write } = scratchFolder()
const seeds = [
  structure,
  content,
  "path\tsupport\ttext\na\t1\tx\na/b\t2\ty\n",
  "x\t\t\nUnique ID\tParent\tName\n1\t\tA\n2\t1\tB\n3\t2\tC\n",
].map((text) => Buffer.from(text))

/** A valid file with some bytes replaced, left out or repeated. */
const mutants = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(12),
        bytes: fc.oneof(
          fc.uint8Array({ maxLength: 4 }),
          fc
            .constantFrom("<", ">", "&", '"', "\n", "\t", "<!--", "]]>", "<![CDATA[", "/", "</Topic>")
            .map((text) => Buffer.from(text)),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([seed, edits]) => {
    let bytes: Uint8Array = seed
    for (const edit of edits) {
      const at = Math.floor(edit.at * bytes.length)
      bytes = Buffer.concat([bytes.subarray(0, at), edit.bytes, bytes.subarray(at + edit.length)])
    }
    return bytes
  })

test("reading any file ends with a tree or an error with a position", async () => {
  const files = fc.oneof({ weight: 4, arbitrary: mutants }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) })
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom(...importFormats), fc.boolean(), async (bytes, format, lenient) => {
      const file = write(bytes, "fuzz")
      const outcome = await importFrom(file, { format, lenient }).catch((error: unknown) => error)
      if (!(outcome instanceof QueryveilError)) {
        expect(outcome).toHaveProperty("columns.parent")
        return
      }
      expect(["taxonomy-broken", "input-empty", "input-encoding", "input-gzip"]).toContain(outcome.code)
      expect(outcome.fields.file).toBe(file)
      if (outcome.code === "taxonomy-broken") expect(outcome.fields.line).toBeGreaterThan(0)
    }),
    { numRuns: 600 },
  )
})
