import { readdir, readFile } from "node:fs/promises"
import { extname, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

export interface PageFile {
  type: string
  bytes: Buffer
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".ico": "image/x-icon",
}

/** The folder of a built page in the package. */
export const builtPage = (name: "stream" | "workers" | "personal" | "studio"): string =>
  fileURLToPath(new URL(`../../web/${name}/`, import.meta.url))

/** Reads the files of a page into memory, by path. Empty if the page was not built. */
export async function readPage(folder: string): Promise<Map<string, PageFile>> {
  const files = new Map<string, PageFile>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = `${entry.parentPath.replace(/[\\/]+$/, "")}${sep}${entry.name}`
    const name = `/${relative(folder, path).split(sep).join("/")}`
    files.set(name === "/index.html" ? "/" : name, { type, bytes: await readFile(path) })
  }
  return files
}
