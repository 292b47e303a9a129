import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { aolText, marker, type Search, timeAfter } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()

// Different people search for 'phone case', alone or with one more word. Nobody shares 'seaside'.
const rows = [
  ...["1", "2", "3", "4"].map((user) => [user, "phone case"]),
  ["5", "red phone case"],
  ["6", "phone case red"],
  ["7", "red"],
  ["7", "blue"],
  ["8", `phone ${marker}`],
  ["8", "phone ann@mail.example"],
  ["8", "mary smith"],
].map(([user = "", query = ""], i): Search => ({ user, query, time: timeAfter(i * 60) }))
const log = write(aolText(rows), "log.tsv")

describe("--function-words", () => {
  const anonymize = (words: string, out: string) =>
    runCli(["anonymize", "affinity", log, "-k", "3", "--theta", "0.5", "--function-words", words, "-o", out])
  const parameter = (out: string): unknown =>
    JSON.parse(readFileSync(`${out}/release.json`, "utf8")).parameters.functionWords

  test("takes a file, whose words the manifest has, so that the release verifies", async () => {
    const out = fresh("out")
    const file = write("# remark\nRed\nof   the\n", "words.txt")
    expect(await anonymize(file, out)).toMatchObject({ code: 0 })
    expect(parameter(out)).toBe("red of the\n")
    expect(await runCli(["verify", out, "--against", log])).toMatchObject({ code: 0 })
  })

  test("takes a file of one word that is also the name of a list", async () => {
    const out = fresh("out")
    expect(await anonymize(write("none", "none.txt"), out)).toMatchObject({ code: 0 })
    expect(parameter(out)).toBe("none\n")
    expect(await runCli(["verify", out, "--against", log])).toMatchObject({ code: 0 })
  })

  test.each(["english", "none"])("takes %s as the name of a list", async (name) => {
    const out = fresh("out")
    expect(await anonymize(name, out)).toMatchObject({ code: 0 })
    expect(parameter(out)).toBe(name)
  })

  test("reports a missing file before anything is written", async () => {
    const { code, stderr } = await anonymize(at("absent.txt"), at("never"))
    expect(code).toBe(1)
    expect(stderr).toContain("--function-words")
    expect(stderr).toContain("there is no such file")
  })
})

describe("explain affinity", () => {
  const explain = (query: string, ...flags: string[]) =>
    runCli(["explain", "affinity", log, query, "--theta", "0.6", "-k", "2", ...flags])

  test("shows concepts, affine queries and the core", async () => {
    const { code, stdout } = await explain("Red  phone case", "--json")
    expect(code).toBe(0)
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({ query: "red phone case", users: 1, verdict: "released" })
    expect(found.facts).toMatchObject({ state: "expanded", users: 1, degree: 6, bound: "exact" })
    const { Concepts: concepts, "Affine queries": affine } = found.tables
    expect(concepts.rows.map(([concept]: [string]) => concept).sort()).toEqual(["case", "phone", "phone case", "red"])
    expect(affine.columns).toEqual(["query", "cosine", "users", "degree"])
    expect(affine.rows.slice(0, 2)).toEqual([
      ["phone case red", "1.000", 1, 6],
      ["phone case", expect.any(String), 4, 6],
    ])
    expect(found.graph.closed).toBe(true)
    expect(found.graph.inCore).toBeGreaterThan(1)
    // Two queries of the same concepts are two vertices with an edge between them.
    const texts = found.graph.vertices.map(({ query }: { query: string }) => query)
    expect([texts[0], texts.length]).toEqual(["red phone case", found.graph.queries])
    expect(found.graph.edges).toContainEqual([0, texts.indexOf("phone case red")])
    expect(found.graph.vectors).toBeLessThan(found.graph.queries)
  })

  test("gives the degree of --audit, exactly or from the surroundings", async () => {
    const audit = fresh("audit")
    const flags = ["--theta", "0.6", "-k", "2", "-o", fresh("out"), "--audit", audit]
    await runCli(["anonymize", "affinity", log, ...flags])
    const lines = readFileSync(`${audit}/degrees.tsv`, "utf8").trimEnd().split("\n").slice(1)
    for (const line of lines.filter((text) => /^(phone case|red)\t/.test(text))) {
      const [query = "", users, degree, state] = line.split("\t")
      for (const more of [[], ["--approximate"]]) {
        const found = JSON.parse((await explain(query, "--json", ...more)).stdout)
        const { facts } = found
        expect([facts.users, facts.degree, facts.state]).toEqual([Number(users), Number(degree), state])
      }
    }
  })

  test("explains a query without concepts or with a rare word", async () => {
    expect((await explain("blue")).stdout).toContain("no concept")
    expect((await explain(`phone ${marker}`)).stdout).toContain("only its own users protect it")
  })

  test("says which query is withheld for an identifier or a name", async () => {
    expect((await explain("phone ann@mail.example")).stdout).toContain("direct identifier (email)")
    expect((await explain("mary smith")).stdout).toContain("seems to name a person")
    expect((await explain("mary smith", "--scrub", "none")).stdout).not.toContain("seems to name a person")
  })

  test("draws the graph as SVG, readable by the owner only, and replaces a file only with --force", async () => {
    const file = fresh("core.svg")
    expect(await explain("phone case", "--svg", file)).toMatchObject({ code: 0 })
    const svg = readFileSync(file, "utf8")
    for (const text of ["phone case", "red phone case", "phone case red"]) expect(svg).toContain(`>${text}</text>`)
    expect(svg.match(/<line /g)?.length).toBeGreaterThan(0)
    expect((await explain("phone case", "--svg", file)).code).toBe(1)
    expect((await explain("phone case", "--svg", file, "--force")).code).toBe(0)
    expect(readFileSync(file, "utf8")).toBe(svg)
  })

  test("says that a query is not in the log", async () => {
    const { code, stderr } = await explain("seaside holidays")
    expect(code).toBe(2)
    expect(stderr).toContain("The log has no such query")
    expect(stderr).not.toContain("seaside")
  })
})
