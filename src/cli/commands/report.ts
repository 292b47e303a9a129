import { Command, Option } from "commander"
import { attack } from "../../attacks/registry.ts"
import { measure } from "../../measures/registry.ts"
import { writeFileWhole } from "../../release/output.ts"
import { readRelease } from "../../release/read-release.ts"
import { readTruth } from "../../release/truth.ts"
import { reportPage } from "../../study/report-page.ts"
import { overall, verify } from "../../verify/registry.ts"
import { addReadFlags, finish } from "../session.ts"

/** `report DIR [--against LOG]`: verify, attack and measure on one page. */
export function reportCommand(): Command {
  const command = new Command("report")
    .description("verify, attack and measure a release, as one HTML page that can be signed")
    .argument("<release>", "folder that anonymize wrote")
    .addOption(new Option("--against <log...>", "the original log; without it most checks cannot be made"))
    .addOption(new Option("--truth <dir>", "what was planted in a made-up log (secrets.tsv)"))
    .addOption(new Option("-o, --output <file>", "the page (default: DIR.report.html, beside the release)"))
  addReadFlags(command)
  return finish(command, async (session, [folder = ""]) => {
    const { context } = session
    const release = await readRelease(folder)
    const against = session.list("against")
    const log = against === undefined ? undefined : (await session.readLog(against)).log
    const truthFolder = session.flag("truth")
    const truth = truthFolder === undefined ? {} : { truth: await readTruth(truthFolder) }
    const checks = await verify({ release, ...(log === undefined ? {} : { log }) }, context)
    const subject = log === undefined ? undefined : { release, log, ...truth }
    const content = {
      folder,
      manifest: release.manifest,
      checks,
      attacks: subject === undefined ? [] : await attack(subject, {}, context),
      measures: subject === undefined ? [] : await measure(subject, {}, context),
      against: subject !== undefined,
      created: new Date(context.now()),
    }
    const page = session.flag("output") ?? `${folder.replace(/\/+$/, "")}.report.html`
    await writeFileWhole(page, reportPage(content), { mode: 0o600 })
    const state = overall(checks)
    session.answer({ folder, page, state, checks, attacks: content.attacks, measures: content.measures })
    session.say(`${page} (private: it describes the log)\nChecks: ${state}`)
    return state === "fails" ? 1 : state === "unchecked" ? 3 : 0
  })
}
