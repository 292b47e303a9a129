import type { TObject, TSchema } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { methods } from "../../methods/registry.ts"
import { completeOptions, findMethod, methodOptions, type OptionValues } from "../../release/anonymize.ts"
import type { Point } from "../study.ts"

/** Values to try for each option. Every value is combined with every value of the other options. */
type Values = Record<string, readonly (string | number | boolean)[]>

/** Combinations to try, by method. */
type Grid = Record<string, Values[]>

/** Parameters that change nothing but the user ids: the log that all releases are compared with. */
export const rawParameters: OptionValues = {
  k: 1,
  scrub: "none",
  users: "pseudonym",
  urls: "keep",
  time: "exact",
}

const defaultGrid: Grid = {
  equality: [{ k: [2, 5, 10, 20, 50, 100] }],
  affinity: [{ k: [5, 10, 20, 50], theta: [0.9, 0.7] }],
  wordnet: [{ k: [5, 10, 50] }],
  groups: [{ k: [5, 10, 20], delta: [0.25, 0.5] }],
  // The lifetime of a name decides the risk, so every lifetime has a point.
  swap: [
    { k: [3, 10, 20], depth: ["3", "6"] },
    { k: [10], users: ["session", "day", "pseudonym"] },
  ],
  counts: [{ epsilon: ["1", "2", "4", "8"], delta: ["1e-6"] }],
}

const coarseGrid: Grid = {
  equality: [{ k: [5, 50] }],
  affinity: [{ k: [10] }],
  wordnet: [{ k: [10] }],
  groups: [{ k: [10] }],
  swap: [{ k: [10], users: ["cell", "pseudonym"] }],
  counts: [{ epsilon: ["2", "8"], delta: ["1e-6"] }],
}

export interface GridOptions {
  methods?: readonly string[]
  /** The text of a grid file. */
  grid?: string
  coarse: boolean
}

/** The method and parameters of every point except the raw log: all combinations of the option values. */
export function listSettings({ methods: names, grid: text, coarse }: GridOptions): Point[] {
  const grid = text === undefined ? (coarse ? coarseGrid : defaultGrid) : parseGrid(text)
  const chosen = names ?? Object.keys(grid)
  for (const name of chosen) findMethod(name)
  const strange = chosen.find((name) => grid[name] === undefined)
  if (strange !== undefined)
    throw new QueryveilError("usage", `--methods ${strange}: the grid has no values for this method.`, {
      flag: "--methods",
    })
  const settings = chosen.flatMap((method) =>
    (grid[method] ?? []).flatMap(combine).map((values) => ({ method, ...values })),
  )
  for (const setting of settings) checkSetting(setting)
  return [...new Map(settings.map((setting) => [JSON.stringify(setting), setting])).values()]
}

/** Every combination of one value for each option. */
function combine(options: Values): OptionValues[] {
  return Object.entries(options).reduce<OptionValues[]>(
    (sofar, [key, values]) => sofar.flatMap((chosen) => values.map((value) => ({ ...chosen, [key]: value }))),
    [{}],
  )
}

/**
 * Checks a setting before the run. Reports the error that the method would raise later, with the name of the method.
 */
function checkSetting({ method, ...parameters }: Point): void {
  try {
    completeOptions(findMethod(String(method)), parameters)
  } catch (error) {
    if (!(error instanceof QueryveilError)) throw error
    throw wrongGrid(error.message.startsWith(`${method}:`) ? error.message : `${method}: ${error.message}`)
  }
}

/** The part of an option's schema that a grid uses. */
interface SchemaFacts {
  type?: string
  fromFile?: string
  unless?: readonly string[]
}

/** `{"equality": {"k": [2, 5]}}`: any option of a method, a value or a list of values. */
function parseGrid(text: string): Grid {
  const value = parseJson(text)
  if (!isObject(value) || Object.keys(value).length === 0)
    throw wrongGrid('expected an object such as {"equality": {"k": [2, 5]}}.')
  return Object.fromEntries(Object.entries(value).map(([name, options]) => [name, [parseOptions(name, options)]]))
}

function parseOptions(name: string, options: unknown): Values {
  const method = methods.find((candidate) => candidate.name === name)
  const known = methods.map((candidate) => candidate.name).join(", ")
  if (method === undefined) throw wrongGrid(`there is no method called ${name}. Methods: ${known}.`)
  if (!isObject(options)) throw wrongGrid(`${name}: expected an object with the method's options.`)
  const { properties }: TObject = methodOptions(method)
  return Object.fromEntries(
    Object.entries(options).map(([key, given]) => {
      const facts: (TSchema & SchemaFacts) | undefined = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (facts === undefined)
        throw wrongGrid(`${name}: unknown option ${key}. Options: ${Object.keys(properties).join(", ")}.`)
      const values = [given].flat().map((value) => {
        // Some numeric options are strings, because all their digits count.
        const plain = facts.type === "string" && typeof value === "number" ? String(value) : value
        if (typeof plain !== "string" && typeof plain !== "number" && typeof plain !== "boolean")
          throw wrongGrid(`${name}: ${key}: expected a value or a list of values.`)
        if (facts.fromFile !== undefined && !facts.unless?.includes(String(plain)))
          throw wrongGrid(`${name}: ${key}: a grid cannot name files.`)
        return plain
      })
      if (values.length === 0) throw wrongGrid(`${name}: ${key}: expected at least one value.`)
      return [key, values]
    }),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrongGrid("it is not JSON.")
  }
}

const wrongGrid = (what: string) => new QueryveilError("config", `--grid: ${what}`, { flag: "--grid" })
