import type { Command } from "commander"
import { Type } from "#typebox"
import { intersection } from "../../attacks/intersection/intersection.ts"
import { attacks } from "../../attacks/registry.ts"
import { measures } from "../../measures/registry.ts"
import { retrieval } from "../../measures/retrieval/retrieval.ts"
import type { AnyProbe, ProbeSubject } from "../../probes/probe.ts"
import { runProbes, scoresOf, selectProbes, usualSeed } from "../../probes/run-probes.ts"
import { withTrecFolder } from "../../probes/write-trec.ts"
import type { Parameters } from "../../release/anonymize.ts"
import { readRelease } from "../../release/read-release.ts"
import { scoresTable } from "../../study/report/scores-table.ts"
import { serviceWarning } from "../../taxonomy/classify/open-classifier.ts"
import { originOf, reserveAnswer, writeAnswer } from "../answers.ts"
import {
  answerFlag,
  labelsFlag,
  onlyFlag,
  otherFlags,
  releaseArgument,
  releaseFlags,
  seedFlag,
  truthFlag,
} from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { type Given, required } from "../flags.ts"
import { textTable } from "../print.ts"

const probeFlags = Type.Object({
  ...releaseFlags.properties,
  truth: truthFlag,
  labels: labelsFlag,
  only: onlyFlag,
  seed: seedFlag,
  output: answerFlag(),
})

const trecFlag = Type.Optional(
  Type.String({
    placeholder: "dir",
    description:
      "folder for the runs and judgements of retrieval in TREC's format (private: it holds queries of the log)",
  }),
)

/** `attack DIR --against LOG` */
export function attackCommand(): Command {
  return probeCommand("attack", "try to undo a release, scored with the original", attacks)
}

/** `measure DIR --against LOG` */
export function measureCommand(): Command {
  return probeCommand("measure", "say what a release is still worth, compared with the original", measures)
}

const usesClassifier = ({ options }: AnyProbe) => "classifier" in options.properties

function probeCommand(name: string, summary: string, probes: readonly AnyProbe[]): Command {
  const width = Math.max(...probes.map((probe) => probe.name.length)) + 2
  const list = probes
    .map(({ name, looksAt = "rows", summary }) => `  ${name.padEnd(width)}${looksAt.padEnd(8)}${summary}`)
    .join("\n")
  const own: AnyProbe["options"]["properties"] = Object.assign({}, ...probes.map((probe) => probe.options.properties))
  return defineCommand({
    name,
    summary,
    argument: releaseArgument,
    flags: Type.Object({
      ...own,
      ...probeFlags.properties,
      ...(probes.includes(retrieval) && { trec: trecFlag }),
      ...(probes.includes(intersection) && otherFlags),
    }),
    help: `Known here, and whether they look at releases of rows, of tables, or any:\n${list}`,
    async run(session, given, [folder = ""]) {
      const flags = given as Given<typeof probeFlags> & { trec?: string; other?: string; otherAudit?: string }
      const { seed = usualSeed } = flags
      const selected = selectProbes(probes, flags.only)
      await reserveAnswer(flags.output, folder)
      const against = required(flags.against, "against")
      const release = await readRelease(folder)
      const planted = await session.readTruth(flags.truth)
      const labels = await session.readLabels(flags.labels)
      const audit = await session.openAudit(flags.audit)
      const other = await session.openOther(flags)
      const original = await session.readOriginal(against, flags, { folder, output: flags.output })
      const { log, intake } = original
      const truth = session.fitTruth(planted, original)
      const values = Object.fromEntries(Object.entries(given).filter(([key]) => key in own)) as Parameters
      const warning = selected.some(usesClassifier) ? serviceWarning(String(values.classifier ?? "")) : undefined
      if (warning !== undefined) session.warn(warning)
      const subject = { release, log, ...truth, ...labels, ...audit, ...other }
      const probe = (trec?: ProbeSubject["trec"]) =>
        runProbes(selected, { ...subject, ...(trec && { trec }) }, { values, seed }, session.context)
      const outcomes = await (flags.trec === undefined ? probe() : withTrecFolder(flags.trec, probe))
      const answer = { folder, ...originOf(release.manifest, { intake, seed }), outcomes }
      await writeAnswer(flags.output, answer)
      session.answer(answer)
      const scores = scoresOf(outcomes)
      const skipped = outcomes.flatMap((outcome) =>
        "skipped" in outcome ? [`${outcome.probe}: not applicable, ${outcome.skipped}`] : [],
      )
      session.say([...(scores.length > 0 ? [textTable(scoresTable(scores))] : []), ...skipped].join("\n"))
      return scores.length === 0 ? 3 : 0
    },
  })
}
