import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import type { OptionValues } from "#dist/release/anonymize.js"
import type { Manifest } from "#dist/release/manifest.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import type { Check } from "#dist/verify/verifier.js"
import { aolText, marker, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { tamper } from "../support/tamper.ts"

const nouns = ["poodle", "beagle", "violin", "soup"]

const topics = [
  "Animals",
  "Animals/Dogs",
  "Animals/Dogs/Poodle",
  "Animals/Dogs/Beagle",
  "Music",
  "Music/Violin",
  "Food",
  "Food/Soup",
]
const topicsText = topics.map((path) => `${path}\t1\t${path.split("/").at(-1)?.toLowerCase()}\n`).join("")

/**
 * People who search for two kinds of dogs, violins and soups, all in different words, except every fifth search, which
 * others make too. Some click, some twice. Some ask again a minute later, some after a day.
 */
export function swapLog({ searches = 600, users = 30 } = {}): Search[] {
  const random = seededRandom(7)
  return Array.from({ length: searches }, (_, i): Search[] => {
    const user = `${marker}-user-${random.below(users)}`
    const noun = nouns[random.below(nouns.length)]
    const query = i % 5 === 0 ? `${noun} ${["red", "old"][random.below(2)]}` : `${noun} ${marker}${i}`
    const search = (seconds: number, click: Pick<Search, "rank" | "url"> = {}): Search => {
      return { user, query, time: timeAfter(i * 600 + seconds), ...click }
    }
    const page = { rank: 1, url: `http://${noun}.example` }
    const rare = { rank: 2, url: `http://${marker}.example/${i}` }
    if (i % 7 === 0) return [search(0, page), search(0, rare)]
    if (i % 7 === 1) return [search(0, page), search(60)]
    if (i % 7 === 2) return [search(0), search(86400)]
    return [search(0)]
  }).flat()
}

/** A released row and its line of the trail. */
export interface TrailedRow {
  name: string
  query: string
  /** Time, rank and url, as far as they are shown. */
  rest: string[]
  queryRow: number
  userRow: number
  cell: number
  users: number
}

export interface Changed {
  rows: TrailedRow[]
  manifest: Manifest
}

/** Swapped releases of one log, and what verify says of changed copies of them. */
export function swappedReleases(searches: readonly Search[]) {
  const { at, fresh, write } = scratchFolder()
  const original = write(aolText(searches))
  const taxonomy = write(topicsText)
  const context = createContext({ workers: 1 })
  const auditOf = (release: string) => `${release}-audit`

  return {
    at,
    fresh,
    write,
    original,
    taxonomy,
    auditOf,
    /** The user who issued the search in a line of the log. */
    userOfLine: (line: number) => searches[line - 2].user,
    make: async (release: string, options: OptionValues = {}, to: "tsv" | "jsonl" | "csv" | "parquet" = "tsv") => {
      await publish(original, release, { method: "swap", taxonomy, ...options }, { to, audit: auditOf(release) })
      return release
    },
    async check(
      release: string,
      {
        audit = auditOf(release),
        log = original,
        unit = "user",
      }: { audit?: string; log?: string; unit?: SearchLog["unit"] } = {},
    ): Promise<Check[]> {
      const subject = { release: await readRelease(release), log: (await readLog(log, { unit }, context)).log }
      return verify({ ...subject, audit: await openAudit(audit) }, context)
    },
    /**
     * A copy of a tsv release with names, and of its audit, both changed alike. Only a check of the guarantee can show
     * the change.
     */
    change(release: string, how: (changed: Changed) => void): string {
      const copy = fresh()
      cpSync(auditOf(release), auditOf(copy), { recursive: true })
      const trailPath = join(auditOf(copy), "trail.tsv")
      const [header, ...trail] = linesOf(trailPath)
      tamper(release, copy, ({ lines, manifest }) => {
        const rows = lines.slice(1).map((line, i): TrailedRow => {
          const [name = "", query = "", ...rest] = line.split("\t")
          const [, queryRow = 0, userRow = 0, cell = 0, users = 0] = (trail[i] ?? "").split("\t").map(Number)
          return { name, query, rest, queryRow, userRow, cell, users }
        })
        how({ rows, manifest })
        lines.splice(1, lines.length, ...rows.map(({ name, query, rest }) => [name, query, ...rest].join("\t")))
        const told = rows.map((row, i) => [i + 1, row.queryRow, row.userRow, row.cell, row.users].join("\t"))
        writeFileSync(trailPath, [header, ...told, ""].join("\n"))
      })
      return copy
    },
    /** A copy of an audit with other lines in one of its tables. The header is line 0. */
    changeAudit(release: string, table: string, how: (lines: string[]) => void): string {
      const copy = fresh("audit")
      cpSync(auditOf(release), copy, { recursive: true })
      const path = join(copy, `${table}.tsv`)
      const lines = linesOf(path)
      how(lines)
      writeFileSync(path, lines.map((line) => `${line}\n`).join(""))
      return copy
    },
  }
}

const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1)

export const failed = (checks: readonly Check[]) =>
  checks.filter(({ state }) => state === "failed").map(({ name }) => name)

export const notPassed = (checks: readonly Check[]) =>
  checks.filter(isOpen).map(({ name, state, detail }) => [name, state, detail])
