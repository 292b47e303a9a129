import type { Project } from "../../project/open-project.ts"
import { readRecord } from "../../project/record-chain.ts"
import { pointsToAccept, type ReportSummary } from "../../study/report/report-summary.ts"
import { logStamp } from "./jobs/project-view.ts"

/**
 * What a signer of a release accepts, point by point: the points of its report, and what changed in the project since
 * the release was drawn.
 */
export async function openPoints(project: Project, name: string, summary: ReportSummary): Promise<string[]> {
  const { paths, settings } = project
  const { entries } = await readRecord(paths.record)
  const drawn = entries.findLast(({ kind, facts }) => kind === "drawn" && facts.release === name)
  const isStale = drawn?.facts.log !== undefined && drawn.facts.log !== logStamp({ paths, settings })
  const { acceptedRisk } = summary.attacks
  const maxRisk = settings.purpose?.maxRisk ?? acceptedRisk
  return [
    ...pointsToAccept(summary),
    ...(isStale ? ["The release was made from earlier settings: the log or its user column was changed since."] : []),
    ...(maxRisk < acceptedRisk
      ? [`The report judges attacks by an accepted risk of ${acceptedRisk}; the project now accepts only ${maxRisk}.`]
      : []),
  ]
}
