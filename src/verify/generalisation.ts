import { isDeepStrictEqual } from "node:util"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import { generalisationGuarantee } from "../methods/query-guarantees.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { findConcept } from "../wordnet/concept-label.ts"
import { openWordNet } from "../wordnet/open-wordnet.ts"
import type { WordNet } from "../wordnet/wordnet.ts"
import { createConceptJudge } from "./concept-judge.ts"
import { gatherEvidence } from "./evidence.ts"
import { compareRows, originalPromises } from "./original.ts"
import { countDistinctPairs } from "./pairs.ts"
import { fileRow } from "./release-checks.ts"
import type { Check, Verifier } from "./verifier.ts"
import { checkOriginalUsers, checkWitnesses } from "./witnesses.ts"

/**
 * Verifies generalisation. From the release alone: its texts are labels of WordNet concepts and nothing else, and none
 * is shown under fewer than k names. The audit says which concept represents each query. With the original and the
 * audit: every concept represents searches of k users; it is a concept of a noun of each of its queries, or more
 * general than one; and the release has all rows of those queries and no others.
 */
export const generalisationVerifier: Verifier = {
  model: "generalisation",
  async verify(subject, context) {
    const { release } = subject
    const released = await release.log(context)
    const wordnet = await openWordNet({}, context)
    const { k, counted } = release.manifest.guarantee
    const counts = countsOf(release)
    const checks = [
      checkManifest(release),
      checkConcepts(release, released, wordnet),
      counts === "users"
        ? checkWitnesses(release, released, { k, text: "concept" })
        : { name: "users-release", promise: usersPromise, state: "not promised" as const, detail: "k counts texts" },
    ]
    await yieldAndReport(context, { stage: "verifying", done: 1, total: 3 })
    const against = [...Object.values(auditPromises(counted, counts)), ...Object.values(originalPromises)]
    const evidence = gatherEvidence(subject, against)
    if ("instead" in evidence) return [...checks, ...evidence.instead]
    const { log, audit } = evidence
    const mapped = await readMapping({ released, log, audit, wordnet }, context)
    await yieldAndReport(context, { stage: "verifying", done: 2, total: 3 })
    return [...checks, ...checkMapping({ release, released, log, mapped, k }, context)]
  },
}

/** What k counts, according to the parameters. Releases of version 0.1 count users. */
const countsOf = ({ manifest }: Pick<RowsRelease, "manifest">) =>
  manifest.parameters.counts === "queries" ? "queries" : "users"

const usersPromise = "every released concept has k users in the release"

const auditPromises = (counted: Unit, counts: "users" | "queries") => ({
  users: {
    name: "users-original",
    promise:
      counts === "users"
        ? `every released concept stands for searches of k ${counted}s of the original`
        : "every released concept stands for k different query texts of the original",
  },
  nouns: {
    name: "concepts-original",
    promise: "every concept is one of a noun of its query, or more general, or the root",
  },
})

function checkManifest({ manifest }: Pick<RowsRelease, "manifest">): Check {
  const { method, parameters, guarantee } = manifest
  const promised = generalisationGuarantee({
    k: Number(parameters.k),
    counted: guarantee.counted,
    counts: countsOf({ manifest }),
  })
  const same = method === "wordnet" && isDeepStrictEqual(guarantee, promised)
  return { name: "manifest", promise: "the guarantee follows from the parameters", state: same ? "passed" : "failed" }
}

function checkConcepts(release: RowsRelease, released: SearchLog, wordnet: WordNet): Check {
  const about = { name: "concepts", promise: "every released text is the label of a WordNet concept" }
  for (let text = 0; text < released.queries.size; text++) {
    if (findConcept(wordnet, released.queries.text(text)) < 0)
      return { ...about, state: "failed", row: fileRow(release, released, released.query.indexOf(text)) }
  }
  return { ...about, state: "passed" }
}

interface Mapping {
  /** By query of the log: its released text; -1 if the audit names none, or one that is not released. */
  releasedOf: Int32Array
  /**
   * Lines of the audit with an error: the query is not in the log or was named before, or the concept is not released
   * or cannot represent the query.
   */
  wrong: number
}

async function readMapping(
  subject: { released: SearchLog; log: SearchLog; audit: AuditFolder; wordnet: WordNet },
  context: RunContext,
): Promise<Mapping> {
  const { released, log, audit, wordnet } = subject
  const releasedOf = new Int32Array(log.queries.size).fill(-1)
  const named = new Uint8Array(log.queries.size)
  const canStandFor = createConceptJudge(wordnet)
  const concepts = new Map<string, { synset: number; text: number }>()
  const isEmpty = released.rows === 0
  let wrong = 0
  let lines = 0
  for await (const [text, label] of audit.rows("queries", ["query", "concept"])) {
    if (++lines % 65536 === 0)
      await yieldAndReport(context, { stage: "reading audit", done: lines, total: log.queries.size })
    const query = log.queries.find(text)
    if (query < 0 || named[query] === 1) {
      wrong++
      continue
    }
    named[query] = 1
    if (label === "" && isEmpty) continue
    let concept = concepts.get(label)
    if (concept === undefined) {
      concept = { synset: findConcept(wordnet, label), text: released.queries.find(label) }
      concepts.set(label, concept)
    }
    if (concept.text < 0 || !canStandFor(concept.synset, text)) wrong++
    releasedOf[query] = concept.text
  }
  return { releasedOf, wrong }
}

function checkMapping(
  subject: { release: RowsRelease; released: SearchLog; log: SearchLog; mapped: Mapping; k: number },
  context: RunContext,
): Check[] {
  const { release, released, log, mapped, k } = subject
  const counts = countsOf(release)
  const promises = auditPromises(log.unit, counts)
  const concept = Int32Array.from(log.query, (query) => mapped.releasedOf[query])
  const users = countDistinctPairs(concept, counts === "users" ? log.user : log.query, released.queries.size)
  return [
    checkOriginalUsers(release, released, { k, users, about: promises.users }),
    { ...promises.nouns, state: mapped.wrong === 0 ? "passed" : "failed", value: mapped.wrong, bound: 0 },
    ...compareRows({ release, released, log, releasedOf: mapped.releasedOf }, context),
  ]
}
