import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { contentPolicy } from "./layout.ts"

/**
 * Writes the library's interface with TypeDoc, as `npm run api` does. Its pages get the policy of the site and a way
 * back. Their icons are found in the page: a page that is opened from a folder may not refer into another file.
 */
export async function writeApi(root: string, folder: string): Promise<void> {
  const typedoc = fileURLToPath(new URL("bin/typedoc", import.meta.resolve("typedoc/package.json")))
  // The summary of the hierarchy lacks some of the anchors that pages link to.
  const options = ["--out", folder, "--logLevel", "Warn", "--includeHierarchySummary", "false"]
  await promisify(execFile)(process.execPath, [typedoc, ...options], { cwd: root })
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".html")) continue
    const path = join(folder, name)
    writeFileSync(path, adaptPage(readFileSync(path, "utf8"), "../".repeat(name.split(/[\\/]/).length)))
  }
}

/** Adapts a page of TypeDoc. `up` leads to the folder of the site. */
export function adaptPage(html: string, up: string): string {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = ""]) => code)
  const hashes = scripts.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`)
  return html
    .replace("<head>", () => `<head>${contentPolicy(hashes)}`)
    .replace(/href="[^"]*icons\.svg#/g, 'href="#')
    .replace('<div id="tsd-toolbar-links">', (start) => `${start}<a href="${up}index.html">Documentation</a>`)
}
