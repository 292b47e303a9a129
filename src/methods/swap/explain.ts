import type { RunContext } from "../../kernels/context.ts"
import { tableOf } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { drawSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import { openLogTopics } from "../../taxonomy/classify/log-topics.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { countOf, type Explanation, notReleased, outcomeOf, released } from "../explanation.ts"
import { categoriesOf } from "./categories-of.ts"
import { changeSwap } from "./explain-changes.ts"
import { type SwapOptions, settleRepeats } from "./options.ts"
import { orderArrivals } from "./order-arrivals.ts"
import { followText, pickArrivals, type TextFate } from "./text-fate.ts"

/**
 * Whether a query is released under other users' names. In strict mode, the log and the options determine which
 * searches are released: all waiting users take part in the next cell, and chance only decides who is shown with what.
 * The exception are searches of the same second, whose order is drawn. Categories do not affect each other, so only one
 * of them is swapped here. In paper mode, chance decides what is released.
 */
export async function explainSwap(
  log: SearchLog,
  query: number,
  given: SwapOptions,
  context: RunContext,
): Promise<Explanation> {
  const options = settleRepeats(given)
  const { k, mode } = options
  const { taxonomy, topicOf } = await openLogTopics(log, options, context)
  if (topicOf[query] < 0) return withoutTopic()
  const arrivals = orderArrivals(log, topicOf, { seeds: positionSeeds(drawSecret(context.random)) })
  const category = await categoriesOf(arrivals, { ...options, tree: taxonomy }, context)
  const place = category[arrivals.text.indexOf(query)]
  const among = pickArrivals(arrivals, (record) => category[record] === place)
  const fate = await followText(among, query, options, context)
  const isAuto = options.depth === "auto"
  const isNever =
    (isAuto ? new Set(arrivals.user).size : fate.usersInCategory) <= k || fate.users < options.minQueryUsers
  const drawsCategories = isAuto && (mode === "paper" || hasTies(arrivals.time))
  const isChance = mode === "paper" || (!isNever && (fate.dependsOnOrder || drawsCategories))
  const described = describeFate(fate, { taxonomy, topic: topicOf[query], category: place, options, isChance })
  if (isChance) return { ...outcomeOf(0, isNever ? 0 : 1), ...described, changes: [] }
  const subject = { query, topic: topicOf[query], category: place, arrivals, among, fate, taxonomy }
  return {
    ...(fate.released > 0 ? released : notReleased),
    ...described,
    changes: drawsCategories ? [] : await changeSwap(subject, options, context),
  }
}

/** True if two searches have the same time. Times are in order. */
const hasTies = (times: Int32Array) => times.some((time, i) => i > 0 && time === times[i - 1])

function withoutTopic(): Explanation {
  return {
    ...notReleased,
    reasons: [
      "No topic was found for it, and users are swapped within topics.",
      "No option of the method changes that, but another --taxonomy or --classifier may know it.",
    ],
    facts: {},
    changes: [],
    tables: {},
  }
}

const hours = (seconds: number) => (seconds / 3600).toFixed(1)

function describeFate(
  fate: TextFate,
  subject: { taxonomy: Taxonomy; topic: number; category: number; options: SwapOptions; isChance: boolean },
): Pick<Explanation, "reasons" | "facts" | "tables"> {
  const { taxonomy, topic, category, options, isChance } = subject
  const { k, mode, minQueryUsers } = options
  const pathOf = (node: number) => (node === 0 ? "all topics together" : taxonomy.path(node))
  const reasons = [`Its topic is ${pathOf(topic)}. Users are swapped within ${pathOf(category)}.`]
  const inCategory = `${countOf(fate.usersInCategory, "user")} searched there`
  if (fate.users < minQueryUsers)
    reasons.push(
      `${countOf(fate.users, "user")} issued it, fewer than --min-query-users ${minQueryUsers}: it is held back.`,
    )
  else if (fate.usersInCategory <= k) reasons.push(`${inCategory}; a cell needs ${k + 1}. None ever closes.`)
  else if (fate.released === 0 && mode === "strict")
    reasons.push(`${inCategory}, and a cell closes when ${k + 1} of them wait. None closed with this query.`)
  if (fate.released > 0 && mode === "strict")
    reasons.push(
      [
        `${fate.released} of ${fate.searches} searches leave,`,
        "each under the name of another user of its cell.",
        `On average they leave ${hours(fate.meanWait)} hours after they were made.`,
      ].join(" "),
    )
  if (fate.released > 0 && !isChance)
    reasons.push("Every draw gives the same answer: chance decides only which user each search is shown with.")
  if (isChance)
    reasons.push(
      [
        mode === "paper"
          ? "In paper mode, chance decides which searches leave."
          : "The order of searches of the same second is drawn, and may decide which searches leave.",
        `In one draw made for this answer, ${fate.released} of ${fate.searches} left.`,
        "The chance is not computed.",
      ].join(" "),
    )
  const { backlog, sameText, repeat, held, waiting } = fate
  return {
    reasons,
    facts: {
      topic: pathOf(topic),
      category: pathOf(category),
      k,
      users: fate.users,
      searches: fate.searches,
      "searches released": fate.released,
      "users in the category": fate.usersInCategory,
      "searches in the category": fate.searchesInCategory,
      "cells of the category": fate.cells,
      ...(fate.released > 0 && {
        "mean wait in hours": hours(fate.meanWait),
        "longest wait in hours": hours(fate.longestWait),
      }),
    },
    tables: {
      "What becomes of its searches": tableOf(
        ["searches", "count"],
        [
          ["released under another user", fate.released],
          ["held back: too few users issued it", held],
          ["withheld: over the backlog of their user", backlog],
          ["withheld: another user of the cell has the text", sameText],
          ["withheld: repeat a released one", repeat],
          ["still waiting when the log ended", waiting],
        ].filter(([, count]) => count !== 0),
      ),
    },
  }
}
