import { QueryveilError } from "../../../kernels/error.ts"
import type { ColumnBatch, ColumnValues, ViewColumn } from "../session.ts"
import type { SparkLibraries } from "./spark-libraries.ts"

type Arrow = SparkLibraries["arrow"]
type Vector = import("apache-arrow").Vector

/** Reads an Arrow stream, as Spark sends one per batch. Columns of other types are an error, or else null. */
export function readArrow(arrow: Arrow, data: Uint8Array, { others = "error" }: ReadOptions = {}): ColumnBatch {
  const table = arrow.tableFromIPC(data)
  const names = table.schema.fields.map(({ name }) => name)
  const columns = names.map((name, i) => {
    const vector = table.getChildAt(i)
    if (vector === null) throw new QueryveilError("internal", "A column of an Arrow batch is missing.")
    return valuesOf(arrow, vector, { name, others })
  })
  return { rows: table.numRows, names, columns }
}

interface ReadOptions {
  others?: "error" | "null"
}

function valuesOf(
  { Type }: Arrow,
  vector: Vector,
  { name, others }: Required<ReadOptions> & { name: string },
): ColumnValues {
  switch (vector.type.typeId) {
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Bool:
    case Type.Float:
    case Type.Binary:
    case Type.LargeBinary:
      return [...vector]
    case Type.Null:
      return new Array(vector.length).fill(null)
    case Type.Int:
      return Array.from(vector, (value) => (typeof value === "bigint" ? numberOf(value, name) : value))
    default:
      if (others === "null") return new Array(vector.length).fill(null)
      throw new QueryveilError("internal", `Column ${name} of an answer of Spark has a type that is not read here.`)
  }
}

function numberOf(value: bigint, name: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new QueryveilError("internal", `Column ${name} of an answer of Spark is beyond 2^53.`)
}

/** Writes columns as an Arrow stream, with the rows from `start` to `end`. */
export function writeArrow(
  arrow: Arrow,
  columns: Readonly<Record<string, ViewColumn>>,
  { start, end }: { start: number; end: number },
): Uint8Array {
  const vectors = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, vectorOf(arrow, column, { start, end })]),
  )
  return arrow.tableToIPC(new arrow.Table(vectors), "stream")
}

function vectorOf(arrow: Arrow, column: ViewColumn, { start, end }: { start: number; end: number }): Vector {
  const values = Array.from({ length: end - start }, (_, i) => column.values[start + i] ?? null)
  const made = (type: import("apache-arrow").DataType, list: readonly unknown[] = values): Vector =>
    arrow.vectorFromArray(list, type)
  switch (column.type) {
    case "string":
      return made(new arrow.Utf8())
    case "bigint":
      return made(
        new arrow.Int64(),
        values.map((value) => (typeof value === "number" ? BigInt(value) : null)),
      )
    case "int":
      return made(new arrow.Int32())
    case "double":
      return made(new arrow.Float64())
    case "boolean":
      return made(new arrow.Bool())
    case "binary":
      return made(new arrow.Binary())
  }
}

/** How many bytes of a view travel at once. The server's limit of a message is 128 MiB. */
const viewBytes = 16 << 20

/** Splits the rows of a view so that each part fits into a message. There is always one part. */
export function splitRows(columns: Readonly<Record<string, ViewColumn>>): { start: number; end: number }[] {
  const list = Object.values(columns)
  const rows = list[0]?.values.length ?? 0
  if (list.some(({ values }) => values.length !== rows))
    throw new QueryveilError("internal", "The columns of a view have different lengths.")
  const parts: { start: number; end: number }[] = []
  let start = 0
  let bytes = 0
  for (let row = 0; row < rows; row++) {
    const size = list.reduce((sum, { values }) => sum + bytesOf(values[row]), 0)
    if (bytes > 0 && bytes + size > viewBytes) {
      parts.push({ start, end: row })
      start = row
      bytes = 0
    }
    bytes += size
  }
  parts.push({ start, end: rows })
  return parts
}

const bytesOf = (value: unknown): number =>
  typeof value === "string" ? 3 * value.length + 5 : value instanceof Uint8Array ? value.length + 5 : 9
