import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const { fresh } = scratchFolder()

/** A command of a page as written there, and the exit code that the page states. */
interface Command {
  line: string
  code: number
}

const fences = /^```(\w*)\n([\s\S]*?)^```$/gm

/** The blocks of a page with this language; "" for none. */
const blocksOf = (page: string, language: string) =>
  [...page.matchAll(fences)].flatMap(([, found, text = ""]) => (found === language ? [text] : []))

/** The commands of a page in order. A comment "exits with N" gives the exit code (default 0). */
function commandsOf(page: string): Command[] {
  const lines = blocksOf(page, "").flatMap((text) => text.replace(/\\\n\s*/g, "").split("\n"))
  return lines
    .filter((line) => line.trim() !== "" && !inCheckout.test(line))
    .map((line) => ({ line, code: Number(/exits with (\d+)/.exec(line)?.[1] ?? 0) }))
}

/** Commands that .ci/run runs: those of a person who has the repository. */
const inCheckout = /^npm (ci && npm (run demo|test)|run build)\b/

/**
 * An empty folder with the built package installed, as `npm install` would leave it, and an `npx` that finds it there.
 */
function emptyFolder(): { folder: string; env: NodeJS.ProcessEnv } {
  const [folder, bin, home] = [fresh("empty"), fresh("bin"), fresh("home")]
  for (const made of [join(folder, "node_modules"), bin, home]) mkdirSync(made, { recursive: true })
  symlinkSync(root, join(folder, "node_modules/queryveil"))
  const cli = join(root, "dist/cli/main.js")
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh\n[ "$1" = queryveil ] && shift && exec "${process.execPath}" "${cli}" "$@"\n`,
  )
  chmodSync(join(bin, "npx"), 0o755)
  const { XDG_DATA_HOME: _data, XDG_CACHE_HOME: _cache, ...rest } = process.env
  const env = { ...rest, HOME: home, PATH: `${bin}:${process.env.PATH}`, QUERYVEIL_PASSPHRASE: "a few words" }
  return { folder, env }
}

/**
 * Runs a line as a shell does. A command that announces where it serves a page has succeeded, and is stopped as by
 * Ctrl-C.
 */
function runLine(
  line: string,
  { folder, env }: ReturnType<typeof emptyFolder>,
): Promise<{ code: number | null; told: string }> {
  const child = spawn("bash", ["-c", `exec ${line}`], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
  let isServing = / personal serve /.test(line)
  let told = ""
  const hear = (text: string) => {
    told += text
    if (!isServing || !/http:\/\/127\.0\.0\.1:\d+/.test(told)) return
    isServing = false // a second Ctrl-C would end it at once
    child.kill("SIGINT")
  }
  child.stdout.setEncoding("utf8").on("data", hear)
  child.stderr.setEncoding("utf8").on("data", hear)
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, told }))
  })
}

const pageAt = (path: string) => readFileSync(join(root, path), "utf8")

// There are many commands: on a busy machine, all together take longer than any single one that does not hang.
test("every command of the README runs as written, in order, in an empty folder, and then its program", {
  timeout: 7_200_000,
}, async () => {
  const readme = pageAt("README.md")
  const commands = commandsOf(readme)
  expect(commands.length).toBeGreaterThan(25)
  const place = emptyFolder()
  for (const { line, code } of commands) {
    expect(line).toMatch(/^npx queryveil /) // no line is skipped
    const began = performance.now()
    const result = await runLine(line, place)
    process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}\n`)
    expect({ line, code: result.code, told: result.code === code ? "" : result.told }).toEqual({ line, code, told: "" })
  }
  const [program = "", ...others] = blocksOf(readme, "js")
  expect(others).toEqual([])
  writeFileSync(join(place.folder, "program.mjs"), program)
  const result = await runLine("node program.mjs", place)
  expect({ ...result, told: result.code === 0 ? "" : result.told }).toEqual({ code: 0, told: "" })
  expect(result.told).toMatch(/^passed /m)
})

test("every command of the examples' page runs as written in an empty folder", async () => {
  const place = emptyFolder()
  const commands = commandsOf(pageAt("examples/README.md"))
  expect(commands.length).toBeGreaterThan(0)
  for (const { line, code } of commands) {
    const result = await runLine(line, place)
    expect({ line, code: result.code, told: result.code === code ? "" : result.told }).toEqual({ line, code, told: "" })
  }
})
