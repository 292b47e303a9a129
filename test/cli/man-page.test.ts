import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { buildProgram } from "#dist/cli/build-program.js"
import { type CommandNode, readCommandTree } from "#dist/cli/command-tree.js"
import { manPage } from "#dist/cli/man-page.js"

const about: { man: string; files: string[] } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
)
const tree = readCommandTree(await buildProgram())
const page = manPage(tree, "1.2.3")
const all = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(all)]
const hasGroff = spawnSync("groff", ["--version"]).status === 0

describe("the manual page", () => {
  test("is in the package", () => {
    expect([about.man, about.files]).toEqual(["./dist/queryveil.1", expect.arrayContaining(["dist"])])
  })

  test("has a section for every command, and every flag that the command has", () => {
    const sections = new Map(page.split(/^\.SS /m).map((part) => [part.slice(0, part.indexOf("\n")), part]))
    const shared = page.slice(page.indexOf(".SH OPTIONS"), page.indexOf(".SH COMMANDS"))
    for (const { fullName, flags, commands } of all(tree).slice(1)) {
      const section = sections.get(fullName.replaceAll("-", "\\-"))
      expect([fullName, section]).toEqual([fullName, expect.any(String)])
      if (commands.length > 0) continue
      for (const { names } of flags) expect(`${shared}${section}`).toContain(names.at(-1)?.replaceAll("-", "\\-"))
    }
  })

  test("says what the exit codes mean", () => {
    expect(page).toMatch(/\.SH EXIT STATUS\n\.PP\nExit codes: 0 done.*4 the\s+release is empty/s)
  })

  test.skipIf(!hasGroff)("is formatted by groff without a warning", () => {
    const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], {
      input: page,
      encoding: "utf8",
    })
    expect(stderr).toBe("")
    const plain = stdout
      .split("\b")
      .map((part, i) => (i === 0 ? part : part.slice(1)))
      .join("") // bold characters are printed twice
    expect(plain).toMatch(/anonymize equality.*ε/s)
  })
})
