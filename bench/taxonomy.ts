import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { createContext } from "#dist/kernels/context.js"
import { importTaxonomy } from "#dist/taxonomy/load/import-taxonomy.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"
import { encodeTaxonomy } from "#dist/taxonomy/taxonomy-file.js"
import { taxonomyTsv } from "#dist/taxonomy/taxonomy-tsv.js"
import { type Bench, type Finding, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder } from "./data.ts"

const folder = join(benchFolder, "taxonomy")
const cache = join(folder, "cache")
const tsv = join(folder, "wordnet.tsv")
const file = join(folder, "wordnet.taxonomy")
const dump = join(folder, "content.rdf.u8")
const topics = 200_000
const pages = 1_000_000

/** Opens a taxonomy and finds one topic, since the first look-up builds the table of names. */
async function openAndFind(choice: string, options: { cache?: string } = {}): Promise<Finding> {
  const { seconds, value } = await timed(async () => {
    const taxonomy = await openTaxonomy(choice, options, createContext())
    if (taxonomy.find("food/foodstuff") < 0) throw new Error("food/foodstuff is not found")
    return taxonomy
  })
  return { count: value.size, seconds }
}

/** The obvious first version: split every line, an object for each topic, a Map of paths. */
async function readPlainly(): Promise<Finding> {
  interface Node {
    support: number
    text: string
    children: Node[]
  }
  const { seconds, value } = await timed(async () => {
    const nodes = new Map<string, Node>([["", { support: 0, text: "", children: [] }]])
    const rows = (await readFile(tsv, "utf8")).split("\n").slice(1)
    for (const row of rows) {
      const [path, support, text = ""] = row.split("\t")
      if (path === undefined || path === "") continue
      const node: Node = { support: Number(support), text, children: [] }
      nodes.set(path, node)
      nodes.get(path.slice(0, Math.max(0, path.lastIndexOf("/"))))?.children.push(node)
    }
    const addUp = (node: Node): number => {
      for (const child of node.children) node.support += addUp(child)
      return node.support
    }
    for (const node of nodes.values()) if (node.children.length === 0 && node.support < 0) throw new Error("support")
    addUp(nodes.get("") ?? { support: 0, text: "", children: [] })
    return nodes.size
  })
  return { count: value, seconds }
}

async function importFile(path: string): Promise<Finding> {
  const { seconds, value } = await timed(() => importTaxonomy([path], {}, createContext()))
  return { count: value.format === "odp" ? topics + pages : value.columns.parent.length, seconds }
}

const describeSite = (topic: number) =>
  `What can be found about topic ${topic} on this site, in one or two lines as editors write them.`

/** A synthetic dump of topics on six levels, with five pages per topic. */
function* dumpParts(): Generator<string> {
  const idOf = (topic: number): string => (topic === 0 ? "Top" : `${idOf(Math.floor((topic - 1) / 12))}/Topic_${topic}`)
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="r" xmlns:d="d">\n'
  for (let topic = 0; topic < topics; topic++) {
    const id = idOf(topic)
    yield `<Topic r:id="${id}">\n  <catid>${topic}</catid>\n  <d:Title>Topic ${topic}</d:Title>\n</Topic>\n`
    for (let page = 0; page < pages / topics; page++)
      yield [
        `<ExternalPage about="http://site${page}.example/">`,
        `  <d:Title>Site ${page} &amp; more</d:Title>`,
        `  <d:Description>${describeSite(topic)}</d:Description>`,
        `  <topic>${id}</topic>`,
        "</ExternalPage>\n",
      ].join("\n")
  }
  yield "</RDF>\n"
}

async function prepare(): Promise<void> {
  await mkdir(folder, { recursive: true })
  const taxonomy: Taxonomy = await openTaxonomy("wordnet", { cache }, createContext())
  await writeFile(tsv, [...taxonomyTsv(taxonomy)].join("\n"))
  const { columns } = await importTaxonomy([tsv], {}, createContext())
  await writeFile(file, Buffer.concat(encodeTaxonomy(columns)))
  await pipeline(Readable.from(dumpParts()), createWriteStream(dump))
  await pipeline(createReadStream(dump), createGzip({ level: 1 }), createWriteStream(`${dump}.gz`))
}

export const taxonomy: Bench = {
  name: "taxonomy",
  prepare,
  cases: [
    { name: "WordNet cold", run: () => openAndFind("wordnet") },
    { name: "WordNet warm", run: () => openAndFind("wordnet", { cache }) },
    { name: "taxonomy file", run: () => openAndFind(file) },
    { name: "import TSV", run: () => importFile(tsv) },
    { name: "split and Map", run: readPlainly },
    { name: "import ODP", run: () => importFile(dump) },
    { name: "import ODP gzip", run: () => importFile(`${dump}.gz`) },
  ],
  targets: [
    secondsAtMost("WordNet cold", 1),
    secondsAtMost("WordNet warm", 0.5),
    ratioAtLeast("taxonomy file", "split and Map", 2),
  ],
}
