import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const entries = ["queryveil", "queryveil/stream", "queryveil/personal", "queryveil/extend"]
const fileOf = (entry: string) => at(`dist/${entry.split("/")[1] ?? "index"}.js`)

const staticImport = /^(?:import|export)\b[^"';]*?from "([^"]+)"|^import "([^"]+)"/gm

/** The built files and packages that importing a file loads. What a function loads when called does not count. */
function loadedBy(file: string, found = { files: new Set<string>(), packages: new Set<string>() }) {
  if (found.files.has(file)) return found
  found.files.add(file)
  for (const [, from, alone] of readFileSync(file, "utf8").matchAll(staticImport)) {
    const name = from ?? alone ?? ""
    if (name.startsWith(".")) loadedBy(resolve(dirname(file), name), found)
    else if (!name.startsWith("node:")) found.packages.add(name)
  }
  return found
}

describe("importing an entry point", () => {
  test.each(entries)("%s loads few files, and no heavy package", (entry) => {
    const { files, packages } = loadedBy(fileOf(entry))
    expect(files.size).toBeGreaterThan(5)
    expect(files.size).toBeLessThan(130)
    expect([...packages].filter((name) => !["#typebox", "tinyglobby"].includes(name))).toEqual([])
  })

  test("is counted correctly: loading all that a release needs takes more files", () => {
    expect(loadedBy(at("dist/app/release.js")).files.size).toBeGreaterThan(200)
  })

  test("exports at most 100 values in all, none of them undefined", async () => {
    const modules = await Promise.all(entries.map((entry): Promise<object> => import(entry)))
    const values = modules.flatMap((module) => Object.entries(module))
    expect(values.length).toBeLessThanOrEqual(100)
    expect(values.filter(([, value]) => value === undefined)).toEqual([])
  })
})

describe("a removed entry point", () => {
  test.each([
    ["kernels", "queryveil"],
    ["text", "queryveil"],
    ["wordnet", "queryveil"],
    ["log", "queryveil"],
    ["taxonomy", "queryveil/personal"],
    ["synth", "queryveil"],
    ["methods", "queryveil/extend"],
    ["release", "queryveil"],
    ["attacks", "queryveil/extend"],
    ["measures", "queryveil/extend"],
    ["verify", "queryveil"],
    ["study", "queryveil"],
    ["server", "queryveil/stream"],
  ])("queryveil/%s names the present one, and the page", async (room, instead) => {
    const removed = `queryveil/${room}`
    const error = await import(removed).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: "entry-removed" })
    const { message } = error as Error
    expect(message).toContain(`queryveil/${room}`)
    expect(message).toMatch(new RegExp(`use .*${instead}\\b`))
    expect(message).toContain("docs/migration.md")
    expect(readFileSync(at("docs/migration.md"), "utf8")).toContain(`queryveil/${room}`)
  })

  test("has no names for the compiler", async () => {
    // @ts-expect-error the module exports nothing
    const use = async () => (await import("queryveil/kernels")).createContext
    await expect(use()).rejects.toMatchObject({ code: "entry-removed" })
  })
})
