import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { writeRelease } from "#dist/release/write-release.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"
import { conceptLabel } from "#dist/wordnet/concept-label.js"
import { hypernymChain } from "#dist/wordnet/hypernym-chain.js"
import { findNoun } from "#dist/wordnet/lemmatise.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import type { WordNet } from "#dist/wordnet/wordnet.js"
import { type Bench, type Finding, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const small = 1_000_000
const large = 36_000_000
const k = 10

const readCached = (rows: number) => readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())

/** Times the way from the log in memory to the release on disk, and to the audit if requested. */
async function release(rows: number, options: { audit?: boolean } = {}): Promise<Finding> {
  const context = createContext()
  const input = await readCached(rows)
  const folder = join(benchFolder, `generalise-${rows}`)
  const audit = options.audit === true ? { audit: join(benchFolder, `generalise-${rows}-audit`) } : {}
  const drafted = await timed(() => anonymize(input.log, { method: "wordnet", k }, context))
  const written = await timed(() => writeRelease(drafted.value, folder, { input, force: true, ...audit }, context))
  const bytes = (await stat(join(folder, "log.tsv"))).size
  for (const path of [folder, ...Object.values(audit)]) await rm(path, { recursive: true })
  await rm(`${folder}.receipt.json`)
  return {
    count: rows,
    seconds: drafted.seconds + written.seconds,
    draftSeconds: drafted.seconds,
    megabytes: Math.round(bytes / 1e6),
    queries: input.log.queries.size,
    ...drafted.value.withheld,
  }
}

async function draft(rows: number): Promise<Finding> {
  const { log } = await readCached(rows)
  const { seconds } = await timed(() => anonymize(log, { method: "wordnet", k }, createContext()))
  return { count: rows, seconds }
}

/**
 * The same concepts from strings, with nothing scrubbed, arranged or named: every phrase is looked up, and each concept
 * has a Set of users.
 */
async function draftPlainly(rows: number): Promise<Finding> {
  const { log } = await readCached(rows)
  const { seconds, value } = await timed(async () => generalisePlainly(log, await openWordNet({}, createContext())))
  return { count: rows, seconds, concepts: new Set(value).size }
}

function generalisePlainly(log: SearchLog, wordnet: WordNet): string[] {
  const root = hypernymChain(wordnet, 0).at(-1) ?? 0
  const homes = new Map<string, number>()
  const users = new Map<number, Set<string>>()
  const add = (synset: number, names: Iterable<string>) => {
    const held = users.get(synset) ?? new Set()
    for (const name of names) held.add(name)
    users.set(synset, held)
  }
  for (let row = 0; row < log.rows; row++) {
    const text = log.queries.text(log.query[row] ?? 0)
    const home = homes.get(text) ?? homeOf(wordnet, text) ?? root
    homes.set(text, home)
    add(home, [log.users.text(log.user[row] ?? 0)])
  }
  const touched = new Set([...users.keys()].flatMap((synset) => hypernymChain(wordnet, synset)))
  const deepestFirst = [...touched].sort((a, b) => hypernymChain(wordnet, b).length - hypernymChain(wordnet, a).length)
  const parts = new Set<number>([root])
  for (const synset of deepestFirst) {
    const held = users.get(synset) ?? new Set()
    if (held.size >= k) parts.add(synset)
    else if (synset !== root) add(wordnet.parent(synset), held)
  }
  return Array.from(log.query, (query) => {
    const home = homes.get(log.queries.text(query)) ?? root
    return conceptLabel(wordnet, hypernymChain(wordnet, home).find((synset) => parts.has(synset)) ?? root)
  })
}

/** The last of the longest phrases that are nouns. */
function homeOf(wordnet: WordNet, text: string): number | undefined {
  const words = text.split(" ")
  for (let length = Math.min(9, words.length); length > 0; length--) {
    for (let from = words.length - length; from >= 0; from--) {
      const lemma = findNoun(wordnet, words.slice(from, from + length).join(" "))
      if (lemma >= 0) return wordnet.synsetsOf(lemma)[0]
    }
  }
  return undefined
}

/** Times every check of a release on disk, with the log in memory. */
async function check(rows: number): Promise<Finding> {
  const context = createContext()
  const input = await readCached(rows)
  const folder = join(benchFolder, `generalise-verify-${rows}`)
  const made = await anonymize(input.log, { method: "wordnet", k }, context)
  await writeRelease(made, folder, { input, force: true, audit: `${folder}-audit` }, context)
  const { seconds, value } = await timed(async () => {
    const subject = { release: await readRelease(folder), log: input.log, audit: await openAudit(`${folder}-audit`) }
    return overall(await verify(subject, context))
  })
  if (value !== "passed") throw new Error("the release was not verified")
  for (const path of [folder, `${folder}-audit`, `${folder}.receipt.json`]) await rm(path, { recursive: true })
  return { count: rows, seconds }
}

export const generalise: Bench = {
  name: "generalise",
  prepare: async () => {
    for (const rows of [small, large]) {
      await makeLog(rows)
      await readCached(rows)
    }
  },
  cases: [
    { name: "36 M rows", run: () => release(large) },
    { name: "36 M rows and audit", run: () => release(large, { audit: true }) },
    { name: "1 M rows, draft", run: () => draft(small) },
    { name: "1 M rows, Sets of strings", run: () => draftPlainly(small) },
    { name: "1 M rows, verify", run: () => check(small) },
  ],
  targets: [
    secondsAtMost("36 M rows", 60),
    ratioAtLeast("1 M rows, draft", "1 M rows, Sets of strings", 2),
    secondsAtMost("1 M rows, verify", 10),
  ],
}
