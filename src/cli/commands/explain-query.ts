import { Command } from "commander"
import { affinityGraphOptions, type Explained, explainAffinity, explainOptions } from "../../app/explain-affinity.ts"
import { pickOptions } from "../../app/options.ts"
import { tableOf } from "../../kernels/table.ts"
import type { QueryExplanation } from "../../methods/affinity/explain-query.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import { textTable } from "../print.ts"

/** `explain METHOD LOG QUERY`: for the owner of a log, why a method treats a query as it does. */
export function explainCommand(): Command {
  return new Command("explain")
    .description("explain why a query is released or not (private)")
    .addCommand(affinityCommand())
}

function affinityCommand(): Command {
  return defineCommand({
    name: "affinity",
    summary: "show a query's concepts, the queries affine to it, and its degree",
    argument: [
      { syntax: "<log>", description: "search log: a file, a glob, or - for the standard input" },
      { syntax: "<query>", description: "a query of the log" },
    ],
    flags: explainOptions,
    async run(session, flags, [path = "", text = ""]) {
      const graph = await readFileFlags(affinityGraphOptions, pickOptions(affinityGraphOptions, flags))
      const options = { ...pickOptions(explainOptions, flags), ...graph }
      const found = await explainAffinity(path, text, options, session.context)
      session.answer("explain-affinity", found)
      session.say(explanationText(found))
      if (found.svg !== undefined) session.say(`\n${found.svg} (private: it shows queries of the log)`)
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

function explanationText(found: Explained): string {
  const { k, state, users, degree, bound, concepts, neighbours, graph, identifiers, affine } = found
  const { theta } = found.parameters
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
  const rows = neighbours.map((one) => [one.query, one.cosine.toFixed(3), one.users, one.degree])
  const more = affine > neighbours.length ? `, of which ${neighbours.length} are shown` : ""
  parts.push(`Affine queries: ${affine}${more}`)
  if (rows.length > 0) parts.push(textTable(tableOf(["query", "cosine", "users", "degree"], rows)))
  const whole = graph.closed ? "and nothing else is connected with them" : "and there are more"
  parts.push(
    `Around it: ${graph.queries} queries, itself included, with ${graph.vectors} different sets of concepts, ${whole}; ${graph.inCore} of them in its core.`,
  )
  return parts.join("\n\n")
}
