import type { RunContext } from "../kernels/context.ts"
import { dictionaryOf } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import { type Classifier, unclassified } from "../taxonomy/classify/classifier.ts"
import { openClassifier, serviceWarning } from "../taxonomy/classify/open-classifier.ts"
import { openTaxonomy } from "../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { fileRow } from "./release-checks.ts"
import type { Records, SwapSubject } from "./swap-records.ts"
import type { Check } from "./verifier.ts"

export const topicsPromise = {
  name: "topics",
  promise: "every query has a topic, and users changed places within one category of topics",
}

interface TopicsFound {
  check: Check
  /** By record: its category, where the check holds. */
  category?: Int32Array
}

/**
 * Classifies again. The audit lists the categories; that of a topic is the deepest listed one at or above it, since what is
 * cut below a category falls into it whole, however its depth was chosen. With a given depth none lies deeper; one may lie
 * higher, as sensitive topics are pooled and stay unnamed. `cellOf` each record, where records left in cells: their users are
 * users of the cell. Else the record that lent its user must be of the same category.
 */
export async function checkTopics(
  subject: SwapSubject,
  { records, audit, cellOf }: { records: Records; audit: AuditFolder; cellOf: Uint32Array | undefined },
  context: RunContext,
): Promise<TopicsFound> {
  const { release, released, log } = subject
  const { parameters } = release.manifest
  const { taxonomy: tree = parameters.taxonomy, classifier } = audit.places
  if (parameters.classifier !== undefined && (classifier === undefined || serviceWarning(classifier) !== undefined))
    return {
      check: { ...topicsPromise, state: "not checked", detail: "made with a classifier that is not asked again" },
    }
  const taxonomy = await tryOpen(() => openTaxonomy(String(tree), {}, context))
  if (taxonomy === undefined)
    return {
      check: { ...topicsPromise, state: "not checked", detail: "its taxonomy is a file that cannot be read here" },
    }
  const listed = await readCategories(audit, taxonomy)
  if (listed === undefined) return { check: { ...topicsPromise, state: "failed", detail: "an unknown category" } }
  const tool = await tryOpen(() => openClassifier(classifier, { taxonomy }, context))
  if (tool === undefined)
    return {
      check: { ...topicsPromise, state: "not checked", detail: "its classifier is a file that cannot be read here" },
    }
  const topicOf = await classifyTexts(subject, { records, classifier: tool }, context)
  const category = deepestListed(taxonomy, listed)
  const depth = parameters.depth === "auto" ? 255 : Number(parameters.depth)
  const fails = (i: number, detail: string): TopicsFound => {
    return { check: { ...topicsPromise, state: "failed", row: fileRow(release, released, records.row[i]), detail } }
  }
  const categoryOf = (row: number) => {
    const topic = topicOf[log.query[row]]
    return topic === unclassified ? -1 : category[topic]
  }
  const count = new Float64Array(taxonomy.size)
  const found = new Int32Array(records.count)
  const ofCell = new Int32Array(cellOf === undefined ? 0 : records.count).fill(-1)
  for (let i = 0; i < records.count; i++) {
    const own = categoryOf(records.source[i])
    if (own < 0) return fails(i, "a query without a category")
    if (!(taxonomy.depth[own] <= depth)) return fails(i, "a category below the depth")
    count[own]++
    found[i] = own
    if (cellOf === undefined) {
      const donors = records.byLine.subarray(records.donorFrom[i], records.donorTo[i])
      if (donors.every((row) => categoryOf(row) !== own)) return fails(i, "a user of another category")
    } else {
      if (ofCell[cellOf[i]] >= 0 && ofCell[cellOf[i]] !== own) return fails(i, "two categories in a cell")
      ofCell[cellOf[i]] = own
    }
  }
  if (listed.some((expected, node) => expected >= 0 && expected !== count[node]))
    return { check: { ...topicsPromise, state: "failed", detail: "other numbers of searches than the audit's" } }
  const used = count.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0)
  return { check: { ...topicsPromise, state: "passed", value: used }, category: found }
}

/** What it opens, or undefined where a file of the owner's is gone or not what it was. */
async function tryOpen<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof QueryveilError) || error.code === "interrupted") throw error
    return undefined
  }
}

/** By node: searches released of this category, -1 where it is none; undefined where a category is no node. */
async function readCategories(audit: AuditFolder, taxonomy: Taxonomy): Promise<Float64Array | undefined> {
  const released = new Float64Array(taxonomy.size).fill(-1)
  const columns = ["category", "searches", "released", "mean wait in seconds"]
  for await (const [path, , count] of audit.rows("categories", columns)) {
    const node = taxonomy.find(path)
    if (node < 0) return undefined
    released[node] = Number(count)
  }
  return released
}

function deepestListed({ parent, size }: Taxonomy, listed: Float64Array): Int32Array {
  const category = new Int32Array(size)
  for (let node = 0; node < size; node++)
    category[node] = listed[node] >= 0 ? node : node === 0 ? -1 : category[parent[node]]
  return category
}

/** The topic of each query of the log that is released, or whose user is shown; the others are unclassified. */
async function classifyTexts(
  { log }: SwapSubject,
  { records, classifier }: { records: Records; classifier: Classifier },
  context: RunContext,
): Promise<Int32Array> {
  const isWanted = new Uint8Array(log.queries.size)
  for (const row of records.source) isWanted[log.query[row]] = 1
  for (let i = 0; i < records.count; i++) {
    for (let at = records.donorFrom[i]; at < records.donorTo[i]; at++) isWanted[log.query[records.byLine[at]]] = 1
  }
  const wanted = Uint32Array.from(isWanted.keys()).filter((query) => isWanted[query] === 1)
  const texts = function* () {
    for (const query of wanted) yield log.queries.text(query)
  }
  const topics = await classifier.classify(dictionaryOf(texts()), context)
  const topicOf = new Int32Array(log.queries.size).fill(unclassified)
  wanted.forEach((query, i) => {
    topicOf[query] = topics[i]
  })
  return topicOf
}
