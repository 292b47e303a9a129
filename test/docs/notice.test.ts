import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const notice = readFileSync(join(root, "NOTICE"), "utf8")

test("NOTICE names every package that the pages contain, because its licence asks for that", () => {
  const sources = readdirSync(join(root, "web"), { encoding: "utf8", recursive: true })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith("vite.config.ts"))
    .map((path) => readFileSync(join(root, "web", path), "utf8"))
  const imported = sources.flatMap((text) => [...text.matchAll(/ from "([^."#][^"]*)"/g)].map(([, name = ""]) => name))
  const packages = new Set(imported.map((name) => name.split("/")[0] ?? ""))
  expect([...packages]).toContain("preact")
  for (const name of packages) expect(notice.toLowerCase()).toContain(`contain ${name}, bundled`)
})
