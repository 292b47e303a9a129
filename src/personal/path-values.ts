import { QueryveilError } from "../kernels/error.ts"
import { nearPaths } from "../taxonomy/near-paths.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/** The error for invalid topics. `file`: where they were read. */
export function topicsBroken(message: string, file?: string): QueryveilError {
  const place = file === undefined ? {} : { file }
  return new QueryveilError("topics-broken", file === undefined ? message : `${file}: ${message}`, place)
}

/**
 * Reads the numbers that a file `{path: number}` gives to topics. Errors name the file and the key, because the file is
 * the person's own. `positive`: 0 is refused too.
 */
export function pathValues(
  taxonomy: Taxonomy,
  value: unknown,
  { file, what, positive = false }: { file: string; what: string; positive?: boolean },
): [topic: number, value: number][] {
  const wrong = (message: string) => topicsBroken(message, file)
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(`expected an object of the form {"path": ${what}}.`)
  return Object.entries(value).map(([path, number]: [string, unknown]) => {
    const key = JSON.stringify(path)
    const isNumber = typeof number === "number" && Number.isFinite(number)
    if (!isNumber || number < 0 || (positive && number === 0))
      throw wrong(
        `the ${what} of ${key} is ${JSON.stringify(number)}: expected ${positive ? "a number above 0" : "0 or more"}.`,
      )
    const topic = taxonomy.find(path)
    if (topic >= 0) return [topic, number]
    const near = nearPaths(taxonomy, path)
    const hint = near.length === 0 ? "Use the paths of the taxonomy file." : `Similar: ${near.join(", ")}.`
    throw wrong(`there is no topic ${key} in the taxonomy. ${hint}`)
  })
}
