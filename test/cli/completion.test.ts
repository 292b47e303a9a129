import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()

const hasShell = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(["completion", shell])
  expect([code, stderr]).toEqual([0, ""])
  const file = at(`queryveil.${shell}`)
  writeFileSync(file, stdout)
  return file
}

describe("queryveil completion bash", () => {
  mkdirSync(at("here"))
  mkdirSync(at("here/a folder"))
  writeFileSync(at("here/log.tsv"), "")

  /** What bash offers after these words. The last word is the one being typed. */
  async function complete(...words: string[]): Promise<string[]> {
    const file = await scriptFor("bash")
    const lines = [
      `source '${file}'`,
      'COMP_WORDS=(queryveil "$@") COMP_CWORD=$#',
      "_queryveil",
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]
    const output = execFileSync("bash", ["-c", lines.join("\n"), "bash", ...words], {
      cwd: at("here"),
      encoding: "utf8",
    })
    return output.split("\n").filter((line) => line !== "")
  }

  test.each<[string, string[], string[]]>([
    ["commands", ["ano"], ["anonymize"]],
    ["commands below a command", ["anonymize", "e"], ["equality"]],
    ["flags", ["anonymize", "equality", "log.tsv", "--max"], ["--max-risk"]],
    ["flags of a command with commands below it", ["classify", "--taxo"], ["--taxonomy"]],
    ["the flags of the command below", ["classify", "train", "--outp"], ["--output"]],
    ["values of a flag", ["anonymize", "equality", "--users", "p"], ["pseudonym"]],
    ["values after =", ["anonymize", "equality", "--users", "=", "dr"], ["drop"]],
    ["values that only the schema lists", ["anonymize", "equality", "--format", "so"], ["solr"]],
    ["files where a log goes", ["inspect", "lo"], ["log.tsv"]],
    ["only folders where one goes, spaces too", ["anonymize", "equality", "log.tsv", "-o", ""], ["a folder"]],
    ["files or words", ["anonymize", "affinity", "--function-words", "e"], ["english"]],
    ["nothing where nobody can know", ["anonymize", "equality", "-k", ""], []],
    ["shells", ["completion", "z"], ["zsh"]],
  ])("completes %s", async (_name, words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })
})

describe("queryveil completion zsh", () => {
  test.skipIf(!hasShell("zsh"))("is a script that zsh takes", async () => {
    execFileSync("zsh", ["-n", await scriptFor("zsh")])
  })

  // The parts that both shells share are tested with bash: quoting, case and loops.
  test("has every command and describes its flags", async () => {
    const { stdout } = await runCli(["completion", "zsh"])
    expect(stdout).toMatch(/^#compdef queryveil\n/)
    expect(stdout).toMatch(/' anonymize equality'\)\n {6}flags=\('-k:/)
    expect(stdout).toContain("compadd -- 'session' 'day' 'pseudonym' 'drop' 'keep'")
  })
})

describe("queryveil completion fish", () => {
  test.skipIf(!hasShell("fish"))("is a script that fish takes", async () => {
    execFileSync("fish", ["--no-execute", await scriptFor("fish")])
  })

  test("has every command, its flags and their values", async () => {
    const { stdout } = await runCli(["completion", "fish"])
    expect(stdout).toContain("complete -c queryveil -n '__queryveil_at \\'\\'' -f -a 'anonymize' -d ")
    expect(stdout).toMatch(/' anonymize equality\\'' -l users -x -a 'session day pseudonym drop keep' -d /)
    expect(stdout).toMatch(/' anonymize equality\\'' -s o -l output -x -a '\(__fish_complete_directories\)' -d /)
  })
})
