import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { defaultKinds, type IdentifierKind, kindsIn } from "#dist/text/identifiers/kinds.js"
import { type LabelledQuery, parseLabels } from "#dist/text/identifiers/labels.js"
import { scanQueries } from "#dist/text/identifiers/scan-queries.js"
import type { Finding } from "../case.ts"
import { makeLog } from "../data.ts"
import { thisTree } from "../other-tree.ts"
import { mixedQueries, rows } from "../scrub.ts"
import { bestOf, type Comparison } from "./comparison.ts"
import { askPeer, peersFolder } from "./python.ts"

/** The peer reads the first of our queries. */
const few = 5000

/** Queries that people of this project labelled, after the detectors were written. */
const labelsFile = join(thisTree, "test/text/identifiers/labelled-queries-held-out.tsv")
/** Kinds that both look for. */
const shared: readonly IdentifierKind[] = ["email", "phone", "card", "ip"]

async function readLabels(): Promise<{ queries: string[]; labels: readonly LabelledQuery[] }> {
  const labels = parseLabels(await readFile(labelsFile, "utf8"))
  return { queries: [...new Set(labels.map(({ query }) => query))], labels }
}

async function exportQueries(): Promise<void> {
  await makeLog(rows)
  const queries = await mixedQueries()
  const timed = Array.from({ length: few }, (_, id) => queries.text(id))
  const { queries: labelled } = await readLabels()
  await mkdir(peersFolder, { recursive: true })
  await writeFile(join(peersFolder, "identifiers.json"), JSON.stringify({ timed, labelled }))
}

/** How many identifiers and harmless queries are flagged, of the labelled queries. */
async function score(isFlagged: (query: string, place: number) => boolean): Promise<Record<string, number>> {
  const { queries, labels } = await readLabels()
  const flagged = new Set(queries.filter(isFlagged))
  const scored = { identifiers: 0, found: 0, shared: 0, sharedFound: 0, harmless: 0, flagged: 0 }
  const known: readonly string[] = kindsIn(defaultKinds)
  for (const query of queries) {
    const own = labels.filter((label) => label.query === query && label.isPii)
    const one = flagged.has(query) ? 1 : 0
    if (own.length === 0) {
      scored.harmless++
      scored.flagged += one
    } else if (own.some(({ kind }) => known.includes(kind))) {
      scored.identifiers++
      scored.found += one
      if (!own.some(({ kind }) => shared.some((name) => name === kind))) continue
      scored.shared++
      scored.sharedFound += one
    }
  }
  return scored
}

async function scan(): Promise<Finding> {
  const queries = await mixedQueries()
  const { seconds, cpu } = await bestOf(() => scanQueries(queries, defaultKinds))
  const found = scanQueries(dictionaryOf((await readLabels()).queries), defaultKinds)
  return { count: queries.size, seconds, cpu, ...(await score((_, place) => found[place] !== 0)) }
}

async function scanThere(): Promise<Finding> {
  const finding = await askPeer("identifiers.py", {})
  if (finding.skipped !== undefined) return finding
  const flagged: boolean[] = JSON.parse(await readFile(join(peersFolder, "identifiers-found.json"), "utf8"))
  return { ...finding, ...(await score((_, place) => flagged[place])) }
}

export const identifiers: Comparison = {
  name: "identifiers",
  work: "look for identifiers in queries",
  prepare: exportQueries,
  contenders: [
    { name: "queryveil scrub", run: scan },
    { name: "Presidio, patterns", run: scanThere },
  ],
  // Different rules find different things: there is no right answer to compare with, only labels.
  compare: (ours, theirs) => {
    const kinds = `of the kinds that both know ${theirs.sharedFound} of ${theirs.shared}`
    const found = `${theirs.found} of ${theirs.identifiers} identifiers (${kinds})`
    const flagged = `${theirs.flagged} of ${theirs.harmless} others`
    return { value: `${found}, ${flagged}; ours ${ours.found} (${ours.sharedFound}), ${ours.flagged}`, met: true }
  },
}
