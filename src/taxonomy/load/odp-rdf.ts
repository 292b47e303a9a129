import type { RunContext } from "../../kernels/context.ts"
import type { InputFile } from "../../log/inputs.ts"
import { brokenAt, type FilePosition, quoted } from "./file-position.ts"
import type { Repairs } from "./repairs.ts"
import { textBlocks } from "./text-blocks.ts"
import { faultOf, type TopicTable } from "./topic-table.ts"
import { type XmlHandler, XmlReader } from "./xml-reader.ts"

/** Maximum bytes of a topic's text: its title and description, then as many of its pages' as fit. */
export const odpTextLimit = 2048
/** Maximum characters of one title, description or topic. The rest is cut. */
const longestText = 1 << 16

interface Options {
  table: TopicTable
  repairs: Repairs | undefined
}

/** The element that is being read: a Topic or an ExternalPage, with the text of its children. */
interface Entry {
  kind: "Topic" | "ExternalPage"
  id: string
  place: FilePosition
  fields: Map<string, string>
}

/** `id` of `r:id`: dumps write the same names with different prefixes. */
const localName = (name: string) => name.slice(name.indexOf(":") + 1)

/**
 * Reads a dump of the Open Directory Project or of Curlie, `structure.rdf.u8` or `content.rdf.u8`. A Topic defines the
 * topic of its id; `Top` is the root. The tree follows the ids. An ExternalPage adds one to the support of its topic.
 * Titles and descriptions are the text; those of each page are also indexed. Links (symbolic, related, altlang, …) are
 * ignored. So is narrow, unless it leads up: that is a cycle, and an error.
 */
export async function loadOdp(input: InputFile, options: Options, context: RunContext): Promise<void> {
  const reader = new XmlReader(odpHandler(input.path, options))
  for await (const { text } of textBlocks(input, { repairs: options.repairs }, context)) reader.push(text)
  reader.end()
}

function odpHandler(file: string, options: Options): XmlHandler {
  let entry: Entry | undefined
  let depth = 0
  let field: string | undefined
  return {
    open: (name, attributes, line) => {
      depth++
      const element = localName(name)
      if (depth === 2 && (element === "Topic" || element === "ExternalPage")) {
        const id = [...attributes].find(([key]) => localName(key) === "id")?.[1]
        if (element === "Topic" && id === undefined) throw brokenAt({ file, line }, "a Topic without r:id.")
        entry = { kind: element, id: id ?? "", place: { file, line }, fields: new Map() }
      } else if (depth === 3 && entry !== undefined) {
        field = ["Title", "Description", "topic"].includes(element) ? element : undefined
        if (entry.kind === "Topic" && /^narrow\d*$/.test(element)) {
          const link = [...attributes].find(([key]) => localName(key) === "resource")?.[1]
          refuseCycle(entry, link, { file, line })
        }
      } else field = undefined
    },
    text: (text) => {
      if (field === undefined || entry === undefined) return
      const held = entry.fields.get(field) ?? ""
      entry.fields.set(field, held + text.slice(0, longestText - held.length))
    },
    close: () => {
      depth--
      if (depth === 2) field = undefined
      if (depth !== 1 || entry === undefined) return
      if (entry.kind === "Topic") addTopic(entry, options)
      else addPage(entry, options)
      entry = undefined
    },
    fail: (line, what) => {
      throw brokenAt({ file, line }, what)
    },
  }
}

/** `Top/Arts/Music` is the path `Arts/Music`. */
function pathOf(id: string): string {
  if (id === "Top") return ""
  return id.startsWith("Top/") ? id.slice(4) : id
}

function addTopic({ id, place, fields }: Entry, { table, repairs }: Options): void {
  const path = pathOf(id)
  if (repairs !== undefined && faultOf(path) !== undefined) {
    repairs.skipped++
    return
  }
  const topic = table.define(path, place)
  for (const name of ["Title", "Description"]) table.addText(topic, plainText(fields.get(name)))
}

function addPage({ place, fields }: Entry, { table, repairs }: Options): void {
  const id = fields.get("topic")?.trim() ?? ""
  const path = pathOf(id)
  if (id === "" || faultOf(path) !== undefined) {
    if (repairs === undefined)
      throw brokenAt(place, "an ExternalPage without topic, or with a topic that is not a path.")
    repairs.skipped++
    return
  }
  const topic = table.mention(path, place)
  const texts = ["Title", "Description"].map((name) => plainText(fields.get(name)))
  table.addPage(topic, texts.join(" "))
  for (const text of texts) table.addText(topic, text)
}

function refuseCycle({ id }: Entry, link: string | undefined, place: FilePosition): void {
  if (link !== undefined && (link === id || id.startsWith(`${link}/`)))
    throw brokenAt(place, `a cycle: the topic ${quoted(id)} has ${quoted(link)} below it.`)
}

/** Descriptions contain escaped tags. */
function plainText(text: string | undefined): string {
  return text === undefined ? "" : text.replace(/<[^<>]{0,200}>/g, " ")
}
