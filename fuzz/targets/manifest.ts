import { readFileSync } from "node:fs"
import { isRowsManifest, isTablesManifest, manifestProblem } from "#dist/release/manifest.js"
import { readRelease } from "#dist/release/read-release.js"
import { scratchFolder, writeScratch } from "../support/scratch-file.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const fixture = (name: string) => new URL(`../../../test/fixtures/0.1/${name}/release.json`, import.meta.url)
const compact = (name: string) => JSON.stringify(JSON.parse(readFileSync(fixture(name), "utf8")))

/** `release.json`: refused, or a manifest that is the same after it is written again. */
export const target: FuzzTarget = {
  covers: ["release/manifest", "release/read-release", "methods/guarantee", "methods/dp-guarantee"],
  words: [
    '"guarantee":{',
    '"files":[',
    '"columns":[',
    '"sha256":',
    '"path":"../x.tsv"',
    "null",
    "-1",
    "{}",
    "[]",
    '"__proto__":{}',
  ],
  seeds: () => ["equality", "counts", "swap", "groups"].map(compact),
  check: async (input) => {
    writeScratch("release.json", input)
    const { manifest, kind } = await readRelease(scratchFolder())
    ensure(manifestProblem(manifest) === undefined, "an accepted manifest has no problem")
    ensure(
      kind === "rows" ? isRowsManifest(manifest) : isTablesManifest(manifest),
      "a release has the kind that it states",
    )
    for (const { path } of manifest.files) ensure(!/[/\\]|^\./.test(path), "files are inside the folder")
    const again: unknown = JSON.parse(JSON.stringify(manifest))
    ensure(manifestProblem(again) === undefined, "a manifest can be written and read again")
  },
}
