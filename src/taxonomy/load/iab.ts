import type { RunContext } from "../../kernels/context.ts"
import type { InputFile } from "../../log/inputs.ts"
import { maxDepth } from "../assemble-tree.ts"
import { escapeName } from "../path.ts"
import { brokenAt, type FilePosition, quoted } from "./file-position.ts"
import { linesOf } from "./lines.ts"
import type { Repairs } from "./repairs.ts"
import type { TopicTable } from "./topic-table.ts"

interface Row {
  parent: string
  name: string
  place: FilePosition
  path?: string
}

/** The header must be within this many lines from the start. */
const headerWithin = 5
const header = { id: "unique id", parent: /^parent( id)?$/, name: "name" }

/**
 * Reads the IAB's tab-separated taxonomies, Content 2.x and 3.x and others of this shape: a line above the header, a
 * header with Unique ID, Parent and Name, and one line per topic. The tree follows the ids. The tiers repeat it, but
 * contradict it in some published versions. A topic without a parent, or that is its own parent, is of level 1. There
 * are no supports, so leaves count.
 */
export async function loadIab(
  input: InputFile,
  { table, repairs }: { table: TopicTable; repairs: Repairs | undefined },
  context: RunContext,
): Promise<void> {
  const rows = await readRows(input, repairs, context)
  for (const [id, row] of rows) {
    const topic = table.define(pathOf(rows, id), row.place)
    table.addText(topic, row.name)
  }
}

async function readRows(
  input: InputFile,
  repairs: Repairs | undefined,
  context: RunContext,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  let columns: { id: number; parent: number; name: number } | undefined
  for await (const { text, line } of linesOf(input, { repairs }, context)) {
    const place = { file: input.path, line }
    const fields = text.split("\t").map((field) => field.trim())
    if (columns === undefined) {
      columns = columnsOf(fields)
      if (columns === undefined && line >= headerWithin)
        throw brokenAt(place, "no header with Unique ID, Parent and Name before this line.")
      continue
    }
    if (fields.every((field) => field === "")) continue
    if (fields.length <= Math.max(columns.id, columns.parent, columns.name))
      throw brokenAt(place, `${fields.length} columns, fewer than the header has.`)
    const [id, parent, name] = [fields[columns.id], fields[columns.parent], fields[columns.name]]
    if (id === "" || name === "") throw brokenAt(place, "a topic without id or without name.")
    const other = rows.get(id)
    if (other !== undefined) throw brokenAt(place, `the id ${quoted(id)} was used before, in line ${other.place.line}.`)
    rows.set(id, { parent: parent === id ? "" : parent, name, place })
  }
  if (columns === undefined) throw brokenAt({ file: input.path, line: 1 }, "no header with Unique ID, Parent and Name.")
  return rows
}

function columnsOf(fields: readonly string[]): { id: number; parent: number; name: number } | undefined {
  const names = fields.map((field) => field.toLowerCase())
  const columns = {
    id: names.indexOf(header.id),
    parent: names.findIndex((name) => header.parent.test(name)),
    name: names.indexOf(header.name),
  }
  return Object.values(columns).every((column) => column >= 0) ? columns : undefined
}

/** Climbs to a topic with a known path, or to level 1, then sets the paths of all topics on the way. */
function pathOf(rows: ReadonlyMap<string, Row>, id: string): string {
  const climbed: Row[] = []
  const seen = new Set<Row>()
  let above = ""
  for (let row = rows.get(id); row !== undefined; row = rows.get(row.parent)) {
    if (row.path !== undefined) {
      above = row.path
      break
    }
    if (seen.has(row)) throw brokenAt(row.place, `a cycle: the topic ${quoted(row.name)} is below itself.`)
    seen.add(row)
    climbed.push(row)
    if (row.parent !== "" && !rows.has(row.parent))
      throw brokenAt(row.place, `the parent ${quoted(row.parent)} is not an id of the file.`)
  }
  if (climbed.length > maxDepth) throw brokenAt(climbed[0].place, `the topic is below ${maxDepth} or more others.`)
  for (const row of climbed.reverse()) {
    above = above === "" ? escapeName(row.name) : `${above}/${escapeName(row.name)}`
    row.path = above
  }
  return above
}
