import { readFile } from "node:fs/promises"
import { type Static, Type, Value } from "#typebox"
import { writeFileWhole } from "../files/write-file.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { readOptions } from "../log/read-log.ts"
import { useNames } from "../study/frontier/scores.ts"

/** Raise when an older version could misread a project. */
const settingsVersion = 1

const text = (maxLength = 4096) => Type.String({ minLength: 1, maxLength })
const value = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

/** The answers to "What is one person here?" */
export const personNames = ["login", "cookie", "session"] as const

/** A file of the log, as it was when the log was chosen. */
const fileSchema = Type.Object({ path: text(), bytes: Type.Integer({ minimum: 0 }), modified: Type.Number() })

/** The log: its files, and how to read them. The user column was confirmed by a person. */
const logSchema = Type.Object({
  files: Type.Array(fileSchema, { minItems: 1, maxItems: 10_000 }),
  reading: Type.Partial(Type.Pick(readOptions, ["format", "columns", "jsonPath", "unit", "encoding"])),
  person: Type.Enum([...personNames]),
})

/** What the release is for, how much risk is accepted, and who receives it. */
export const purposeSchema = Type.Object({
  use: Type.Enum([...useNames]),
  maxRisk: Type.Number({ minimum: 0, maximum: 1 }),
  recipient: Type.String({ maxLength: 500 }),
})

/** The method and its parameters that were chosen on the frontier. */
export const choiceSchema = Type.Object({
  method: text(100),
  parameters: Type.Record(Type.String({ maxLength: 100 }), value),
})

/** Budgets of the project's ledger, for methods that spend one. */
export const budgetSchema = Type.Object({ epsilon: text(100), delta: Type.Optional(text(100)) })

/** The settings of a project. Products of jobs are in files of their own and say which settings they belong to. */
const settingsSchema = Type.Object(
  {
    queryveil: Type.Literal(settingsVersion),
    id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
    created: Type.String(),
    /** Raised with every change. Who changes a setting names the revision they saw. */
    revision: Type.Integer({ minimum: 0 }),
    /** Folders from which files of the log may be chosen. */
    folders: Type.Array(text()),
    log: Type.Optional(logSchema),
    purpose: Type.Optional(purposeSchema),
    choice: Type.Optional(choiceSchema),
    budget: Type.Optional(budgetSchema),
  },
  { additionalProperties: false },
)

/** The settings of a project. */
export type ProjectSettings = Static<typeof settingsSchema>

/** Settings of a new project. */
export function newSettings({ id, folders, created }: { id: string; folders: readonly string[]; created: Date }) {
  const settings: ProjectSettings = {
    queryveil: settingsVersion,
    id,
    created: created.toISOString(),
    revision: 0,
    folders: [...folders],
  }
  return settings
}

/** Reads the settings of a project; undefined if there are none. Refuses those of a newer version. */
export async function readSettings(file: string): Promise<ProjectSettings | undefined> {
  let read: string
  try {
    read = await readFile(file, "utf8")
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined
    throw broken(file, `cannot be read (${systemCode(error)})`)
  }
  const parsed = parse(read)
  if (Value.Check(settingsSchema, parsed)) return parsed
  if (versionOf(parsed) > settingsVersion)
    throw new QueryveilError(
      "project-newer",
      `${file}: the project was made by a newer version of queryveil. Install that version to open it.`,
      { file },
    )
  const [first] = Value.Errors(settingsSchema, parsed)
  throw broken(file, `is no project of queryveil (${first?.instancePath || "/"} ${first?.message ?? "is not JSON"})`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function versionOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("queryveil" in value)) return 0
  return Number(value.queryveil)
}

function broken(file: string, what: string): QueryveilError {
  return new QueryveilError("project-broken", `${file}: ${what}. It is not written over.`, { file })
}

/** Writes settings. Refuses what could not be read back. */
export async function writeSettings(file: string, settings: ProjectSettings): Promise<void> {
  const [first] = Value.Errors(settingsSchema, settings)
  if (first !== undefined)
    throw new QueryveilError("option-value", `The settings are wrong: ${first.instancePath} ${first.message}.`)
  await writeFileWhole(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
}
