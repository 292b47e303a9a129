import type { Explore } from "../answers.ts"
import type { Values } from "../api.ts"

/** A method that can be tried. */
export type Method = Explore["methods"][number]
/** An option of a method. */
export type Option = Method["options"][number]
/** What is typed into a form, by option. */
export type Typed = Readonly<Record<string, string>>

/** The options that decide most. They are shown first, in this order. */
const first = ["k", "epsilon", "theta", "delta", "users"]
/** Of these, the ones that are always named, even if they have their default. */
const named = ["k", "epsilon", "delta"]

const titles: Readonly<Record<string, string>> = {
  k: "People that one hides among (k)",
  epsilon: "Privacy loss of the whole release (ε)",
  theta: "How similar queries must be (θ)",
  users: "How long a name lasts",
  urls: "Clicked addresses",
  time: "Times",
  scrub: "Identifiers to leave out",
}
const ownTitles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  counts: { delta: "Chance that the bound fails (δ)" },
  groups: { delta: "Distance between the clicks of two queries (δ)" },
}

const lifetimes: Readonly<Record<string, string>> = {
  cell: "one group of swapped searches",
  session: "one session",
  day: "one day",
  pseudonym: "for ever",
  drop: "no names",
  keep: "the log's own names (not safe to publish)",
}

/** The title of an option: what it means, then its letter. */
export function titleOf(method: string, key: string): string {
  const plain = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return ownTitles[method]?.[key] ?? titles[key] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** A value of an option that has only some. */
export const sayValue = (key: string, value: string) => (key === "users" ? (lifetimes[value] ?? value) : value)

/** The options that matter first, then the others. */
export function splitOptions({ options }: Method): { main: Option[]; more: Option[] } {
  const main = first.flatMap((key) => options.filter((option) => option.key === key))
  return { main, more: options.filter((option) => !main.includes(option)) }
}

/** How an option is entered. A number between 0 and 1 is a slider. */
export function kindOf({ values, minimum, maximum, default: usual }: Option): "choice" | "share" | "number" | "text" {
  if (values !== undefined || typeof usual === "boolean") return "choice"
  if (maximum !== undefined && maximum <= 1) return "share"
  return minimum !== undefined || maximum !== undefined || typeof usual === "number" ? "number" : "text"
}

/** The values from which one is chosen. */
export const valuesOf = ({ values }: Option): readonly string[] => values ?? ["true", "false"]

/** What a form shows at first: the parameters of a point, or the defaults. */
export function startForm({ options }: Method, parameters: Values = {}): Typed {
  return Object.fromEntries(options.map(({ key, default: usual }) => [key, String(parameters[key] ?? usual ?? "")]))
}

/**
 * The parameters that a form stands for. An option that has its default is left out, so that equal points are computed
 * once; those that name the point stay.
 */
export function parametersOf({ options }: Method, typed: Typed): Values {
  return Object.fromEntries(
    options.flatMap((option) => {
      const { key, default: usual } = option
      const text = (typed[key] ?? "").trim()
      const isUsual = text === String(usual ?? "")
      return text === "" || (isUsual && !named.includes(key)) ? [] : [[key, parseValue(option, text)]]
    }),
  )
}

function parseValue(option: Option, text: string): string | number | boolean {
  const kind = kindOf(option)
  if (kind === "share" || kind === "number") return Number(text)
  const isFlag = valuesOf(option).every((value) => value === "true" || value === "false")
  return isFlag && (text === "true" || text === "false") ? text === "true" : text
}
