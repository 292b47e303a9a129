import { Command, Option } from "commander"
import { attacks } from "../../attacks/registry.ts"
import { measures } from "../../measures/registry.ts"
import type { Parameters } from "../../release/anonymize.ts"
import type { Probe } from "../../release/probe.ts"
import { readRelease } from "../../release/read-release.ts"
import { runProbes, selectProbes } from "../../release/run-probes.ts"
import { readTruth } from "../../release/truth.ts"
import { scoresTable } from "../../study/report-page.ts"
import { addFlags } from "../flags.ts"
import { onlyOption, parseOnly } from "../only.ts"
import { textTable } from "../print.ts"
import { addReadFlags, finish } from "../session.ts"

/** `attack DIR --against LOG` */
export function attackCommand(): Command {
  return probeCommand("attack", "try to undo a release, scored with the original", attacks)
}

/** `measure DIR --against LOG` */
export function measureCommand(): Command {
  return probeCommand("measure", "say what a release is still worth, compared with the original", measures)
}

function probeCommand(name: string, description: string, probes: readonly Probe[]): Command {
  const list = probes.map((probe) => `  ${probe.name.padEnd(16)}${probe.summary}`).join("\n")
  const command = new Command(name)
    .description(description)
    .argument("<release>", "folder that anonymize wrote")
    .addOption(new Option("--against <log...>", "the original log"))
    .addOption(new Option("--truth <dir>", "what was planted in a made-up log (secrets.tsv)"))
    .addOption(onlyOption())
    .addHelpText("after", `\nKnown here:\n${list}`)
  const schemas = new Map(
    probes.flatMap((probe) => Object.keys(probe.options.properties).map((key) => [key, probe.options])),
  )
  for (const schema of new Set(schemas.values())) addFlags(command, schema)
  addReadFlags(command)
  return finish(command, async (session, [folder = ""]) => {
    const selected = selectProbes(probes, parseOnly(session.flag("only")))
    const release = await readRelease(folder)
    const truthFolder = session.flag("truth")
    const truth = truthFolder === undefined ? {} : { truth: await readTruth(truthFolder) }
    const { log } = await session.readLog(session.list("against") ?? [session.required("against")])
    const values: Parameters = Object.assign({}, ...probes.map((probe) => session.values(probe.options)))
    const outcomes = await runProbes(selected, { release, log, ...truth }, { values }, session.context)
    session.answer({ folder, outcomes })
    const scores = outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
    const skipped = outcomes.flatMap((outcome) =>
      "skipped" in outcome ? [`${outcome.probe}: not applicable, ${outcome.skipped}`] : [],
    )
    session.say([...(scores.length > 0 ? [textTable(scoresTable(scores))] : []), ...skipped].join("\n"))
    return scores.length === 0 ? 3 : 0
  })
}
