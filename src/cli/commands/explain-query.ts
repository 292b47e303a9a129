import { Command } from "commander"
import { Type, Value } from "#typebox"
import { reserveFile } from "../../files/reserve.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { tableOf } from "../../kernels/table.ts"
import { affinity } from "../../methods/affinity/affinity.ts"
import { explainQuery, type QueryExplanation } from "../../methods/affinity/explain-query.ts"
import {
  affinityOptions,
  affinityParameters,
  approximateOptions,
  defaultVmax,
  graphOptions,
} from "../../methods/affinity/options.ts"
import { scrubLog } from "../../release/scrub.ts"
import { refusePrivate } from "../../release/write-release.ts"
import { type IdentifierKind, kindBit, kindsIn, parseKinds } from "../../text/identifiers/kinds.ts"
import { detectKinds } from "../../text/identifiers/registry.ts"
import { scrubOption } from "../../text/identifiers/scrub-option.ts"
import { normaliseQuery } from "../../text/normalise.ts"
import { readFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { drawCores } from "../draw-cores.ts"
import { readFileFlags } from "../file-flags.ts"
import { textTable } from "../print.ts"

const graphFlags = Type.Object({ k: affinityOptions.properties.k, ...graphOptions.properties })
const flags = Type.Object({
  ...graphFlags.properties,
  ...approximateOptions.properties,
  ...scrubOption(affinity.scrub).properties,
  svg: Type.Optional(Type.String({ placeholder: "file", description: "a drawing of the queries around it (private)" })),
  force: Type.Boolean({ default: false, description: "replace a drawing that is already there" }),
  ...readFlags.properties,
})
const shownNeighbours = 50

/** `explain METHOD LOG QUERY`: for the owner of a log, why a method treats a query as it does. */
export function explainCommand(): Command {
  return new Command("explain").description("why a query is released or not (private)").addCommand(explainAffinity())
}

function explainAffinity(): Command {
  return defineCommand({
    name: "affinity",
    summary: "a query's concepts, the queries affine to it, and its degree",
    argument: [
      { syntax: "<log>", description: "search log: a file, a glob, or - for the standard input" },
      { syntax: "<query>", description: "a query of the log" },
    ],
    flags,
    async run(session, given, [path = "", text = ""]) {
      const { svg, force = false, approximate = false, vmax = defaultVmax, scrub = affinity.scrub ?? "none" } = given
      const kinds = parseKinds(scrub)
      if (svg !== undefined) {
        await refusePrivate(svg)
        await reserveFile(svg, { force })
      }
      const chosen = await readFileFlags(graphFlags, Value.Clean(graphFlags, { ...given }) as typeof given)
      const options = Value.Parse(graphFlags, Value.Default(graphFlags, chosen))
      const input = await session.readLog([path], given)
      // As anonymize does it: concepts are those of the log without identifiers; names are left out afterwards.
      const { log } = await scrubLog(input.log, kinds & ~kindBit("person"), session.context)
      const query = log.queries.find(normaliseQuery(text))
      if (query < 0) {
        throw new QueryveilError(
          "unknown-name",
          "The log has no such query. Give a whole query, as it was searched for; capitals and spaces do not matter.",
        )
      }
      const parameters = affinityParameters(options, log)
      const identifiers = kindsIn(detectKinds(log.queries.text(query), kinds))
      const found = await explainQuery(log, query, { ...parameters, approximate, vmax }, session.context)
      if (svg !== undefined) await writeFileWhole(svg, drawCores(found, options), { mode: 0o600, replace: force })
      const neighbours = found.neighbours.slice(0, shownNeighbours)
      session.answer({
        ...found,
        identifiers,
        neighbours,
        affine: found.neighbours.length,
        parameters,
        ...(svg && { svg }),
      })
      session.say(explanationText(found, { ...options, identifiers }))
      if (svg !== undefined) session.say(`\n${svg} (private: it shows queries of the log)`)
      return 0
    },
  })
}

const sentences: Record<QueryExplanation["state"], string> = {
  expanded: "It has concepts: queries that are affine to it protect it too.",
  plain: "It has no concept: only its own users protect it.",
  excluded:
    "It has a concept and a word of too few users: only its own users protect it, and it protects no other query.",
}

interface Told {
  k: number
  theta: number
  /** Kinds of identifiers that are scrubbed and that the query holds. */
  identifiers: readonly IdentifierKind[]
}

function explanationText(found: QueryExplanation, { k, theta, identifiers }: Told): string {
  const { state, users, degree, bound, concepts, neighbours, graph } = found
  const verdict = degree >= k ? "enough" : bound === "lower" ? "not shown to be enough" : "not enough"
  const parts = [
    "Private: this describes the log.",
    `${sentences[state]}\nUsers: ${users}. Degree at θ = ${theta}: ${bound === "lower" ? "at least " : ""}${degree}, ${verdict} for k = ${k}.`,
  ]
  if (identifiers.some((kind) => kind !== "person")) {
    return [...parts.slice(0, 1), `It holds a direct identifier (${identifiers.join(", ")}): it is withheld.`].join(
      "\n\n",
    )
  }
  if (identifiers.includes("person") && users < k) {
    parts.push("It seems to name a person and has fewer than k users of its own: it is withheld, whatever its degree.")
  }
  if (concepts.length > 0) {
    const rows = concepts.map(({ ngram, weight }) => [ngram, weight.toFixed(2)])
    parts.push(`Concepts\n${textTable(tableOf(["concept", "weight"], rows))}`)
  }
  if (state !== "expanded") return parts.join("\n\n")
  const shown = neighbours.slice(0, shownNeighbours)
  const rows = shown.map((one) => [one.query, one.cosine.toFixed(3), one.users, one.degree])
  const more = neighbours.length > shown.length ? `, of which ${shown.length} are shown` : ""
  parts.push(`Affine queries: ${neighbours.length}${more}`)
  if (rows.length > 0) parts.push(textTable(tableOf(["query", "cosine", "users", "degree"], rows)))
  const whole = graph.closed ? "and nothing else is connected with them" : "and there are more"
  parts.push(
    `Around it: ${graph.queries} queries, itself included, with ${graph.vectors} different sets of concepts, ${whole}; ${graph.inCore} of them in its core.`,
  )
  return parts.join("\n\n")
}
