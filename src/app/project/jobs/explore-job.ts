import { join } from "node:path"
import { Value } from "#typebox"
import { makePrivateFolder } from "../../../files/private-folder.ts"
import { writeFileWhole } from "../../../files/write-file.ts"
import { type RunContext, stopIfCancelled } from "../../../kernels/context.ts"
import { seededRandom } from "../../../kernels/random.ts"
import { sampleUsers } from "../../../log/sample-users.ts"
import { frontierStudy } from "../../../study/frontier/frontier-study.ts"
import { computeStudy } from "../../../study/run-study.ts"
import { withStudyFolder } from "../../../study/study-folder.ts"
import { fingerprintInput } from "../../fingerprint-input.ts"
import { logStamp, type ProjectView, readProjectLog } from "./project-view.ts"

/** Rows of the sample, as whole users. */
const sampleRows = 250_000
const seed = 1

/** Whether to look at a sample or at the whole log, and one point instead of the coarse grid. */
export interface ExploreOptions {
  of: "sample" | "whole"
  point?: { method: string; parameters: Record<string, string | number | boolean> }
}

/** The folder of the frontier of the present log. Another log or another reading has another folder. */
export const frontierFolder = (view: ProjectView, of: "sample" | "whole"): string =>
  join(view.paths.frontier, `${logStamp(view)}-${of}`)

/** The size of the log that points were computed on, and of the whole log. */
export interface ExploredFile {
  stamp: string
  at: string
  sample: { rows: number; users: number }
  whole: { rows: number; users: number }
}

/** The file that says on which log the points of a frontier are. */
export const exploredFile = (view: ProjectView, of: "sample" | "whole"): string => `${frontierFolder(view, of)}.json`

/** Computes points of the frontier that are not there yet. Points appear in the folder one by one. */
export async function exploreJob(
  view: ProjectView,
  { of, point }: ExploreOptions,
  context: RunContext,
): Promise<object> {
  const grid = point === undefined ? {} : { grid: JSON.stringify({ [point.method]: point.parameters }) }
  const options = Value.Parse(frontierStudy.options, Value.Default(frontierStudy.options, { coarse: true, ...grid }))
  frontierStudy.points(options) // refuses impossible values before the log is read
  await makePrivateFolder(view.paths.frontier)
  return withStudyFolder(frontierFolder(view, of), async (folder) => {
    const whole = await readProjectLog(view, context)
    const log = of === "whole" ? whole.log : sampleUsers(whole.log, { rows: sampleRows }, seededRandom(seed))
    const input = fingerprintInput(whole, log === whole.log ? {} : { sample: sampleRows })
    const run = { study: frontierStudy, options, seed, input, subject: { log, intake: whole.intake } }
    const size = ({ rows, users }: typeof log) => ({ rows, users: users.size })
    const about: ExploredFile = {
      stamp: logStamp(view),
      at: new Date(context.now()).toISOString(),
      sample: size(log),
      whole: size(whole.log),
    }
    await writeFileWhole(exploredFile(view, of), `${JSON.stringify(about)}\n`, { mode: 0o600 })
    const { computed, reused } = await computeStudy(folder, run, context)
    stopIfCancelled(context)
    return { computed, reused }
  })
}
