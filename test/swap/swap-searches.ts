import { createContext } from "#dist/kernels/context.js"
import type { ReadResult } from "#dist/log/parse-sources.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { MethodChoice, MethodOptions } from "#dist/release/method-options.js"
import { openDraftAudit } from "#dist/release/read-audit.js"
import { openDraft } from "#dist/release/read-release.js"
import { aolText, type Search } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText } from "./town.ts"

const { write } = scratchFolder()

/** A released row and what the trail says about it: the search it came from, and a search of the user it names. */
export interface TrailRow {
  text: string
  name: string
  time: number
  query: Search
  user: Search
  cell: number
  users: number
}

/** A release of these searches, row by row with what the trail says. */
export async function swapSearches(searches: readonly Search[], options: MethodOptions["swap"] = {}) {
  const context = createContext({ workers: 1, seed: 7 })
  const input: ReadResult = await readLog(write(aolText(searches)), {}, context)
  const taxonomy = write(taxonomyText, "topics.tsv")
  const classifier = write(classifierText(searches), "classified.tsv")
  const choice: MethodChoice<"swap"> = {
    method: "swap",
    k: 3,
    depth: "9",
    scrub: "none",
    time: "exact",
    taxonomy,
    classifier,
    ...(options.mode === "paper" ? {} : { repeats: "once" }), // otherwise the few texts of these logs leave only once
    ...options,
  }
  const draft = await anonymize(input.log, choice, context)
  const released = await openDraft(draft).log(context)
  const rowAt = new Map([...released.line].map((line, row) => [line - 1, row]))
  const trail: TrailRow[] = []
  const audit = openDraftAudit(draft)
  const lineOf = (line: string | undefined) => searches[Number(line) - 2] ?? { user: "", query: "", time: "" }
  for await (const [row, query, user, cell, users] of audit.rows("trail", [
    "row",
    "query_row",
    "user_row",
    "cell",
    "users",
  ])) {
    const at = rowAt.get(Number(row)) ?? -1
    const name = released.user[at] ?? -1
    trail.push({
      text: released.queries.text(released.query[at] ?? -1),
      name: name < 0 ? "" : released.users.text(name),
      time: released.time[at] ?? -1,
      query: lineOf(query),
      user: lineOf(user),
      cell: Number(cell),
      users: Number(users),
    })
  }
  const cells = [...groupBy(trail, ({ cell }) => cell).values()]
  return { draft, trail, cells, rows: released.rows, audit, input, given: { taxonomy, classifier } }
}

/** Seconds since 1970 of a time in the log's form. */
export const secondsOf = (time: string) => Date.parse(`${time.replace(" ", "T")}Z`) / 1000
