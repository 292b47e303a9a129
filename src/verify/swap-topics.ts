import type { RunContext } from "../kernels/context.ts"
import { dictionaryOf } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import { type Classifier, unclassified } from "../taxonomy/classify/classifier.ts"
import { hasOwnTopics, openLogTopics } from "../taxonomy/classify/log-topics.ts"
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

export const categoriesPromise = {
  name: "categories",
  promise: "the category that is shown is the one within which users changed places",
}

interface TopicsFound {
  check: Check
  /** Of the column of categories, where there is one. */
  shown?: Check
  /** By record: its category, where the check holds. */
  category?: Int32Array
}

/**
 * Classifies again, or takes the log's own column of categories where the release was made by it. The audit lists the categories; that of a topic is the deepest listed one at or above it, since what is
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
  const isShown = parameters.category === true
  const unread = (state: "failed" | "not checked", detail: string): TopicsFound => ({
    check: { ...topicsPromise, state, detail },
    ...(isShown ? { shown: { ...categoriesPromise, state: "not checked", detail } } : {}),
  })
  const topics = await findTopics(subject, { records, audit }, context)
  if ("detail" in topics) return unread("not checked", topics.detail)
  const { taxonomy, topicOf } = topics
  const listed = await readCategories(audit, taxonomy)
  if (listed === undefined) return unread("failed", "an unknown category")
  const category = deepestListed(taxonomy, listed)
  const depth = parameters.depth === "auto" ? 255 : Number(parameters.depth)
  const fails = (i: number, detail: string): TopicsFound => {
    const row = fileRow(release, released, records.row[i])
    return { ...unread("failed", detail), check: { ...topicsPromise, state: "failed", row, detail } }
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
    return unread("failed", "other numbers of searches than the audit's")
  const used = count.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0)
  return {
    check: { ...topicsPromise, state: "passed", value: used },
    ...(isShown ? { shown: checkShown(subject, { records, category: found, taxonomy }) } : {}),
    category: found,
  }
}

/** The category of each released search, as it is shown, is that of its cell. All rows of a search show the same. */
function checkShown(
  { release, released }: SwapSubject,
  { records, category, taxonomy }: { records: Records; category: Int32Array; taxonomy: Taxonomy },
): Check {
  const shown = (row: number) => {
    const id = released.category?.[row] ?? -1
    return id < 0 ? "" : (released.categories?.text(id) ?? "")
  }
  for (let i = 0; i < records.count; i++) {
    const row = records.row[i]
    if (shown(row) !== taxonomy.path(category[i]))
      return { ...categoriesPromise, state: "failed", row: fileRow(release, released, row) }
  }
  return { ...categoriesPromise, state: "passed" }
}

/** The topics of the log's queries, as the release was made; or why they cannot be found. */
async function findTopics(
  subject: SwapSubject,
  { records, audit }: { records: Records; audit: AuditFolder },
  context: RunContext,
): Promise<{ taxonomy: Taxonomy; topicOf: Int32Array } | { detail: string }> {
  const { parameters } = subject.release.manifest
  const { taxonomy: tree = parameters.taxonomy, classifier } = audit.places
  if (parameters.classifier !== undefined && (classifier === undefined || serviceWarning(classifier) !== undefined))
    return { detail: "made with a classifier that is not asked again" }
  if (hasOwnTopics(subject.log, { classifier })) {
    const own = await tryOpen(() => openLogTopics(subject.log, { taxonomy: String(tree) }, context))
    return own ?? { detail: "its taxonomy does not have the categories of the log" }
  }
  const taxonomy = await tryOpen(() => openTaxonomy(String(tree), {}, context))
  if (taxonomy === undefined) return { detail: "its taxonomy is a file that cannot be read here" }
  const tool = await tryOpen(() => openClassifier(classifier, { taxonomy }, context))
  if (tool === undefined) return { detail: "its classifier is a file that cannot be read here" }
  return { taxonomy, topicOf: await classifyTexts(subject, { records, classifier: tool }, context) }
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
