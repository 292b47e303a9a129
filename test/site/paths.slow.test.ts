import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { emptyFolder, fencesOf, joinLines, pageAt, runCommands } from "../support/page-commands.ts"

const recorded = fileURLToPath(new URL("../../site/recorded/", import.meta.url))
const paths = ["publish", "stream", "private", "science"]

/** A fence of a page: ```run NAME exit=N numbers-vary until="TEXT". */
interface Run {
  name: string
  commands: string
  /** The exit code that the fence states (default 0). */
  code: number
  /** True if chance moves the numbers in the output. */
  numbersVary: boolean
  /** Text after which the reader presses Ctrl-C. */
  until: RegExp | undefined
}

const runsOf = (path: string): Run[] =>
  fencesOf(pageAt(`site/pages/${path}.md`)).flatMap(({ info, text }) => {
    const [, name, rest = ""] = /^run (\S+)(.*)$/.exec(info) ?? []
    if (name === undefined) return []
    const [, stop] = /until="([^"]+)"/.exec(rest) ?? []
    return {
      name,
      commands: joinLines(text),
      code: Number(/exit=(\d+)/.exec(rest)?.[1] ?? 0),
      numbersVary: /\bnumbers-vary\b/.test(rest),
      until: stop === undefined ? undefined : new RegExp(stop.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")),
    }
  })

/** What differs from machine to machine is not recorded: the port of a page and its token. */
const normalise = (told: string) =>
  told.replace(/(127\.0\.0\.1):\d+/g, "$1:PORT").replace(/token=[\w-]+/g, "token=TOKEN")

/**
 * Where the fence says `numbers-vary`, outputs are the same if they have the same words. Numbers and bars do not count,
 * nor does the place of a word: a longer number moves the line breaks of a table.
 */
const wordsOf = (told: string) =>
  told
    .replace(/\d[\d,.]*(?:e-?\d+)?/g, "N")
    .split(/[\s█▏▎▍▌▋▊▉]+/)
    .sort()
    .join(" ")

function sameAsRecorded(told: string, { name, numbersVary }: Run): boolean {
  const file = join(recorded, `${name}.txt`)
  const [before, now] = [existsSync(file) ? readFileSync(file, "utf8") : "", told]
  return numbersVary ? wordsOf(before) === wordsOf(now) : before === now
}

// `npm run docs:record` writes the outputs that have changed.
describe("the commands of a path run as written, in order, in an empty folder, and print what the page shows", () => {
  test.each(paths)("site/pages/%s.md", async (path) => {
    const place = emptyFolder()
    place.env.COLUMNS = "96"
    const runs = runsOf(path)
    expect(runs.length).toBeGreaterThan(3)
    for (const run of runs) {
      const result = await runCommands(run.commands, { ...place, until: run.until })
      const told = normalise(result.told)
      expect({ name: run.name, code: result.code, told }).toEqual({ name: run.name, code: run.code, told })
      if (!sameAsRecorded(told, run)) await expect(told).toMatchFileSnapshot(join(recorded, `${run.name}.txt`))
    }
  })

  test("no recorded output is left of a command that is gone", () => {
    const names = paths.flatMap(runsOf).map(({ name }) => `${name}.txt`)
    expect(readdirSync(recorded).filter((file) => !names.includes(file))).toEqual([])
  })
})
