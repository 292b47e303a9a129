import { isDeepStrictEqual } from "node:util"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import { affinityGuarantee, earlierAffinityGuarantee } from "../methods/query-guarantees.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { englishFunctionWords, parseFunctionWords } from "../text/function-words.ts"
import { type ExemptQueries, noneExempt } from "../text/identifiers/exempt-queries.ts"
import { type KindSet, kindBit, noKinds } from "../text/identifiers/kinds.ts"
import { detectKinds } from "../text/identifiers/registry.ts"
import { tokeniseQueries } from "../text/tokens.ts"
import { countConcepts } from "./affinity-concepts.ts"
import { countSupport, kindOf } from "./affinity-support.ts"
import { compareRows, findReleased, originalPromises, unitDetail } from "./original.ts"
import { countDistinctPairs } from "./pairs.ts"
import { fileRow, scrubbedKinds, unknownKinds } from "./release-checks.ts"
import { withoutScrubbed } from "./scrubbed-log.ts"
import type { Check, Verifier } from "./verifier.ts"
import { checkOriginalUsers } from "./witnesses.ts"

/**
 * Verifies k_θ-affinity, for which the original is needed. Concepts are counted again, by sorting, over the log without
 * the scrubbed queries. Around every released query, the users of the released queries that are θ-affine to it are
 * counted. Only released queries count, and what the method chose is not used. A query without a concept, or with a
 * concept and a word of too few users, needs k users of its own.
 */
export const affinityVerifier: Verifier = {
  model: "affinity",
  async verify({ release, log, exempt = noneExempt }, context) {
    const released = await release.log(context)
    const { counted } = release.manifest.guarantee
    const checks = [checkManifest(release)]
    const against = [...Object.values(affinityPromises(counted)), ...Object.values(originalPromises)]
    if (log === undefined)
      return [...checks, ...against.map((about): Check => ({ ...about, state: "not checked", needs: "against" }))]
    if (log.unit !== counted)
      return [
        ...checks,
        ...against.map((about): Check => ({ ...about, state: "failed", detail: unitDetail(log.unit) })),
      ]
    const releasedOf = findReleased(released, log)
    const kinds = scrubbedKinds(release)
    if (kinds === undefined) {
      const promises = Object.values(affinityPromises(counted))
      checks.push(...promises.map((about): Check => ({ ...about, state: "failed", detail: unknownKinds })))
    } else {
      checks.push(await checkSupport({ release, released, log, releasedOf, kinds, exempt }, context))
      checks.push(checkNames({ release, released, log, releasedOf, kinds, exempt }))
    }
    return [...checks, ...compareRows({ release, released, log, releasedOf }, context)]
  },
}

const affinityPromises = (counted: Unit) => ({
  support: {
    name: "users-original",
    promise: `every released query has k ${counted}s, with the released queries affine to it, in the original`,
  },
  names: { name: "names-original", promise: "no released query of fewer than k users seems to name a person" },
})

function checkManifest({ manifest }: RowsRelease): Check {
  const { method, guarantee } = manifest
  const numbers = numbersOf(manifest)
  const wordings = [affinityGuarantee(numbers), earlierAffinityGuarantee(numbers)]
  const same = method === "affinity" && wordings.some((one) => isDeepStrictEqual(guarantee, one))
  return { name: "manifest", promise: "the guarantee follows from the parameters", state: same ? "passed" : "failed" }
}

const numbersOf = ({ parameters, guarantee }: RowsRelease["manifest"]) => ({
  k: Number(parameters.k),
  theta: Number(parameters.theta),
  counted: guarantee.counted,
})

interface Subject {
  release: RowsRelease
  released: SearchLog
  log: SearchLog
  releasedOf: Int32Array
  /** The kinds that were scrubbed according to the manifest, and the exempt queries. */
  kinds: KindSet
  exempt: ExemptQueries
}

async function checkSupport(subject: Subject, context: RunContext): Promise<Check> {
  const { release, released, log, releasedOf, kinds: scrubbed, exempt } = subject
  const { parameters, guarantee } = release.manifest
  const { k } = guarantee
  const about = affinityPromises(log.unit).support
  // Version 0.1, which has another statement, rounded the share up.
  const earlier = guarantee.statement === earlierAffinityGuarantee(numbersOf(release.manifest)).statement
  const share = Math.max(1, (earlier ? Math.ceil : Math.floor)(log.users.size / 10_000))
  const usual = parameters.conceptRule === "paper" ? share : Math.max(k, share)
  const minConceptUsers = Number(parameters.minConceptUsers ?? usual)
  const minTermUsers = Number(parameters.minTermUsers ?? minConceptUsers)
  const mined = withoutScrubbed(log, scrubbed & ~kindBit("person"), exempt)
  const tokens = parameters.tokens === "segmenter" ? "segmenter" : "words"
  const texts = await tokeniseQueries(log.queries, { tokens }, context)
  await yieldAndReport(context, { stage: "counting concepts", done: 0 })
  const concepts = countConcepts(mined, texts, {
    minConceptUsers,
    functionWords: functionWords(String(parameters.functionWords)),
  })
  const own = countDistinctPairs(log.query, log.user, log.queries.size)
  const queries = [...releasedOf.keys()].filter((query) => releasedOf[query] >= 0)
  const kinds = new Map(queries.map((query) => [query, kindOf(query, texts, { concepts, minTermUsers })]))
  const expanded = queries.filter((query) => kinds.get(query) === "expanded")
  await yieldAndReport(context, { stage: "counting users around queries", done: 0 })
  const support = countSupport(log, texts, { queries: expanded, concepts, theta: Number(parameters.theta), k })
  const users = new Float64Array(released.queries.size)
  for (const query of queries) {
    const kind = kinds.get(query)
    users[releasedOf[query]] = kind === "expanded" ? (support.get(query) ?? 0) : own[query]
  }
  return checkOriginalUsers(release, released, { k, users, about })
}

function functionWords(choice: string): Set<string> {
  return choice === "none" ? new Set() : parseFunctionWords(choice === "english" ? englishFunctionWords : choice)
}

function checkNames({ release, released, log, releasedOf, kinds, exempt }: Subject): Check {
  const about = affinityPromises(log.unit).names
  const { guarantee } = release.manifest
  const person = kindBit("person")
  if ((kinds & person) === noKinds)
    return { ...about, state: "not promised", detail: "the scrubbed kinds do not include person names" }
  const own = countDistinctPairs(log.query, log.user, log.queries.size)
  const isNamed = (text: string) => detectKinds(text, person) !== noKinds && !exempt.has(text)
  const named = releasedOf.findIndex(
    (text, query) => text >= 0 && own[query] < guarantee.k && isNamed(log.queries.text(query)),
  )
  if (named < 0) return { ...about, state: "passed" }
  const row = released.query.indexOf(releasedOf[named])
  return { ...about, state: "failed", row: fileRow(release, released, row) }
}
