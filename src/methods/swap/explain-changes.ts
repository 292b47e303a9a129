import type { RunContext } from "../../kernels/context.ts"
import { cutTopics, findTopics } from "../../swapper/categories.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { type Change, notReleased, priceOfK, released } from "../explanation.ts"
import type { RepeatRule } from "../swap-guarantee.ts"
import type { ArrivingRecords } from "./auto-depth.ts"
import { depthOf, type SwapOptions } from "./options.ts"
import { followText, pickArrivals, type TextFate } from "./text-fate.ts"

interface Subject {
  query: number
  topic: number
  category: number
  arrivals: ArrivingRecords
  /** The arrivals of the category. */
  among: ArrivingRecords
  fate: TextFate
  taxonomy: Taxonomy
}

type Settled = SwapOptions & { repeats: RepeatRule }

/** How many values of one option are tried. */
const mostTries = 16
const leastK = 2

const prices = {
  depth:
    "Users are swapped within wider topics: a search may be shown with a user who is interested in something else.",
  minQueryUsers: "Queries of fewer users are released; a rare text can name a person by itself.",
  cellTexts: "Two users of a cell may have the same text, so that one may be shown with a text of their own.",
  backlog: "Searches leave later, and what leaves late points to users who search much.",
  repeats: "A text may leave with several cells: where names last longer than a cell, comparing them names users.",
}

/**
 * Changes that would change what happens to a text in strict mode, whatever is drawn. Each one was tried. What happens
 * without a change must not depend on chance.
 */
export async function changeSwap(subject: Subject, options: Settled, context: RunContext): Promise<Change[]> {
  const { query, among, fate } = subject
  const isFixed = depthOf(options) !== undefined
  if (fate.released > 0) {
    const price = "Nothing: the promise becomes stronger, and less is released."
    // A cell needs k + 1 users. With --depth auto, another k gives other categories.
    const k = Math.max(leastK, fate.usersInCategory)
    return isFixed && k > options.k ? [{ ...notReleased, options: { k }, smallest: false, price }] : []
  }
  const leaves = async (change: Partial<Settled>, arrivals = among) => {
    const { released: left, dependsOnOrder } = await followText(arrivals, query, { ...options, ...change }, context)
    return left > 0 && !dependsOnOrder
  }
  const changes: Change[] = []
  const add = (set: Change["options"], price: string, smallest = true) =>
    changes.push({ ...released, options: set, smallest, price })
  if (isFixed) {
    const most = Math.min(options.k - 1, fate.usersInCategory - 1)
    for (let k = most; k >= Math.max(leastK, most - mostTries + 1); k--) {
      if (!(await leaves({ k }))) continue
      add({ k }, priceOfK(k))
      break
    }
  }
  await tryDepths(subject, options, { leaves: (arrivals) => leaves({}, arrivals), add })
  if (fate.users < options.minQueryUsers && (await leaves({ minQueryUsers: fate.users })))
    add({ minQueryUsers: fate.users }, prices.minQueryUsers)
  if (fate.sameText > 0 && (await leaves({ cellTexts: "any" }))) add({ cellTexts: "any" }, prices.cellTexts)
  for (let backlog = options.backlog + 1; fate.backlog > 0 && backlog <= options.backlog + mostTries; backlog++) {
    if (!(await leaves({ backlog }))) continue
    add({ backlog }, prices.backlog)
    break
  }
  if (options.repeats !== "keep" && fate.repeat > 0 && (await leaves({ repeats: "keep" })))
    add({ repeats: "keep" }, prices.repeats)
  return changes
}

/** Finds the deepest level of topics above the present one at which the text is released. */
async function tryDepths(
  { arrivals, category, topic, taxonomy }: Subject,
  options: Settled,
  {
    leaves,
    add,
  }: {
    leaves(arrivals: ArrivingRecords): Promise<boolean>
    add(set: Change["options"], price: string, smallest?: boolean): void
  },
): Promise<void> {
  const sensitive = findTopics(taxonomy, options.sensitiveCategories ?? "")
  const fixed = depthOf(options)
  let tried = category
  for (let depth = Math.min(taxonomy.depth[topic], (fixed ?? 256) - 1); depth >= 1; depth--) {
    const cut = cutTopics(taxonomy, { depth, sensitive })
    if (cut[topic] === tried) continue
    tried = cut[topic]
    if (!(await leaves(pickArrivals(arrivals, (record) => cut[arrivals.topic[record]] === tried)))) continue
    return add({ depth: String(depth) }, prices.depth, fixed !== undefined)
  }
}
