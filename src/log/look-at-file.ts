import { QueryveilError } from "../kernels/error.ts"
import { countBytes } from "./blocks.ts"
import { type ColumnName, columnNames, meaningOfName, plainName, recogniseColumns } from "./formats/columns.ts"
import { readLayout } from "./formats/delimited-layout.ts"
import { detectFormat, type FormatChoice, firstRecords } from "./formats/detect-format.ts"
import { isNameLike, namesToShow, tellHeader } from "./formats/header.ts"
import { cellOf as textOf } from "./formats/json-record.ts"
import { placeOf } from "./formats/jsonl.ts"
import { maskText } from "./formats/mask-text.ts"
import { cellOf } from "./formats/parquet.ts"
import { oneFile, sampleRelation } from "./formats/query-source.ts"
import { describeReading, type Reading } from "./formats/reading.ts"
import { placeOfName } from "./formats/refuse-columns.ts"
import { findInputs, type InputFile } from "./inputs.ts"
import { readHead, readSource } from "./read-source.ts"
import { sniffText } from "./sniff.ts"

/** A column that can be chosen, with masked examples. */
interface SeenColumn {
  /** As `--columns` accepts it. */
  place: string
  name: string
  /** Shapes of the first values. They contain no text. */
  examples: string[]
  means?: ColumnName
}

/** The format of a file, its columns if they can be chosen, and how it would be read. */
export interface SeenFile {
  format: string
  columns: SeenColumn[]
  reading?: string
  /** Why it cannot be read without a choice of columns. */
  problem?: { code: string; message: string }
}

const mostExamples = 5
const mostColumns = 200

/** Looks at the first rows of a file without reading the rest. The answer contains no text of the log. */
export async function lookAtFile(
  path: string,
  given: Pick<FormatChoice, "format" | "unit"> & { encoding?: string },
): Promise<SeenFile> {
  const [input = { path }] = await findInputs([path])
  const choice: FormatChoice = { format: given.format, unit: given.unit, columns: undefined, jsonPath: undefined }
  const head = await readHead(input, given.encoding)
  if (head.length === 0)
    throw new QueryveilError("input-empty", `${path}: is empty. Choose another file.`, { file: path })
  const format = detectFormat(head, choice)
  const columns = markMeanings(await listColumns(format, head, path), given.unit)
  return { format, columns, ...(await tryReading(input, { ...choice, encoding: given.encoding })) }
}

type Unmarked = Omit<SeenColumn, "means"> & { plain: string }

async function listColumns(format: string, head: Uint8Array, path: string): Promise<Unmarked[]> {
  if (format === "delimited") return listDelimited(head.subarray(sniffText(head, path)))
  if (format === "jsonl") return listMembers(head)
  return format === "parquet" ? listParquet(path) : []
}

function listDelimited(head: Uint8Array): Unmarked[] {
  const { rows } = readLayout(head)
  const [first = []] = rows
  const kind = tellHeader(rows)
  const shown = namesToShow(first, kind)
  const data = kind === "none" ? rows : rows.slice(1)
  const width = Math.min(mostColumns, Math.max(0, ...rows.map(({ length }) => length)))
  const isOnly = (name: string) => first.filter((other) => plainName(other) === plainName(name)).length === 1
  return Array.from({ length: width }, (_, at) => {
    const name = shown[at]
    return {
      place: name === undefined ? String(at + 1) : placeOfName(name, at, { isOnly: isOnly(name) }),
      name: name ?? `column ${at + 1}`,
      plain: name ?? "",
      examples: masked(data.map((row) => row[at] ?? "")),
    }
  })
}

function listMembers(head: Uint8Array): Unmarked[] {
  const records = firstRecords(head).slice(0, 20)
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, mostColumns)
  const isKnown = names.some((name) => meaningOfName(name) !== undefined)
  return names.flatMap((name, at) => {
    const having = records.filter((record) => Object.hasOwn(record, name)).length
    const isShown = meaningOfName(name) !== undefined || (isKnown && isNameLike(name) && 2 * having >= records.length)
    const place = placeOf(name)
    if (place === undefined || !isShown) return []
    const examples = masked(records.map((record) => String(textOf(record[name]) ?? "")))
    return [{ place, name: isShown ? name : `member ${at + 1}`, plain: name, examples }]
  })
}

async function listParquet(path: string): Promise<Unmarked[]> {
  const relation = `read_parquet(${oneFile(path)})`
  const { columns, rows } = await sampleRelation(relation, { path, rows: mostExamples, cellOf })
  const names = columns.map(({ name }) => name)
  return names.slice(0, mostColumns).map((name, at) => ({
    place: placeOfName(name, at, {
      isOnly: names.filter((other) => plainName(other) === plainName(name)).length === 1,
    }),
    name: name.slice(0, 64),
    plain: name,
    examples: masked(rows.map((row) => row[at] ?? "")),
  }))
}

const masked = (cells: readonly string[]) => cells.slice(0, mostExamples).map((cell) => maskText(cell))

function markMeanings(columns: readonly Unmarked[], unit: FormatChoice["unit"]): SeenColumn[] {
  const { columns: found } = recogniseColumns(
    columns.map(({ plain }) => plain),
    unit,
  )
  return columns.map(({ plain: _, ...column }, at) => {
    const means = columnNames.find((name) => found[name] === at)
    return { ...column, ...(means && { means }) }
  })
}

/** How the file would be read without a choice of columns, or why it cannot be. */
async function tryReading(
  input: InputFile,
  options: FormatChoice & { encoding: string | undefined },
): Promise<Pick<SeenFile, "reading" | "problem">> {
  const blocks = readSource(input, countBytes(), options)
  try {
    const first = await blocks.next()
    const reading: Reading | undefined = first.done ? undefined : first.value.plan.reading
    return reading === undefined ? {} : { reading: describeReading(reading, options.unit) }
  } catch (error) {
    if (!(error instanceof QueryveilError)) throw error
    return { problem: { code: error.code, message: error.message } }
  } finally {
    await blocks.return(undefined)
  }
}
