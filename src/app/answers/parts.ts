import { type TSchema, Type } from "#typebox"
import { columnNames } from "../../log/formats/columns.ts"
import { checkStates } from "../../verify/verifier.ts"
import { type AnswerName, schemaName } from "./versions.ts"

/**
 * An answer: the name of its schema first, then its own fields. Fields may be added later; readers ignore fields that
 * they do not know.
 */
export function answer(name: AnswerName, description: string, fields: Record<string, TSchema>) {
  const title = schemaName(name)
  return Type.Object({ schema: Type.Literal(title), ...fields }, { title, description })
}

export const text = (description?: string) => Type.String(description === undefined ? {} : { description })
export const texts = (description?: string) =>
  Type.Array(Type.String(), description === undefined ? {} : { description })
export const flag = (description?: string) => Type.Boolean(description === undefined ? {} : { description })
export const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) })
export const number = (description?: string) => Type.Number(description === undefined ? {} : { description })

/** A number that may be undefined (0/0), for which JSON has null. */
export const maybeNumber = (description?: string) =>
  Type.Union([Type.Number(), Type.Null()], description === undefined ? {} : { description })

export const counts = (description: string) => Type.Record(Type.String(), count(), { description })

export const optionValues = (description: string) =>
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { description })

/** A table: column names, and rows of cells. */
export const table = (description: string) =>
  Type.Object(
    { columns: texts(), rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]))) },
    { description },
  )

export const warnings = texts("what the owner should know")

export const folder = text("the folder, as it was given")

/** The columns by which a log was read. */
export const readings = Type.Array(
  Type.Object({
    format: text(),
    columns: Type.Object(Object.fromEntries(columnNames.map((name) => [name, Type.Optional(text())])), {
      description: "by name, by path (JSON), or by position from 1",
    }),
    found: Type.Enum(["named", "known", "recognised", "guessed"]),
  }),
  { description: "how columns were read; names and positions, never values" },
)

export const state = Type.Enum([...checkStates])

/** One check, made or not. */
export const check = Type.Object({
  name: text("short, for --only"),
  promise: text(),
  state,
  needs: Type.Optional(Type.Enum(["against", "audit"], { description: "what the check needs" })),
  row: Type.Optional(count("the first row that fails; 1 is the first after the header")),
  value: Type.Optional(maybeNumber()),
  bound: Type.Optional(maybeNumber()),
  detail: Type.Optional(text("what was found, without text from the log")),
})

/** How much better than a guess the strongest attack is. */
export const risk = Type.Object({
  value: number("0: as a guess, 1: always right"),
  low: number(),
  high: number("upper end of the 95 % interval"),
  attack: text("the strongest attack"),
})
