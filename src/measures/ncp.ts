import { Type } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import { countQueries } from "../log/statistics.ts"
import { traitsOf } from "../methods/guarantee.ts"
import { growConceptTree } from "../methods/wordnet/concept-tree.ts"
import type { ProbeSubject, ReleaseProbe } from "../probes/probe.ts"
import type { Release } from "../release/read-release.ts"
import { findConcept } from "../wordnet/concept-label.ts"
import { openWordNet } from "../wordnet/open-wordnet.ts"
import { markReleased } from "./mark-released.ts"

const options = Type.Object({})
const space = 32

/**
 * Normalised certainty penalty, Carpineto & Romano 2015, eq. 6 and 7: the mean loss over all words of all searches. A
 * word that is released unchanged loses 0, a word that is gone loses 1. Of a generalised query one term is left, with
 * the penalty of the concept that replaces it (its share of WordNet's leaves, 0 for a leaf); the other words are gone.
 */
export const ncp: ReleaseProbe<typeof options> = {
  name: "ncp",
  looksAt: "any",
  summary: "normalised certainty penalty: how much of what the words of all searches say is lost, as a share",
  options,
  applies: ({ release, audit }) => {
    if (traitsOf(release.manifest.guarantee).shows !== "concepts") return true
    if (audit === undefined) return "needs to know which concept stands for which query (--audit DIR)"
    return audit.release === release.manifest.id ? true : "the audit belongs to another release"
  },
  async run(subject, _options, context) {
    const { release, log } = subject
    const kept =
      traitsOf(release.manifest.guarantee).shows === "concepts"
        ? await keptByConcepts(subject, context)
        : await keptByText(subject, context)
    const words = wordsOfQueries(log)
    const { events } = countQueries(log)
    const n = words.reduce((sum, count, query) => sum + count * events[query], 0)
    return [{ score: "ncp", value: 1 - shareKept({ words, kept, events }), n, baseline: 0, better: "lower" }]
  },
}

/** The share of the words of all events that is left. All three arrays are indexed by query. */
export function shareKept({ words, kept, events }: Record<"words" | "kept" | "events", ArrayLike<number>>): number {
  let all = 0
  let left = 0
  for (let query = 0; query < words.length; query++) {
    all += words[query] * events[query]
    left += kept[query] * events[query]
  }
  return all === 0 ? 0 : left / all
}

export function wordsOfQueries(log: SearchLog): Float64Array {
  return Float64Array.from({ length: log.queries.size }, (_, query) => countWords(log, query))
}

/** The number of words of each query that are left: all if the text is in the release. */
async function keptByText({ release, log }: ProbeSubject<Release>, context: RunContext): Promise<Float64Array> {
  const marks = await markReleased(log, release, context)
  return Float64Array.from(marks, (isShown, query) => (isShown === 1 ? countWords(log, query) : 0))
}

/** What is left of the one term of each query. */
async function keptByConcepts({ log, audit }: ProbeSubject<Release>, context: RunContext): Promise<Float64Array> {
  const wordnet = await openWordNet({}, context)
  const { penalty } = growConceptTree(wordnet)
  const kept = new Float64Array(log.queries.size)
  for await (const [text, label] of audit?.rows("queries", ["query", "concept"]) ?? []) {
    const query = log.queries.find(text)
    const synset = findConcept(wordnet, label)
    if (query >= 0 && synset >= 0) kept[query] = 1 - penalty[synset]
  }
  return kept
}

function countWords({ queries }: SearchLog, query: number): number {
  let words = 1
  for (const byte of queries.bytes(query)) if (byte === space) words++
  return words
}
