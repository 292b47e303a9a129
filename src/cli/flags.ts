import { readFile } from "node:fs/promises"
import { type Command, Option } from "commander"
import { type Static, type TObject, type TSchema, Value } from "#typebox"
import { flagName } from "../app/shell-words.ts"
import { expectedValue } from "../kernels/check-options.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** The schema keywords that flags are made from. Those from `placeholder` on are our own. */
interface SchemaFacts {
  type?: string
  enum?: readonly string[]
  default?: unknown
  description?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  items?: SchemaFacts
  /** The placeholder of the value in the help, if `text` says too little. */
  placeholder?: string
  /** The letter of the short form. */
  short?: string
  /** The value is the path of a file. The words, or the lines, of the file become the value. */
  fromFile?: "words" | "lines"
  /** Values that are not paths. */
  unless?: readonly string[]
  /** Values that are not accepted here although someone may well try them, and why. */
  refusals?: Readonly<Record<string, string>>
  /** The default in words, if the value says too little. */
  defaultWords?: string
  /** Takes several words (`--against a.tsv b.tsv`) instead of a list with commas. */
  words?: boolean
}

export const factsOf = (schema: TSchema): SchemaFacts => schema

/** The values given for the keys of a schema. Defaults are not filled in, so that presets can come in between. */
export type Given<F extends TObject> = Partial<Static<F>>

const choices = new WeakMap<Option, readonly string[]>()

/** The values that a flag accepts, if there are few. */
export const choicesOf = (option: Option): readonly string[] | undefined => choices.get(option)

/** Adds one flag for every property of a schema. Values are checked when they are parsed. */
export function addFlags(command: Command, schema: TObject): void {
  for (const [key, property] of Object.entries(schema.properties)) {
    const facts = factsOf(property)
    const option = flagFor(key, facts)
    const values = facts.enum ?? facts.items?.enum
    if (values !== undefined) choices.set(option, values)
    command.addOption(option)
  }
}

function flagFor(key: string, facts: SchemaFacts): Option {
  const long = flagName(key)
  const letter = facts.short ?? (key.length === 1 ? key : undefined)
  const names = letter === undefined ? long : `-${letter}, ${long}`
  if (facts.type === "boolean") return new Option(names, describe(facts))
  const option = new Option(`${names} <${placeholder(facts)}${facts.words ? "..." : ""}>`, describe(facts))
  return facts.words ? option : option.argParser((text: string) => parseValue(text, facts, long))
}

function placeholder(facts: SchemaFacts): string {
  if (facts.placeholder !== undefined) return facts.placeholder
  if (facts.enum !== undefined) return facts.enum.join("|")
  if (facts.type === "array") return "list"
  return facts.type === "integer" || facts.type === "number" ? "n" : "text"
}

function describe({ description = "", default: value, type, defaultWords }: SchemaFacts): string {
  if (value === undefined || type === "boolean") return description
  return `${description} (default ${defaultWords ?? (Array.isArray(value) ? value.join(",") : String(value))})`
}

function parseValue(text: string, facts: SchemaFacts, flag: string): unknown {
  if (facts.type === "array") return text.split(",").map((part) => parseValue(part.trim(), facts.items ?? {}, flag))
  if (facts.enum !== undefined) {
    if (facts.enum.includes(text)) return text
    refuseValue(text, facts, flag)
    throw wrongValue(flag, text, facts)
  }
  if (facts.type !== "integer" && facts.type !== "number") return text
  const value = Number(text)
  const whole = facts.type === "integer"
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, exclusiveMinimum } = facts
  const isNumber = text.trim() !== "" && (whole ? Number.isSafeInteger(value) : Number.isFinite(value))
  const isAbove = exclusiveMinimum === undefined || value > exclusiveMinimum
  if (isNumber && isAbove && value >= minimum && value <= maximum) return value
  throw wrongValue(flag, text, facts)
}

/** Throws if a value has a refusal of its own. */
function refuseValue(value: unknown, { refusals = {} }: SchemaFacts, flag: string): void {
  const refusal = Object.entries(refusals).find(([refused]) => refused === value)
  if (refusal !== undefined) throw new QueryveilError("option-value", `${flag} ${refusal[0]}: ${refusal[1]}`, { flag })
}

function wrongValue(flag: string, text: string, facts: SchemaFacts): QueryveilError {
  return new QueryveilError("option-value", `${flag} ${text}: expected ${expectedValue(facts)}.`, { flag })
}

/** The values of a schema's keys: from the file of `--config`, overridden by flags. Each value is checked. */
export async function gatherFlags<F extends TObject>(
  schema: F,
  flags: Record<string, unknown>,
  config: string | undefined,
): Promise<Given<F>> {
  const known = Object.keys(schema.properties).filter((key) => key !== "config")
  const values: Record<string, unknown> = { ...(config === undefined ? {} : await readConfig(config, known)) }
  for (const [key, property] of Object.entries(schema.properties)) {
    // Some numeric flags are strings, because all their digits count. In a file they may be written as numbers.
    if (factsOf(property).type === "string" && typeof values[key] === "number") values[key] = String(values[key])
    refuseValue(values[key], factsOf(property), flagName(key))
    const [problem] = values[key] === undefined ? [] : Value.Errors(property, values[key])
    if (problem !== undefined) {
      throw new QueryveilError("config", `${config}: config key ${key}: ${problem.message}.`, { flag: flagName(key) })
    }
    if (flags[key] !== undefined) values[key] = flags[key]
  }
  return values as Given<F>
}

/** Reads a config file. A key that is not a flag of the command is an error, not silently ignored. */
async function readConfig(path: string, known: readonly string[]): Promise<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, "utf8"))
  } catch (cause) {
    const code = systemCode(cause)
    const why = cause instanceof SyntaxError ? "it is not JSON" : `the system says ${code}`
    const what = code === "ENOENT" ? "there is no such file. Check the path" : `cannot be read: ${why}`
    throw new QueryveilError("config", `${path}: ${what}.`, { file: path })
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new QueryveilError("config", `${path}: expected an object with the command's flags as keys.`, { file: path })
  }
  const config = Object.fromEntries(Object.entries(value))
  const unknown = Object.keys(config).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const message = `${path}: ${unknown} is not an option of this command. Options: ${known.join(", ")}.`
    throw new QueryveilError("config", message, { file: path })
  }
  return config
}

/** Thrown by `required`. The command then says what the flag is for. */
export class MissingFlag extends Error {
  readonly key: string
  constructor(key: string) {
    super(key)
    this.key = key
  }
}

/** Returns the value of a flag that the command requires, on the command line or in the config file. */
export function required<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new MissingFlag(key)
  return value
}
