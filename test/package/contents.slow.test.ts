import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))

interface Packed {
  size: number
  unpackedSize: number
  files: { path: string; size: number }[]
}

/** What npm would put into the package. The build is there already, so no script runs. */
function pack(): Packed {
  const arguments_ = ["pack", "--dry-run", "--json", "--ignore-scripts"]
  const [packed] = JSON.parse(execFileSync("npm", arguments_, { cwd: root, encoding: "utf8", stdio: "pipe" }))
  return packed
}

const packed = pack()
const paths = packed.files.map(({ path }) => path)

describe("the package that npm installs", () => {
  test("holds what runs, its data, docs, examples, schemas and licences, and nothing else", () => {
    const tops = new Set(paths.map((path) => path.split("/")[0]))
    expect([...tops].sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "data",
      "dist",
      "docs",
      "examples",
      "package.json",
      "schemas",
      "vendor",
    ])
  })

  test("holds no build records, no sources of tests, and nothing private of a release", () => {
    const unwanted =
      /\.tsbuildinfo$|\.test\.|(^|\/)docs\/api\/|receipt\.json$|(^|\/)(audit|node_modules)\/|\.(qvp|pem|key)$/
    expect(paths.filter((path) => unwanted.test(path))).toEqual([])
  })

  test.each(["index", "stream", "personal", "extend"])("has the entry point %s with its types", (name) => {
    expect(paths).toEqual(expect.arrayContaining([`dist/${name}.js`, `dist/${name}.d.ts`]))
  })

  test("is at most 3 MB to download and 9 MB on disk, and no file of it is over 500 kB", () => {
    expect(packed.size).toBeLessThan(3_000_000)
    expect(packed.unpackedSize).toBeLessThan(9_000_000)
    expect(packed.files.filter(({ size }) => size > 500_000)).toEqual([])
  })
})
