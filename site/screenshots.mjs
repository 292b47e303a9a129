// Starts the real programs on synthetic data and takes their pictures, light and dark: npm run docs:screenshots [NAME…]
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { chromium } from "playwright-core"

const program = fileURLToPath(new URL("../dist/cli/queryveil.cjs", import.meta.url))
const pictures = fileURLToPath(new URL("screenshots/", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "queryveil-screenshots-"))
const at = (...names) => join(folder, ...names)
const env = { ...process.env, QUERYVEIL_PASSPHRASE: "a few words" }
const patience = 600_000
const started = []

const start = (args) => {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: "pipe" })
  started.push(child)
  return child
}

/** Runs a command to its end. */
async function run(...args) {
  const child = start(args)
  for (const stream of [child.stdout, child.stderr]) stream.resume()
  const [code] = await once(child, "close")
  if (code !== 0 && code !== 3) throw new Error(`queryveil ${args.join(" ")} ended with ${code}`)
}

/** Starts a command that serves a page. Returns the page's address. */
function serve(...args) {
  const child = start(args)
  return new Promise((resolve, reject) => {
    let told = ""
    const hear = (text) => {
      told += text
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/\S*\s/.exec(told) ?? []
      if (address !== undefined) resolve({ child, address: address.trim() })
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.on("close", () => reject(new Error(told)))
  })
}

const fileAt = (...names) => pathToFileURL(at(...names)).href
const makeLog = (rows, ...more) =>
  run("synth", "--rows", String(rows), "--follow", "0.5", "-o", "log.tsv", "--force", ...more)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The names of temporary folders are not shown. */
const hideFolder = (page) =>
  page.evaluate((folder) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(`${folder}/`, "")
    for (const input of document.querySelectorAll("input")) input.value = input.value.replaceAll(`${folder}/`, "")
  }, folder)

/** What each picture shows: the address of a page, and what to do there first. */
const shots = {
  async report() {
    await makeLog(50_000)
    await run("anonymize", "equality", "log.tsv", "-k", "10", "-o", "release", "--audit", "audit")
    await run("report", "release", "--against", "log.tsv", "--audit", "audit")
    return { address: fileAt("release.report.html") }
  },

  async frontier() {
    await makeLog(20_000, "--users", "400")
    await run("study", "frontier", "log.tsv", "--coarse", "--discard-releases", "-o", "frontier")
    const prepare = (page) =>
      page
        .locator("h2")
        .first()
        .evaluate((heading) => heading.scrollIntoView())
    return { address: fileAt("frontier/index.html"), prepare }
  },

  async studio() {
    const { address } = await serve("studio", "--demo", "--no-open", "--port", "0")
    const prepare = async (page) => {
      await page.getByRole("button", { name: "Continue to Exposure" }).click()
      await page.getByText("nobody else").first().waitFor()
    }
    return { address, prepare }
  },

  async personal() {
    await run("samples", "-o", "samples")
    await run("personal", "learn", "samples/history.csv", "-o", "profile.qvp")
    await run("personal", "mark", "profile.qvp", "--sensitive", "state/condition/physical condition/pathological state")
    const { address } = await serve("personal", "serve", "profile.qvp", "--no-open", "--port", "0")
    const prepare = async (page) => {
      const skip = page.getByRole("button", { name: "Skip" })
      const box = page.getByRole("searchbox")
      await skip.or(box).first().waitFor()
      if (await skip.isVisible()) await skip.click()
      await box.fill("pruning")
      await page.keyboard.press("Enter")
      await page.getByRole("region", { name: "Results" }).waitFor()
      await pause(2000)
    }
    return { address, prepare }
  },

  /** Searches of a synthetic log come at 2,000 a second, in the order of time. */
  async stream() {
    await makeLog(200_000)
    const [head, ...rows] = readFileSync(at("log.tsv"), "utf8").trimEnd().split("\n")
    rows.sort((a, b) => (a.split("\t")[2] < b.split("\t")[2] ? -1 : 1))
    const settings = ["-k", "10", "--depth", "3", "--store", "store", "-o", "released.tsv", "--admin", "127.0.0.1:0"]
    const { child, address } = await serve("stream", "run", ...settings)
    child.stdin.on("error", () => {}) // it ends while searches still come
    child.stdin.write(`${head}\n`)
    let sent = 0
    const timer = setInterval(() => {
      child.stdin.write(`${rows.slice(sent, sent + 200).join("\n")}\n`)
      sent += 200
      if (sent >= rows.length) clearInterval(timer)
    }, 100)
    timer.unref()
    const token = readFileSync(at("store/admin-token"), "utf8").trim()
    const prepare = async (page) => {
      await page.getByText("not assessed yet").waitFor({ state: "visible" })
      await page.getByText("not assessed yet").waitFor({ state: "hidden" })
      await pause(20_000)
    }
    return { address: `${address}#token=${token}`, prepare }
  },
}

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
const asked = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: [...flags, ...quiet],
  timeout: patience,
})
try {
  for (const [name, make] of Object.entries(shots)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    const { address, prepare } = await make()
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
    page.setDefaultTimeout(patience)
    await page.goto(address)
    await prepare?.(page)
    await hideFolder(page)
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme })
      await pause(1000)
      await page.screenshot({ path: `${pictures}${name}${colorScheme === "dark" ? "-dark" : ""}.png` })
    }
    await page.close()
  }
} finally {
  await browser.close()
  for (const child of started) child.kill("SIGINT")
  await Promise.all(started.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")))
  rmSync(folder, { recursive: true, force: true })
}
