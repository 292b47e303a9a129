import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { scratchFolder } from "./scratch-folder.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const { fresh } = scratchFolder()

/** The text of a page, by its path in the repository. */
export const pageAt = (path: string) => readFileSync(join(root, path), "utf8")

const fences = /^```([^\n]*)\n([\s\S]*?)^```$/gm

/** The fenced blocks of a page in order: what is written after the three backticks, and the lines inside. */
export const fencesOf = (page: string) => [...page.matchAll(fences)].map(([, info = "", text = ""]) => ({ info, text }))

/** A line that a backslash continues is one line. */
export const joinLines = (text: string) => text.replace(/\\\n\s*/g, "")

export interface EmptyFolder {
  folder: string
  env: NodeJS.ProcessEnv
}

/**
 * An empty folder with the built package installed, as `npm install` would leave it, and an `npx` that finds it there.
 */
export function emptyFolder(): EmptyFolder {
  const [folder, bin, home] = [fresh("empty"), fresh("bin"), fresh("home")]
  const installed = join(folder, "node_modules/.bin")
  for (const made of [installed, bin, home]) mkdirSync(made, { recursive: true })
  symlinkSync(root, join(folder, "node_modules/queryveil"))
  const run = `exec "${process.execPath}" "${join(root, "dist/cli/queryveil.cjs")}" "$@"\n`
  writeProgram(join(installed, "queryveil"), `#!/bin/sh\n${run}`)
  writeProgram(join(bin, "npx"), `#!/bin/sh\n[ "$1" = queryveil ] && shift && ${run}`)
  const { XDG_DATA_HOME: _data, XDG_CACHE_HOME: _cache, ...rest } = process.env
  const env = { ...rest, HOME: home, PATH: `${bin}:${process.env.PATH}`, QUERYVEIL_PASSPHRASE: "a few words" }
  return { folder, env }
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/**
 * Runs commands as a shell does, up to the first that fails. If they print text that matches `until`, they are stopped
 * as by Ctrl-C. Returns what a person would see of both outputs, in order.
 */
export function runCommands(
  text: string,
  { folder, env, until }: EmptyFolder & { until?: RegExp | undefined },
): Promise<{ code: number | null; told: string }> {
  const child = spawn("bash", ["-c", `set -e; exec 2>&1\n${text}`], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true, // a group of its own: Ctrl-C reaches the program and not only the shell
  })
  let isStopped = false // a second Ctrl-C would end it at once
  let told = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    told += part
    if (isStopped || child.pid === undefined || until?.test(told) !== true) return
    isStopped = true
    process.kill(-child.pid, "SIGINT")
  })
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, told }))
  })
}
