import { writeFileWhole } from "../../../files/write-file.ts"
import type { RunContext } from "../../../kernels/context.ts"
import { describeReading } from "../../../log/formats/reading.ts"
import { measureSpan } from "../../../log/statistics.ts"
import { fingerprintOf } from "../../../release/budget-ledger.ts"
import { logStamp, type ProjectView, readProjectLog } from "./project-view.ts"

/** Reads the whole log into the project's cache, and keeps what the first screen says about it. */
export async function readLogJob(view: ProjectView, _options: object, context: RunContext): Promise<object> {
  const { log, intake } = await readProjectLog(view, context)
  const read = {
    stamp: logStamp(view),
    at: new Date(context.now()).toISOString(),
    rows: log.rows,
    events: log.events,
    users: log.users.size,
    queries: log.queries.size,
    urls: log.urls.size,
    rejected: Object.values(intake.rejected).reduce((sum, many) => sum + many, 0),
    span: measureSpan(log),
    readings: intake.read.map((reading) => describeReading(reading, intake.unit)),
    warnings: intake.warnings,
    doubts: intake.doubts,
    unit: intake.unit,
    fingerprint: fingerprintOf(intake),
  }
  await writeFileWhole(view.paths.read, `${JSON.stringify(read, null, 2)}\n`, { mode: 0o600 })
  return {}
}
