import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { content, structure } from "./odp-dump.ts"

const { write, fresh, at } = scratchFolder()
const small = write("Arts\t1\tpictures\nArts/Music\t2\tsongs\nSports\t3\t\n", "small.tsv")
const run = (...args: string[]) => runCli(["taxonomy", ...args])
const ask = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--json")
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

describe("taxonomy import", () => {
  test("writes one file that the other commands accept", async () => {
    const file = `${fresh()}.taxonomy`
    const dump = [write(structure, "structure.rdf.u8"), write(content, "content.rdf.u8")]
    expect(await ask("import", ...dump, "-o", file)).toMatchObject({
      file,
      format: "odp",
      topics: 3,
      levels: 2,
      pages: 4,
      repairs: { encoding: 0, missing: 0, duplicate: 0, skipped: 0 },
    })
    expect(await ask("show", "Arts/Music", "--taxonomy", file)).toMatchObject({
      path: "Arts/Music",
      name: "Music",
      depth: 2,
      support: 3,
      own: 3,
      below: 0,
      children: [],
      text: "Music; Jazz; Swing and bebop; Opera",
    })
  })

  test("leaves nothing behind if the file is broken", async () => {
    const broken = write("a\t1\t\nb/c\t1\t\n")
    const folder = at("out")
    const result = await run("import", broken, "-o", `${folder}.taxonomy`)
    expectRefused(result, { code: 1, message: /line 2: the topic "b" is used here/ })
    expect(readdirSync(at()).filter((name) => name.startsWith("out"))).toEqual([])
    const { code, stdout, stderr } = await run("import", broken, "-o", `${folder}.taxonomy`, "--lenient")
    expect([code, stderr]).toEqual([0, "warning: repaired: missing 1\n"])
    expect(stdout).toContain("3 topics on 2 levels (tsv)")
  })

  test("does not replace a file without --force", async () => {
    const file = write("mine", "kept.taxonomy")
    expectRefused(await run("import", small, "-o", file), { code: 1, message: /already exists.*--force/ })
    expect(readFileSync(file, "utf8")).toBe("mine")
    expect((await run("import", small, "-o", file, "--force")).code).toBe(0)
    expect((await ask("stats", "--taxonomy", file)).topics).toBe(3)
  })

  test("requires an output file and a known format", async () => {
    expectRefused(await run("import", small), { code: 2, message: /--output.* is missing/ })
    expectRefused(await run("import", small, "-o", fresh(), "--format", "owl"), { code: 2, message: /tsv, odp, iab/ })
  })

  test("gives the code, the file and the line with --json", async () => {
    const broken = write("a\t1\t\na\t1\t\n")
    const { stderr } = await run("import", broken, "-o", fresh(), "--json")
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "taxonomy-broken", file: broken, line: 2 } })
  })
})

describe("taxonomy show", () => {
  test("shows a topic, its text and the topics below it", async () => {
    const { stdout } = await run("show", "--taxonomy", small, "--depth", "2")
    expect(stdout).toBe(
      "(root)\nlevel 0, support 6 (own 0), 3 topics below\n  Arts     3  1 below\n    Music  2\n  Sports   3\n",
    )
    expect((await run("show", "Arts/Music", "--taxonomy", small)).stdout).toBe(
      "Arts/Music\nsongs\nlevel 2, support 2 (own 2), 0 topics below\n",
    )
  })

  test("shows WordNet by default", async () => {
    const topic = await ask("show", "food", "--cache", fresh("cache"))
    expect(topic).toMatchObject({ path: "food", depth: 1, text: expect.stringMatching(/^food, nutrient: /) })
    expect(topic.children.length).toBeGreaterThan(5)
  })

  test("suggests similar topics", async () => {
    const refused = await run("show", "arts/musik", "--taxonomy", small)
    expectRefused(refused, { code: 2, message: /no topic arts\/musik\. Near it: Arts\/Music\./ })
    expectRefused(await run("show", "zzzzzz", "--taxonomy", small), { code: 2, message: /Start at the root/ })
  })

  test("writes a subtree as TSV that can be imported again", async () => {
    const { stdout } = await run("show", "--taxonomy", small, "--tsv")
    expect(stdout).toBe("path\tsupport\ttext\nArts\t1\tpictures\nArts/Music\t2\tsongs\nSports\t3\t\n")
    const again = await run("show", "--taxonomy", write(stdout), "--tsv")
    expect(again.stdout).toBe(stdout)
    expect((await run("show", "Arts", "--taxonomy", small, "--tsv", "--depth", "0")).stdout).toBe(
      "path\tsupport\ttext\nArts\t1\tpictures\n",
    )
    expectRefused(await run("show", "--taxonomy", small, "--tsv", "--json"), { code: 2, message: /exclude/ })
  })
})

describe("taxonomy stats", () => {
  test("counts topics per level, as Table 3 of Pàmies-Estrems et al. does", async () => {
    expect(await ask("stats", "--taxonomy", small)).toMatchObject({
      topics: 3,
      levels: [
        { level: 1, topics: 2, total: 2, leaves: 1, meanChildren: 1, support: 4 },
        { level: 2, topics: 1, total: 3, leaves: 1, meanChildren: 0, support: 2 },
      ],
      leaves: 2,
      meanChildren: 1.5,
      support: 6,
      unsupported: 0,
    })
    const { stdout } = await run("stats", "--taxonomy", small)
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "level  topics  total  leaves  mean children  support",
      "    1       2      2       1              1        4",
    ])
  })

  test("reports a missing file", async () => {
    const missing = await run("stats", "--taxonomy", at("none.tsv"))
    expectRefused(missing, { code: 1, message: /none\.tsv: there is no such file/ })
    expect(existsSync(at("none.tsv"))).toBe(false)
  })
})
