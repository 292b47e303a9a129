import { readFile } from "node:fs/promises"
import { type Command, Option } from "commander"
import type { TObject, TSchema } from "typebox"
import { Value } from "typebox/value"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** The JSON Schema keywords that flags are made from. */
interface SchemaFacts {
  type?: string
  enum?: readonly string[]
  default?: unknown
  description?: string
  minimum?: number
  maximum?: number
  items?: SchemaFacts
  /** What stands for the value in the help, where `text` says too little. */
  placeholder?: string
}

const factsOf = (schema: TSchema): SchemaFacts => schema

/** `minQueryUsers` → `--min-query-users` */
const flagName = (key: string) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Adds one flag for every property of a schema. Values are checked where they are given; absent flags stay absent. */
export function addFlags(command: Command, schema: TObject): void {
  for (const [key, property] of Object.entries(schema.properties)) command.addOption(flagFor(key, factsOf(property)))
}

function flagFor(key: string, facts: SchemaFacts): Option {
  const long = flagName(key)
  const short = key.length === 1 ? `-${key}, ` : ""
  const description = describe(facts)
  if (facts.type === "boolean") return new Option(`${short}${long}`, description)
  const option = new Option(`${short}${long} <${placeholder(facts)}>`, description)
  option.argParser((text: string) => parseValue(text, facts, long))
  return option
}

function placeholder(facts: SchemaFacts): string {
  if (facts.placeholder !== undefined) return facts.placeholder
  if (facts.enum !== undefined) return facts.enum.join("|")
  if (facts.type === "array") return "list"
  return facts.type === "integer" || facts.type === "number" ? "n" : "text"
}

function describe({ description = "", default: value, type }: SchemaFacts): string {
  if (value === undefined || type === "boolean") return description
  return `${description} (default: ${Array.isArray(value) ? value.join(",") : String(value)})`
}

function parseValue(text: string, facts: SchemaFacts, flag: string): unknown {
  if (facts.type === "array") return text.split(",").map((part) => parseValue(part.trim(), facts.items ?? {}, flag))
  if (facts.enum !== undefined) {
    if (facts.enum.includes(text)) return text
    throw wrongValue(flag, text, `one of ${facts.enum.join(", ")}`)
  }
  if (facts.type !== "integer" && facts.type !== "number") return text
  const value = Number(text)
  const whole = facts.type === "integer"
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = facts
  if (
    text.trim() !== "" &&
    (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= minimum &&
    value <= maximum
  ) {
    return value
  }
  const range = [
    facts.minimum === undefined ? "" : ` of at least ${facts.minimum}`,
    facts.maximum === undefined ? "" : `${facts.minimum === undefined ? " of" : " and"} at most ${facts.maximum}`,
  ].join("")
  throw wrongValue(flag, text, `a ${whole ? "whole " : ""}number${range}`)
}

function wrongValue(flag: string, text: string, wanted: string): QueryveilError {
  return new QueryveilError("option-value", `${flag} ${text}: expected ${wanted}.`, { flag })
}

/**
 * The values of a schema's keys: from the config file, overruled by flags. Defaults are not filled in: what was not
 * given is absent, so that presets can stand between.
 */
export function gatherValues(schema: TObject, flags: Record<string, unknown>, config: Record<string, unknown>) {
  const values: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(schema.properties)) {
    const given = flags[key] ?? config[key]
    if (given === undefined) continue
    const [problem] = Value.Errors(property, given)
    if (problem !== undefined)
      throw new QueryveilError("config", `config key ${key}: ${problem.message}.`, { flag: flagName(key) })
    values[key] = given
  }
  return values
}

/** Reads `--config FILE.json`; a key that no flag of the command has is an error, not a silent default. */
export async function readConfig(path: string | undefined, known: readonly string[]): Promise<Record<string, unknown>> {
  if (path === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, "utf8"))
  } catch (cause) {
    const why = cause instanceof SyntaxError ? "it is not JSON" : (systemCode(cause) ?? "unknown")
    throw new QueryveilError("config", `${path}: cannot be read: ${why}.`, { file: path, cause })
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new QueryveilError("config", `${path}: expected an object with the command's flags as keys.`, { file: path })
  }
  const config = Object.fromEntries(Object.entries(value))
  const unknown = Object.keys(config).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    throw new QueryveilError(
      "config",
      `${path}: ${unknown} is no option of this command. Options: ${known.join(", ")}.`,
      {
        file: path,
      },
    )
  }
  return config
}
