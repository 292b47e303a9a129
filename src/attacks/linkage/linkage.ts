import { type Static, Type } from "#typebox"
import { breathe, type RunContext } from "../../kernels/context.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { type LinkageScore, scoreLinkage } from "../../kernels/linkage/score-linkage.ts"
import { type UnitIntervals, unitIntervals } from "../../kernels/linkage/unit-intervals.ts"
import type { Probe, ProbeSubject, Score } from "../../release/probe.ts"
import { cutTopics } from "../../stream/categories.ts"
import { classifierOption, openClassifier, serviceWarning } from "../../taxonomy/classify/open-classifier.ts"
import { builtIn, openTaxonomy, taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import { groupSimilarTexts } from "./similar-texts.ts"
import { readSwapped } from "./swapped-records.ts"

const options = Type.Object({
  attackK: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "linkage: what the adversary takes k to be (default: the release's)",
    }),
  ),
  attackDepth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 255,
      description:
        "linkage: the level of topics that the adversary takes (default: the release's; where it is auto, all)",
    }),
  ),
  similar: Type.Boolean({
    default: false,
    description: "linkage: texts with the same content words count as one text",
  }),
  ...taxonomyOption.properties,
  ...classifierOption.properties,
})

/**
 * The adversary reads a release in which users were swapped among searches of one topic, classifies its texts as its maker
 * did, and gives each record back to one of the names: eight attackers, of Pàmies-Estrems et al. 2020, §IV-B, and beyond.
 * Right is a name that stands for who issued the record; only the audit says so. Of each attacker the share of all
 * records that he gave back rightly, and the share of those for which he named somebody at all.
 */
export const linkage: Probe<typeof options> = {
  name: "linkage",
  summary: "searches of swapped users that are given back to who issued them (needs --audit)",
  options,
  applies: ({ release, audit }) => {
    const { manifest } = release
    if (manifest.guarantee.model !== "swap") return "users were not swapped in this release"
    if (manifest.parameters.users === "drop") return "the release names no users"
    if (audit === undefined) return "needs to know who issued each released search (--audit DIR)"
    return audit.release === manifest.id ? true : "the audit is that of another release"
  },
  async run(subject, values, context) {
    const { k } = subject.release.manifest.guarantee
    const { name, text, time, truth, userOf } = await readSwapped(subject, context)
    const stream = {
      user: name,
      text,
      time,
      truth,
      category: await categoriesOf(subject, { text, ...values }, context),
    }
    const { queries } = await subject.release.log(context)
    const { mode, repeats = mode === "paper" ? "keep" : "once" } = subject.release.manifest.parameters
    const settings = {
      k: values.attackK ?? k,
      cells: mode !== "paper",
      once: repeats !== "keep",
      random: context.random,
      ...(values.similar ? { textGroup: await groupSimilarTexts(queries, context) } : {}),
    }
    const scores: Score[] = []
    for (const [i, attacker] of linkageAttackers.entries()) {
      await breathe(context, { stage: "attacking", done: i, total: linkageAttackers.length })
      const named = attacker.link(stream, settings).map((who) => (who < 0 ? -1 : userOf[who]))
      const found = { ...scoreLinkage(named, stream), ...unitIntervals(named, stream) }
      scores.push(...scoresOf(attacker.name, found, 1 / k))
    }
    return scores
  },
}

/**
 * The category of each record, from its text; what has no topic is at the root. A taxonomy or a classifier of the owner's
 * is taken from where the audit says it lies, unless another is given; a service is asked only when it is given.
 */
async function categoriesOf(
  { release, audit }: ProbeSubject,
  { text, ...values }: Static<typeof options> & { text: Int32Array },
  context: RunContext,
): Promise<Int32Array> {
  const { queries } = await release.log(context)
  const { taxonomy: tree = builtIn, classifier: tool } = audit?.places ?? {}
  const taxonomy = await openTaxonomy(values.taxonomy === builtIn ? tree : values.taxonomy, {}, context)
  const usual = serviceWarning(tool) === undefined ? tool : undefined
  const classifier = await openClassifier(values.classifier ?? usual, { taxonomy }, context)
  const topicOf = await classifier.classify(queries, context)
  const level = values.attackDepth ?? Number(release.manifest.parameters.depth)
  const cut = cutTopics(taxonomy, { depth: Number.isInteger(level) ? level : 255, sensitive: [] })
  return text.map((id) => cut[Math.max(0, topicOf[id])])
}

function scoresOf(attacker: string, found: LinkageScore & UnitIntervals, baseline: number): Score[] {
  const { share, ofAll, records, shareOfNamed, ofNamed, named } = found
  const name = `linkage/${attacker}`
  return [
    { name, value: share, interval: ofAll, n: records, baseline, better: "lower" },
    {
      name: `${name}/named`,
      value: shareOfNamed,
      interval: ofNamed,
      n: named,
      baseline,
      better: "lower",
    },
  ]
}
