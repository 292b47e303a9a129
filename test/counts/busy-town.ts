import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import { readLog } from "#dist/log/read-log.js"
import { countsWith } from "#dist/methods/counts/counts.js"
import { type CountsParts, shippedParts } from "#dist/methods/counts/parts.js"
import type { Method } from "#dist/methods/method.js"
import { anonymize, completeOptions, type OptionValues } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"

/**
 * Many people with the same interests: 120 queries of about 100 users each, with clicks and follow-up searches that
 * many share.
 */
export function busyTown(people = 1200): Search[] {
  const random = seededRandom(11)
  return Array.from({ length: people }, (_, person): Search[] =>
    Array.from({ length: 5 }, (_, i): Search[] => {
      const topic = random.below(60)
      const at = person * 7 + i * 4000
      const search = (query: string, seconds: number): Search => ({
        user: `person ${person}`,
        query,
        time: timeAfter(at + seconds),
        rank: 1,
        url: `http://topic${topic}.example`,
      })
      return [search(`topic ${topic}`, 0), search(`topic ${topic} cheap`, 60)]
    }).flat(),
  ).flat()
}

/** Every table has enough rows to judge the fit of the noise. */
const generous = { epsilon: "30", delta: "1e-6", scrub: "none" }

export type Choices = Record<string, string | number | boolean | undefined>

const given = (choices: Choices) =>
  Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined)) as OptionValues

/** A release of a log as a reader gets it. `parts` replace parts of the mechanism. */
export async function releaseLog(file: string, choices: Choices = {}, parts?: Partial<CountsParts>) {
  const context = createContext({ workers: 1, seed: 3 })
  const { log } = await readLog(file, {}, context)
  const parameters = given({ ...generous, ...choices })
  const draft = await anonymize(log, { ...parameters, method: "counts" as const }, context)
  if (parts !== undefined) {
    const method: Method = countsWith({ ...shippedParts, ...parts })
    const made = await method.run(log, completeOptions(method, parameters), context)
    if (made.kind === "tables") draft.tables = made.tables
  }
  return { log, draft, release: openDraft(draft), context }
}

export const townText = () => aolText(busyTown())
