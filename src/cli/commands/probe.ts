import type { Command } from "commander"
import { type TObject, Type } from "#typebox"
import { pickOptions } from "../../app/options.ts"
import { attackOptions, measureOptions, type Probed, probeRelease } from "../../app/probe-release.ts"
import { attacks } from "../../attacks/registry.ts"
import { tableOf } from "../../kernels/table.ts"
import { measures } from "../../measures/registry.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import { type ProbeOutcome, scoresOf, selectProbes } from "../../probes/run-probes.ts"
import { mainMeasures } from "../../study/report/main-measures.ts"
import { scoresTable } from "../../study/report/scores-table.ts"
import { releaseArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { required } from "../flags.ts"
import { textTable } from "../print.ts"

/** `attack DIR --against LOG` */
export function attackCommand(): Command {
  const summary = "try to undo a release, and score the attempts with the original"
  return probeCommand(summary, { name: "attack", probes: attacks, schema: attackOptions })
}

/** `measure DIR --against LOG` */
export function measureCommand(): Command {
  const summary = "measure how useful a release still is, compared with the original"
  return probeCommand(summary, { name: "measure", probes: measures, schema: measureOptions })
}

interface ProbeKind {
  name: "attack" | "measure"
  probes: readonly AnyProbe[]
  schema: TObject
}

function probeCommand(summary: string, kind: ProbeKind): Command {
  const { name, probes, schema } = kind
  const rows = probes.map(({ name, looksAt = "rows", summary }) => [`  ${name}`, looksAt, summary])
  const list = textTable(tableOf(["  name", "of", "what it scores"], rows))
  const own: TObject = Type.Object(Object.assign({}, ...probes.map((probe) => probe.options.properties)))
  return defineCommand({
    name,
    summary,
    argument: releaseArgument,
    exits: { 3: "nothing could be scored" },
    flags: Type.Object({ ...own.properties, ...schema.properties, all: allFlag }),
    help: `What this command can run, and on which releases (of rows, of tables, or any):\n${list}`,
    async run(session, flags: { only?: string[]; against?: string[]; all?: boolean }, [folder = ""]) {
      selectProbes(probes, flags.only)
      required(flags.against, "against")
      const options = { ...pickOptions(schema, flags), values: pickOptions(own, flags) }
      const answer = await probeRelease(kind, folder, options, session.context)
      session.answer(name, answer)
      session.say((flags.all ? sayAll(answer.outcomes) : sayMain(answer)).join("\n"))
      return scoresOf(answer.outcomes).length === 0 ? 3 : 0
    },
  })
}

const allFlag = Type.Boolean({
  default: false,
  description: "print every score, and why an attack or measure does not apply",
})

/** Every score, and every skipped probe with the reason. */
function sayAll(outcomes: readonly ProbeOutcome[]): string[] {
  const scores = scoresOf(outcomes)
  const skipped = outcomes.flatMap((outcome) =>
    "skipped" in outcome ? [`${outcome.probe}: not applicable, ${outcome.skipped}`] : [],
  )
  return [...(scores.length > 0 ? [textTable(scoresTable(scores))] : []), ...skipped]
}

/**
 * The most important sentences, the worst first, and how many more scores there are. If no score has a sentence,
 * everything.
 */
function sayMain({ outcomes, verdicts }: Probed): string[] {
  const scores = scoresOf(outcomes).length
  const measured = mainMeasures(outcomes)
  const verdict = verdicts?.attacks
  if (scores === 0 || (verdict === undefined && measured.length === 0)) return sayAll(outcomes)
  const rest = `--all prints all ${scores} scores.`
  if (verdict === undefined) return [...measured, rest]
  return [`Attacks: ${verdict.state}. ${verdict.sentence}`, ...verdict.meanings, ...verdict.caveats, rest]
}
