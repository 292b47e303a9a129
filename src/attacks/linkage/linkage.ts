import { type Static, Type } from "#typebox"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { createKnownSearches } from "../../kernels/linkage/known-searches.ts"
import { rebuildCells } from "../../kernels/linkage/released-cells.ts"
import { type LinkageScore, scoreLinkage } from "../../kernels/linkage/score-linkage.ts"
import { type UnitIntervals, unitIntervals } from "../../kernels/linkage/unit-intervals.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { Probe, ProbeSubject } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import { nameLifetimeOf } from "../../release/manifest.ts"
import { cutTopics } from "../../swapper/categories.ts"
import { hasOwnTopics, openLogTopics } from "../../taxonomy/classify/log-topics.ts"
import { classifierOption, openClassifier, serviceWarning } from "../../taxonomy/classify/open-classifier.ts"
import { builtIn, openTaxonomy, taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { findContentWords, groupSimilarTexts } from "../../text/content-words.ts"
import { countOriginalPairs } from "./original-pairs.ts"
import { readSwapped } from "./swapped-records.ts"

const options = Type.Object({
  attackK: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "linkage: assume this k (default the release's)",
    }),
  ),
  attackDepth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 255,
      description: "linkage: assume this level of topics (default the release's; all levels if that is auto)",
    }),
  ),
  similar: Type.Boolean({
    default: false,
    description: "linkage: let the attacker `intersection` treat texts with the same content words as one text",
  }),
  ...taxonomyOption.properties,
  ...classifierOption.properties,
})

/** The most searches of a person that an attacker knows. */
const mostKnown = 6

/**
 * The attacker reads a release in which users were swapped among searches of one topic. They classify its texts as its
 * maker did, rebuild the cells from topic and time, and assign each search to one of the names. These are the attackers
 * of Pàmies-Estrems et al. 2020, §IV-B, and others. A name is right if it stands for the issuer of the search, which
 * only the audit shows. Each attacker has two scores: right names among all searches, and among the searches that it
 * named.
 *
 * `known-searches@m` is the share of people whose name is found by an attacker who knows m of their released searches.
 * `original-pairs` is the share of searches shown under a user who issued the same text: the base test of the paper's
 * §IV-C.
 */
export const linkage: Probe<typeof options> = {
  name: "linkage",
  summary: "searches of swapped users that are linked to the user who issued them (needs --audit)",
  options,
  applies: ({ release, audit }) => {
    const { manifest } = release
    if (traitsOf(manifest.guarantee).shownUnder !== "cell") return "users were not swapped in this release"
    if (nameLifetimeOf(manifest) === "drop") return "the release names no users"
    if (audit === undefined) return "needs to know who issued each released search (--audit DIR)"
    return audit.release === manifest.id ? true : "the audit belongs to another release"
  },
  async run(subject, values, context) {
    const { k } = subject.release.manifest.guarantee
    const swapped = await readSwapped(subject, context)
    const { name, text, time, truth, userOf } = swapped
    const stream = {
      user: name,
      text,
      time,
      truth,
      category: await categoriesOf(subject, { text, ...values }, context),
    }
    const { queries } = await subject.release.log(context)
    const words = await findContentWords(queries, context)
    const similarTexts = groupSimilarTexts(words)
    const cell = rebuildCells(stream)
    const { mode, repeats = mode === "paper" ? "keep" : "once" } = subject.release.manifest.parameters
    const settings = {
      k: values.attackK ?? k,
      cells: mode !== "paper",
      once: repeats !== "keep",
      random: context.random,
      words,
      similarTexts,
      cell,
      ...(values.similar ? { textGroup: similarTexts } : {}),
    }
    const scores: Finding[] = []
    for (const [i, attacker] of linkageAttackers.entries()) {
      await yieldAndReport(context, { stage: "attacking", done: i, total: linkageAttackers.length })
      const named = attacker.link(stream, settings).map((who) => (who < 0 ? -1 : userOf[who]))
      const found = { ...scoreLinkage(named, stream), ...unitIntervals(named, stream) }
      scores.push(...scoresOf(attacker.name, found, 1 / k))
    }
    const findKnown = settings.cells ? createKnownSearches(stream, { ...settings, owner: userOf }) : undefined
    for (let known = 1; known <= mostKnown && findKnown !== undefined; known++) {
      const { targets: n, right } = findKnown(known)
      const value = n === 0 ? 0 : right / n
      const about = { score: "known-searches", at: { known }, n, baseline: 1 / k, better: "lower" as const }
      scores.push({ ...about, value, interval: wilsonInterval(right, n) })
    }
    return [...scores, await countOriginalPairs(subject, swapped, context)]
  },
}

/**
 * The category of each record: the one that is shown, else the one found from its text. A text without a topic is at
 * the root. A taxonomy or classifier of the owner's is read from the place that the audit names, unless another is
 * given. A service is called only if it is given.
 */
async function categoriesOf(
  { release, audit, log }: ProbeSubject,
  { text, ...values }: Static<typeof options> & { text: Int32Array },
  context: RunContext,
): Promise<Int32Array> {
  const { queries, query, category: shown } = await release.log(context)
  if (shown !== undefined && values.attackDepth === undefined) {
    const ofText = new Int32Array(queries.size)
    for (let row = 0; row < query.length; row++) ofText[query[row]] = shown[row] + 1
    return text.map((id) => ofText[id])
  }
  const { taxonomy: tree = builtIn, classifier: tool } = audit?.places ?? {}
  const usual = serviceWarning(tool) === undefined ? tool : undefined
  const choice = {
    taxonomy: values.taxonomy === builtIn ? tree : values.taxonomy,
    classifier: values.classifier ?? usual,
  }
  const { taxonomy, topicOf } = await topicsOf(queries, { ...choice, log }, context)
  const level = values.attackDepth ?? Number(release.manifest.parameters.depth)
  const cut = cutTopics(taxonomy, { depth: Number.isInteger(level) ? level : 255, sensitive: [] })
  return text.map((id) => cut[Math.max(0, topicOf[id])])
}

/**
 * The topics of texts. The attacker knows the topics that the log gives its queries; if it has none, a classifier finds
 * them.
 */
async function topicsOf(
  texts: Dictionary,
  { log, ...choice }: { log: SearchLog; taxonomy: string; classifier: string | undefined },
  context: RunContext,
): Promise<{ taxonomy: Taxonomy; topicOf: Int32Array }> {
  // In a study the topics of the whole log are known, or will be needed.
  if (!hasOwnTopics(log, choice) && !(context.shares === true && hasAll(log.queries, texts))) {
    const taxonomy = await openTaxonomy(choice.taxonomy, {}, context)
    const classifier = await openClassifier(choice.classifier, { taxonomy }, context)
    return { taxonomy, topicOf: await classifier.classify(texts, context) }
  }
  const { taxonomy, topicOf } = await openLogTopics(log, choice, context)
  const ids = Int32Array.from({ length: texts.size }, (_, id) => log.queries.findBytes(texts.bytes(id)))
  return { taxonomy, topicOf: ids.map((id) => (id < 0 ? -1 : topicOf[id])) }
}

function hasAll(queries: Dictionary, texts: Dictionary): boolean {
  for (let id = 0; id < texts.size; id++) if (queries.findBytes(texts.bytes(id)) < 0) return false
  return true
}

function scoresOf(attacker: string, found: LinkageScore & UnitIntervals, baseline: number): Finding[] {
  const { share, ofAll, records, shareOfNamed, ofNamed, named } = found
  return [
    { score: "linkage", at: { attacker }, value: share, interval: ofAll, n: records, baseline, better: "lower" },
    {
      score: "linkage",
      at: { attacker, among: "named" },
      value: shareOfNamed,
      interval: ofNamed,
      n: named,
      baseline,
      better: "lower",
    },
  ]
}
