import { readdirSync, readFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { answerSchemas, schemaFiles } from "#dist/app/answers/registry.js"
import { answerVersions, schemaName } from "#dist/app/answers/versions.js"
import { Value } from "#typebox"
import { aolText, smallTown } from "../support/aol-log.ts"
import { checkAnswer, close } from "../support/check-answer.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const schemas = new URL("../../schemas/", import.meta.url)
const readSchema = (name: string) => JSON.parse(readFileSync(new URL(name, schemas), "utf8"))

describe("the schemas in the repository", () => {
  test("equal what the code generates (npm run schemas)", () => {
    const files = readdirSync(schemas).filter((name) => name.endsWith(".json"))
    expect(Object.fromEntries(files.map((name) => [name, readFileSync(new URL(name, schemas), "utf8")]))).toEqual(
      Object.fromEntries(schemaFiles()),
    )
  })

  test("exist for every answer of a command, and for nothing else", () => {
    expect(Object.keys(answerSchemas).sort()).toEqual(Object.keys(answerVersions).sort())
    const page = readFileSync(new URL("../../docs/json.md", import.meta.url), "utf8")
    for (const name of Object.keys(answerVersions)) expect(page).toContain(`\`${name}\``)
  })
})

describe("the files of a release", () => {
  const { at, write } = scratchFolder()
  const log = write(aolText(smallTown()))
  const read = (name: string) => JSON.parse(readFileSync(at(name), "utf8"))
  beforeAll(async () => {
    const making = ["-o", at("tables"), "--json"]
    for (const args of [
      ["anonymize", "swap", log, "-k", "2", "--depth", "1", "-o", at("rows"), "--json"],
      ["anonymize", "counts", log, "--epsilon", "4000", "--delta", "1e-3", "--min-users", "2", ...making],
    ])
      expect(await runCli(args)).toMatchObject({ code: 0 })
  })

  test.each(["rows", "tables"])("of %s match the schemas of manifest and receipt", (folder) => {
    expect([...Value.Errors(readSchema("release.v1.json"), read(`${folder}/release.json`))]).toEqual([])
    expect([...Value.Errors(close(readSchema("receipt.v1.json")), read(`${folder}.receipt.json`))]).toEqual([])
  })

  test("do not match if a field is missing or added", () => {
    const { release: _id, ...receipt } = read("rows.receipt.json")
    expect(Value.Check(readSchema("receipt.v1.json"), receipt)).toBe(false)
    expect(Value.Check(readSchema("release.v1.json"), { ...read("rows/release.json"), users: 12 })).toBe(false)
  })
})

describe("a test that runs a command checks its answer", () => {
  const schema = schemaName("labels")
  test.each([
    ["a field that is missing", { schema, file: "x", queries: 1 }],
    ["a field of another type", { schema, file: "x", queries: "1", warnings: [] }],
    ["a field that no schema has", { schema, file: "x", queries: 1, warnings: [], more: 1 }],
  ])("and finds %s", (_what, answer) => {
    checkAnswer({ schema, file: "x", queries: 1, warnings: [] })
    expect(() => checkAnswer(answer)).toThrow()
  })
})
