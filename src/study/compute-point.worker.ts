import { createContext, type Progress } from "../kernels/context.ts"
import { type DictionaryParts, dictionaryFrom } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import { serveShards } from "../kernels/parallel.ts"
import type { SearchLog } from "../log/search-log.ts"
import { studies } from "./registry.ts"
import type { Point, PointOutput, StudySubject } from "./study.ts"

/** A subject in a form that threads can receive: dictionaries as arrays, everything in shared memory. */
export interface SharedSubject extends Omit<StudySubject, "log"> {
  log: Omit<SearchLog, "users" | "queries" | "urls" | "categories"> &
    Record<"users" | "queries" | "urls", DictionaryParts> & { categories?: DictionaryParts }
}

export interface PointShard {
  study: string
  /** The same for all points of a run. A thread keeps the log of the run, and what it has computed from it. */
  run: string
  point: Point
  seed: number
  subject: SharedSubject
}

let current: { run: string; log: SearchLog } | undefined

export async function handle(
  { study: name, run, point, seed, subject }: PointShard,
  report: (progress: Progress) => void,
): Promise<PointOutput> {
  const study = studies.find((candidate) => candidate.name === name)
  if (study === undefined) throw new QueryveilError("unknown-name", `There is no study called ${name}.`)
  if (current?.run !== run) current = { run, log: openLog(subject.log) }
  const context = { ...createContext({ seed, workers: 1, report }), shares: true }
  return study.compute(point, { ...subject, log: current.log }, context)
}

function openLog(log: SharedSubject["log"]): SearchLog {
  const { users, queries, urls, categories, ...columns } = log
  return {
    ...columns,
    users: dictionaryFrom(users),
    queries: dictionaryFrom(queries),
    urls: dictionaryFrom(urls),
    ...(categories && { categories: dictionaryFrom(categories) }),
  }
}

serveShards(handle)
