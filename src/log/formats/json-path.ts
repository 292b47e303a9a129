import { QueryveilError } from "../../kernels/error.ts"
import type { Cell } from "./convert-block.ts"
import { cellOf, isObject, parseJson } from "./json-record.ts"

/** How deep `..` searches. */
export const maxDepth = 64

/**
 * A step into a JSON value: a member by name, an element by number, every member or element, or any value at any depth.
 */
type Step = { name: string } | { element: number } | "each" | "anywhere"

const stepText =
  /^(?:\.\.|\.)?(?:\[(\d+)\]|\[\*\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]|(\*)|([^.[\]*"'\s]+))/

/**
 * Returns a function that reads the first text or number at a path. A path is names separated by dots, `[0]`, `[*]`,
 * `['a name']`, and `..` for any depth, as in JSONPath. The `$` at the front is optional. Names that contain dots are
 * found too, because logs write both `{"user": {"name": …}}` and `{"user.name": …}`.
 */
export function jsonPathReader(path: string, flag: string): (value: unknown) => Cell {
  const steps = parsePath(path, flag)
  return (value) => findFirst(value, steps, 0)
}

/** The path to one name, whatever characters it contains. */
export const pathOfName = (name: string) => `[${JSON.stringify(name)}]`

function parsePath(path: string, flag: string): Step[] {
  const steps: Step[] = []
  let rest = path.trim().replace(/^\$/, "")
  while (rest !== "") {
    const found = stepText.exec(rest)
    const quoted = found?.[2] === undefined ? undefined : parseJson(`"${found[2]}"`)
    if (found === null || (found[2] !== undefined && typeof quoted !== "string")) {
      throw new QueryveilError(
        "option-value",
        `${flag}: "${path}" is not a path into a JSON value. Write names separated by dots, ` +
          "for example query.multi_match.query or $.query.bool.must[0].match.title.",
        { flag },
      )
    }
    const [whole, element, , single, star, name] = found
    if (whole.startsWith("..")) steps.push("anywhere")
    if (element !== undefined) steps.push({ element: Number(element) })
    else if (typeof quoted === "string") steps.push({ name: quoted })
    else if (single !== undefined) steps.push({ name: single.replace(/\\(.)/g, "$1") })
    else if (name !== undefined && star === undefined) steps.push({ name })
    else steps.push("each")
    rest = rest.slice(whole.length)
  }
  if (steps.length === 0) throw new QueryveilError("option-value", `${flag}: the path is empty.`, { flag })
  return steps
}

function findFirst(value: unknown, steps: readonly Step[], at: number): Cell {
  const step = steps[at]
  if (step === undefined) return cellOf(value)
  if (step === "anywhere") return findAnywhere(value, steps, at + 1)
  if (step === "each") return firstOf(childrenOf(value), (child) => findFirst(child, steps, at + 1))
  if ("element" in step) return Array.isArray(value) ? findFirst(value[step.element], steps, at + 1) : undefined
  if (!isObject(value)) return undefined
  let name = ""
  for (let end = at; end < steps.length; end++) {
    const next = steps[end]
    if (typeof next === "string" || !("name" in next)) break
    name = end === at ? next.name : `${name}.${next.name}`
    const found = Object.hasOwn(value, name) ? findFirst(value[name], steps, end + 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function findAnywhere(value: unknown, steps: readonly Step[], at: number, depth = maxDepth): Cell {
  if (depth === 0) return undefined
  return findFirst(value, steps, at) ?? firstOf(childrenOf(value), (child) => findAnywhere(child, steps, at, depth - 1))
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function firstOf(values: readonly unknown[], find: (value: unknown) => Cell): Cell {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
