import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folders = ["src", "test", "bench", "soak", "servers", "fuzz", "web", "vendor", "diagram", "site"]
const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: "utf8", recursive: true }).map((path) => `/${folder}/${path}`),
)

/** The files of our code that a page names, with or without their folders. A `*` stands for a part of a name. */
const namesOf = (text: string) =>
  [...text.matchAll(/`([a-z0-9*][\w./*-]*\.(?:ts|tsx))`/g)].flatMap(([, name = ""]) =>
    /[A-Z]/.test(name) ? [] : [name],
  )

const isThere = (name: string) => {
  const pattern = new RegExp(`/${name.replaceAll(".", "\\.").replaceAll("*", "[\\w-]*")}$`)
  return paths.some((path) => pattern.test(path))
}

const pages = [
  "CONTRIBUTING.md",
  ...["docs", "docs/adr", "docs/methods"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
]

test("a page names only files that exist, so that a reader who searches for one finds it", () => {
  const texts = pages.map((page) => ({ page, names: namesOf(readFileSync(join(root, page), "utf8")) }))
  expect(texts.find(({ page }) => page === "docs/ARCHITECTURE.md")?.names.length).toBeGreaterThan(200)
  const missing = texts.flatMap(({ page, names }) => names.filter((name) => !isThere(name)).map((name) => [page, name]))
  expect(missing).toEqual([])
  expect(isThere("cli/no-such-file.ts")).toBe(false)
})
