import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Browser, chromium } from "playwright-core"

const executable = [
  process.env.CHROMIUM_PATH ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== "" && existsSync(path))

/** The folder of the built page with this name. */
export const pageFolder = (name: string) => fileURLToPath(new URL(`../../dist/web/${name}`, import.meta.url))

/** Why tests of this page cannot run; undefined if they can. */
export function whyNot(name: string): string | undefined {
  if (!existsSync(pageFolder(name))) return `dist/web/${name} is not built: npm run build`
  if (executable !== undefined) return undefined
  const reason = "no Chromium found: apt-get install chromium, or set CHROMIUM_PATH"
  if (process.env.REQUIRE_SERVERS === "1") throw new Error(reason)
  return reason
}

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/**
 * How long a test of a page waits for what it expects, in ms. Only a page that hangs takes that long, however busy the
 * machine.
 */
export const patience = 1_800_000

export function openBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error("no Chromium found")
  return chromium.launch({ executablePath: executable, headless: true, args: quiet, timeout: patience })
}
