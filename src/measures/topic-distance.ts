import { type Static, Type } from "typebox"
import type { RunContext } from "../kernels/context.ts"
import type { Dictionary } from "../kernels/dictionary.ts"
import { meanSwapDistances, treeDistance } from "../kernels/tree-distance.ts"
import type { SearchLog } from "../log/search-log.ts"
import { tableOf } from "../methods/table.ts"
import type { Probe, ProbeSubject, Score } from "../release/probe.ts"
import type { Classifier } from "../taxonomy/classify/classifier.ts"
import { classifierOption, openClassifier } from "../taxonomy/classify/open-classifier.ts"
import { openTaxonomy, taxonomyOption } from "../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { isWordNetTaxonomy } from "../taxonomy/wordnet/wordnet-taxonomy.ts"
import { findConcept } from "../wordnet/concept-label.ts"

const options = Type.Object({ ...taxonomyOption.properties, ...classifierOption.properties })

/**
 * How far what the release says people searched for is from what they did: the earth mover's distance between the topics
 * of the log's rows and of the release's, in edges of the tree; beside it the distance when topics are cut at each depth.
 * Where the release shows the log's own user ids, also the mean over users of the distance between their two profiles.
 */
export const topicDistance: Probe<typeof options> = {
  name: "topic-distance",
  summary: "distance between the topics of the log and of the release, in edges of the tree of topics",
  options,
  applies: () => true,
  async run(subject, values, context) {
    const { taxonomy, before, after, released } = await readTopics(subject, values, context)
    const [original, shown] = [countTopics(subject.log, before, taxonomy), countTopics(released, after, taxonomy)]
    const distance = treeDistance(taxonomy.parent)
    const at = (level: number) => distance(cutAt(taxonomy, original, level), cutAt(taxonomy, shown, level))
    const deepest = taxonomy.depth.reduce((most, depth) => Math.max(most, depth), 0)
    const levels = Array.from({ length: deepest }, (_, i) => i + 1)
    const value = at(deepest)
    const series = tableOf(
      ["depth", "edges"],
      levels.map((level) => [level, at(level)]),
    )
    const whole: Score = { name: "topic-distance", value, n: released.rows, baseline: 0, better: "lower", series }
    return [whole, ...profileScores(subject, { released, before, after, taxonomy })]
  },
}

/**
 * What swapping users among searches of one topic of depth ℓ loses, for each ℓ: the mean distance between a search and the
 * one whose place it takes, as a share of two searches' ways to the root. Pàmies-Estrems et al. 2020, Fig. 10. It looks at
 * the log alone.
 */
export const topicLoss: Probe<typeof options> = {
  name: "topic-loss",
  summary: "what swapping users within topics would lose, by depth of the topics",
  options,
  applies: () => true,
  async run({ log }, values, context) {
    const { taxonomy, topics } = await classifyLog(log, values, context)
    const { nodes, counts } = countTopics(log, topics, taxonomy)
    const byNode = new Float64Array(taxonomy.size)
    let items = 0
    let way = 0
    nodes.forEach((node, i) => {
      byNode[node] = counts[i]
      items += counts[i]
      way += counts[i] * taxonomy.depth[node]
    })
    const longest = (2 * way) / items
    const losses = meanSwapDistances(taxonomy, byNode).map((edges, depth) => [depth, edges, edges / longest])
    const series = tableOf(["depth", "edges", "share"], losses)
    return [{ name: "topic-loss@1", value: losses[1]?.[2] ?? 0, n: items, baseline: 0, better: "lower", series }]
  },
}

interface Topics {
  taxonomy: Taxonomy
  released: SearchLog
  /** By query of the log, and by text of the release; -1: none. */
  before: Int32Array
  after: Int32Array
}

export interface Classified {
  taxonomy: Taxonomy
  classifier: Classifier
  topics: Int32Array
}

/** A study looks at many releases of one log: its queries are classified once for each choice. */
const classified = new WeakMap<SearchLog, Map<string, Promise<Classified>>>()

export function classifyLog(
  log: SearchLog,
  { taxonomy: tree, classifier: tool }: Static<typeof options>,
  context: RunContext,
): Promise<Classified> {
  const ofLog = classified.get(log) ?? new Map<string, Promise<Classified>>()
  classified.set(log, ofLog)
  const choice = JSON.stringify([tree, tool])
  const known = ofLog.get(choice)
  if (known !== undefined) return known
  const classifying = (async () => {
    const taxonomy = await openTaxonomy(tree, {}, context)
    const classifier = await openClassifier(tool, { taxonomy }, context)
    return { taxonomy, classifier, topics: await classifier.classify(log.queries, context) }
  })()
  ofLog.set(choice, classifying)
  classifying.catch(() => ofLog.delete(choice))
  return classifying
}

async function readTopics(
  { release, log }: ProbeSubject,
  values: Static<typeof options>,
  context: RunContext,
): Promise<Topics> {
  const released = await release.log(context)
  const { taxonomy, classifier, topics: before } = await classifyLog(log, values, context)
  const isConcepts = release.manifest.guarantee.model === "generalisation"
  const after =
    (isConcepts ? topicsOfConcepts(released.queries, taxonomy) : undefined) ??
    (await classifier.classify(released.queries, context))
  return { taxonomy, released, before, after }
}

/** A concept of WordNet is a topic of its tree. */
function topicsOfConcepts(labels: Dictionary, taxonomy: Taxonomy): Int32Array | undefined {
  if (!isWordNetTaxonomy(taxonomy)) return undefined
  return Int32Array.from({ length: labels.size }, (_, id) => {
    const synset = findConcept(taxonomy.wordnet, labels.text(id))
    return synset < 0 ? -1 : taxonomy.nodeOf(synset)
  })
}

interface Counts {
  nodes: number[]
  counts: number[]
}

/** Rows of each topic; what has none is at the root. */
function countTopics({ query }: Pick<SearchLog, "query">, topicOf: Int32Array, { size }: Taxonomy): Counts {
  const rows = new Float64Array(size)
  for (const text of query) rows[Math.max(0, topicOf[text])]++
  const nodes = [...rows.keys()].filter((node) => rows[node] > 0)
  return { nodes, counts: nodes.map((node) => rows[node]) }
}

function cutAt({ parent, depth }: Taxonomy, { nodes, counts }: Counts, level: number): Counts {
  const cut = (node: number) => {
    let at = node
    while (depth[at] > level) at = parent[at]
    return at
  }
  return { nodes: nodes.map(cut), counts }
}

/** The mean distance of profiles, where users can be told. */
function profileScores({ release, log }: ProbeSubject, topics: Topics): Score[] {
  const { released, before, after, taxonomy } = topics
  if (release.manifest.parameters.users !== "keep") return []
  const distance = treeDistance(taxonomy.parent)
  const [profiles, shown] = [profilesOf(log, before), profilesOf(released, after)]
  let sum = 0
  let users = 0
  for (let user = 0; user < released.users.size; user++) {
    const original = profiles[log.users.findBytes(released.users.bytes(user))]
    if (original === undefined) continue
    sum += distance(original, shown[user])
    users++
  }
  return [{ name: "profile-distance", value: users === 0 ? 0 : sum / users, n: users, baseline: 0, better: "lower" }]
}

/** Topics of each user's rows, which stand together. */
function profilesOf(log: SearchLog, topicOf: Int32Array): Counts[] {
  const profiles: Counts[] = []
  for (let from = 0, to = 0; from < log.rows; from = to) {
    while (to < log.rows && log.user[to] === log.user[from]) to++
    profiles[log.user[from]] = countFew(log.query.subarray(from, to), topicOf)
  }
  return profiles
}

function countFew(queries: Int32Array, topicOf: Int32Array): Counts {
  const counts = new Map<number, number>()
  for (const query of queries) {
    const topic = Math.max(0, topicOf[query])
    counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  return { nodes: [...counts.keys()], counts: [...counts.values()] }
}
