import { Type } from "#typebox"

const field = Type.Integer({ minimum: -1 })
const columns = Type.Object({ user: field, query: field, time: field, rank: field, url: field })

/** The options of the kernel `rows`: how lines become rows. The same plan as that of the single process. */
export const rowsOptions = Type.Object({
  plan: Type.Object({
    format: Type.String(),
    delimiter: Type.Integer(),
    columns: Type.Intersect([columns, Type.Object({ category: Type.Optional(field) })]),
    minFields: Type.Integer(),
    maxFields: Type.Integer(),
    headerLines: Type.Integer(),
    times: Type.Optional(Type.Enum(["civil", "any"])),
    quotedBy: Type.Optional(Type.Integer()),
    verbatim: Type.Optional(Type.Boolean()),
    conversion: Type.Optional(
      Type.Object({
        name: Type.String(),
        unit: Type.Enum(["user", "session"]),
        columns: Type.Record(Type.String(), Type.String()),
      }),
    ),
  }),
})
