import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { emptyFolder, fencesOf, joinLines, pageAt, runCommands } from "../support/page-commands.ts"

/** A command of a page as written there, and the exit code that the page states. */
interface Command {
  line: string
  code: number
}

/** The blocks of a page with this language; "" for none. */
const blocksOf = (page: string, language: string) =>
  fencesOf(page).flatMap(({ info, text }) => (info === language ? [text] : []))

/** The commands of a page in order. A comment "exits with N" gives the exit code (default 0). */
function commandsOf(page: string): Command[] {
  const lines = blocksOf(page, "").flatMap((text) => joinLines(text).split("\n"))
  return lines
    .filter((line) => line.trim() !== "" && !inCheckout.test(line))
    .map((line) => ({ line, code: Number(/exits with (\d+)/.exec(line)?.[1] ?? 0) }))
}

/** Commands that .ci/run runs: those of a person who has the repository. */
const inCheckout = /^npm (ci && npm (run demo|test)|run build)\b/

/** Runs a line as a shell does. A command that announces where it serves a page has succeeded, and is stopped. */
const runLine = (line: string, place: ReturnType<typeof emptyFolder>) =>
  runCommands(line, { ...place, until: / personal serve /.test(line) ? /http:\/\/127\.0\.0\.1:\d+/ : undefined })

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
