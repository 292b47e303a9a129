import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { buildSite } from "./build-site.ts"

/** `npm run docs`: builds the site into build/site. `npm run docs -- --no-api` leaves out the library's interface. */
const root = fileURLToPath(new URL("../../", import.meta.url))
const { values } = parseArgs({ options: { "no-api": { type: "boolean", default: false } } })
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }

try {
  const pages = await buildSite({ root, folder: join(root, "build/site"), version, withApi: !values["no-api"] })
  process.stdout.write(`build/site: ${pages} pages. Open build/site/index.html.\n`)
} catch (error) {
  process.stderr.write(`The site was not built. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
