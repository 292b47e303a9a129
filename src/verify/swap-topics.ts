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
import type { FoundCategories } from "./swap-dealing-key.ts"
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
  /** The check of the column of categories, if there is one. */
  shown?: Check
  /** The category of each record, if the check passed. */
  found?: FoundCategories
}

/**
 * Classifies the queries again, or uses the log's own column of categories if the release was made with it. The audit
 * lists the categories. The category of a topic is the deepest listed one at or above it: everything cut below a
 * category belongs to it, however its depth was chosen. With a given depth, no category may be deeper. One may be
 * higher, because sensitive topics are pooled and stay unnamed.
 *
 * `cellOf` gives the cell of each record if records left in cells. Their shown users are then users of the cell.
 * Otherwise, the record that lent its user must be of the same category.
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
    found: { category: found, taxonomy },
  }
}

/**
 * Checks that the category shown for each released search is that of its cell. All rows of a search show the same one.
 */
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

/** The topics of the log's queries, found as for the release; or the reason why they cannot be found. */
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

/** The opened result; undefined if a file of the owner is missing or has changed. */
async function tryOpen<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof QueryveilError) || error.code === "interrupted") throw error
    return undefined
  }
}

/**
 * By node: number of released searches of this category, or -1 if it is not a category. Undefined if a listed category
 * is not a node.
 */
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

/** The topic of each query of the log that is released, or whose user is shown. Other queries are unclassified. */
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
