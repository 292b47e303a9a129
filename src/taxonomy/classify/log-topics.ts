import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { builtIn, openTaxonomy } from "../open-taxonomy.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { plainPath, treeOfPaths } from "../tree-of-paths.ts"
import { type Classifier, unclassified } from "./classifier.ts"
import { openClassifier } from "./open-classifier.ts"

/** The topics of a log's queries. */
export interface LogTopics {
  taxonomy: Taxonomy
  /** By query: a node, or `unclassified`. */
  topicOf: Int32Array
  /** Finds the topics of other texts. Undefined if the log has its own topics. */
  classifier: Classifier | undefined
  /** Number of queries to which the log gives several topics. */
  contradicted: number
}

interface TopicChoice {
  taxonomy: string
  classifier?: string | undefined
}

/** True if a log's own topics are used: it has a category column, and no classifier was named. */
export const hasOwnTopics = ({ categories }: SearchLog, { classifier }: Pick<TopicChoice, "classifier">): boolean =>
  categories !== undefined && classifier === undefined

/**
 * The topics of a log's queries: from its own category column, otherwise from a classifier. The taxonomy is the one
 * that was named; under `wordnet`, the categories of a log form a tree of their own. A query has one topic: the one
 * that most of its searches have. Ties: the one that came first.
 */
export async function openLogTopics(log: SearchLog, choice: TopicChoice, context: RunContext): Promise<LogTopics> {
  const { category, categories } = log
  if (category === undefined || categories === undefined || !hasOwnTopics(log, choice)) {
    const taxonomy = await openTaxonomy(choice.taxonomy, {}, context)
    const classifier = await openClassifier(choice.classifier, { taxonomy }, context)
    return { taxonomy, classifier, topicOf: await classifier.classify(log.queries, context), contradicted: 0 }
  }
  const taxonomy = await openOwnTaxonomy(categories, choice.taxonomy, context)
  const nodes = findCategories(categories, taxonomy, log)
  return { taxonomy, classifier: undefined, ...mostFrequent(log, category, nodes) }
}

/** The tree that contains the categories of a log. */
async function openOwnTaxonomy(categories: Dictionary, choice: string, context: RunContext): Promise<Taxonomy> {
  if (choice !== builtIn) return openTaxonomy(choice, {}, context)
  return treeOfPaths(Array.from({ length: categories.size }, (_, id) => categories.text(id)))
}

/**
 * Maps each category of the log to its node. A category that the taxonomy does not have is an error that names its
 * line.
 */
function findCategories(categories: Dictionary, taxonomy: Taxonomy, { category, line }: SearchLog): Int32Array {
  return Int32Array.from({ length: categories.size }, (_, id) => {
    const path = plainPath(categories.text(id))
    const node = path === "" ? unclassified : taxonomy.find(path)
    if (node !== 0 && (node > 0 || path === "")) return node
    const first = line[category?.indexOf(id) ?? 0]
    throw new QueryveilError(
      "input-category",
      [
        `Line ${first}: the taxonomy has no topic with this category.`,
        "Give the --taxonomy that the log was classified with, or leave it out: the categories are then the topics.",
      ].join(" "),
      { line: first },
    )
  })
}

/** Maps each query to the topic that most of its searches have. */
function mostFrequent(
  { queries, rows, query, event }: SearchLog,
  category: Int32Array,
  nodes: Int32Array,
): Pick<LogTopics, "topicOf" | "contradicted"> {
  const searches = Uint32Array.from({ length: rows }, (_, row) => row).filter(
    (row) => (row === 0 || event[row] !== event[row - 1]) && category[row] >= 0 && nodes[category[row]] >= 0,
  )
  // Two categories that are written differently may be one topic.
  const key = (column: (row: number) => number) => Uint32Array.from(searches, column)
  const topic = key((row) => nodes[category[row]])
  const order = orderByNumbers([key((row) => query[row]), topic])
  const topicOf = new Int32Array(queries.size).fill(unclassified)
  const most = new Uint32Array(queries.size)
  const first = new Uint32Array(queries.size)
  const several = new Uint8Array(queries.size)
  for (let from = 0, to = 0; from < order.length; from = to) {
    const text = query[searches[order[from]]]
    while (to < order.length && query[searches[order[to]]] === text && topic[order[to]] === topic[order[from]]) to++
    if (most[text] > 0) several[text] = 1
    const isMore = to - from > most[text] || (to - from === most[text] && order[from] < first[text])
    if (!isMore) continue
    most[text] = to - from
    first[text] = order[from]
    topicOf[text] = topic[order[from]]
  }
  return { topicOf, contradicted: several.reduce((sum, one) => sum + one, 0) }
}
