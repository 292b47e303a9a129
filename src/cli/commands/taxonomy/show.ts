import { Type } from "#typebox"
import { QueryveilError } from "../../../kernels/error.ts"
import { nearPaths } from "../../../taxonomy/near-paths.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { childrenOf, type Taxonomy } from "../../../taxonomy/taxonomy.ts"
import { taxonomyTsv } from "../../../taxonomy/taxonomy-tsv.ts"
import { commonFlags } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { taxonomyFlags } from "./flags.ts"

/** A topic and the topics below it, down to the requested depth. */
interface Topic {
  path: string
  name: string
  depth: number
  support: number
  own: number
  /** The number of topics below it. */
  below: number
  children?: Topic[]
}

const shownText = 300

/** `taxonomy show [PATH] [--depth N] [--tsv]` */
export function showCommand() {
  return defineCommand({
    name: "show",
    summary: "show a topic: its support, its text and the topics below it",
    argument: { syntax: "[path]", description: "a topic such as animal/chordate; none for the root" },
    flags: Type.Object({
      ...taxonomyFlags.properties,
      depth: Type.Integer({
        minimum: 0,
        maximum: 255,
        default: 1,
        description: "show this many levels below the topic",
      }),
      json: commonFlags.properties.json,
      tsv: Type.Boolean({ description: "print the whole subtree as taxonomy TSV: path, own support, text" }),
    }),
    async run(session, { taxonomy: choice, cache, depth, tsv, json }, [path = ""]) {
      const taxonomy = await openTaxonomy(choice, cache === undefined ? {} : { cache }, session.context)
      const id = findTopic(taxonomy, path)
      if (tsv) {
        if (json) throw new QueryveilError("usage", "--tsv and --json exclude each other.", { flag: "--tsv" })
        await printLines(taxonomyTsv(taxonomy, { root: id, ...(depth === undefined ? {} : { levels: depth }) }))
        return 0
      }
      const topic = describe(taxonomy, id, depth ?? 1)
      const text = taxonomy.text(id)
      session.answer("taxonomy-show", { ...topic, text })
      session.say(explain(topic, text).join("\n"))
      return 0
    },
  })
}

function findTopic(taxonomy: Taxonomy, path: string): number {
  const id = taxonomy.find(path)
  if (id >= 0) return id
  const near = nearPaths(taxonomy, path)
  const hint = near.length === 0 ? "Start at the root: queryveil taxonomy show" : `Near it: ${near.join(", ")}.`
  throw new QueryveilError("unknown-name", `There is no topic ${path}. ${hint}`)
}

function describe(taxonomy: Taxonomy, id: number, levels: number): Topic {
  const topic: Topic = {
    path: taxonomy.path(id),
    name: taxonomy.name(id),
    depth: taxonomy.depth[id] ?? 0,
    support: taxonomy.support[id] ?? 0,
    own: taxonomy.own[id] ?? 0,
    below: (taxonomy.end[id] ?? 0) - id - 1,
  }
  if (levels === 0) return topic
  return { ...topic, children: [...childrenOf(taxonomy, id)].map((child) => describe(taxonomy, child, levels - 1)) }
}

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 2 })

function explain(topic: Topic, text: string): string[] {
  const short = text.length > shownText ? `${text.slice(0, shownText).trimEnd()}…` : text
  const rows = [...listed(topic.children ?? [], "  ")]
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const wide = Math.max(0, ...rows.map(({ support }) => support.length))
  return [
    topic.path === "" ? "(root)" : topic.path,
    ...(short === "" ? [] : [short]),
    `level ${topic.depth}, support ${number(topic.support)} (own ${number(topic.own)}), ` +
      `${number(topic.below)} topics below`,
    ...rows.map(({ name, support, below }) => `${name.padEnd(width)}  ${support.padStart(wide)}  ${below}`.trimEnd()),
  ]
}

function* listed(
  topics: readonly Topic[],
  indent: string,
): Generator<{ name: string; support: string; below: string }> {
  for (const { name, support, below, children } of topics) {
    yield {
      name: `${indent}${name}`,
      support: number(support),
      below: below === 0 ? "" : `${number(below)} below`,
    }
    yield* listed(children ?? [], `${indent}  `)
  }
}

/** Prints lines. Waits for a slow reader, so that a large tree is not held as one text. */
async function printLines(lines: Iterable<string>): Promise<void> {
  let block = ""
  for (const line of lines) {
    block += `${line}\n`
    if (block.length < 1 << 16) continue
    if (!process.stdout.write(block)) await new Promise((resolve) => process.stdout.once("drain", resolve))
    block = ""
  }
  process.stdout.write(block)
}
