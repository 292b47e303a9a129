import { tableOf } from "../../../methods/table.ts"
import type { LiveStream } from "../../../stream/live/live-stream.ts"
import type { PromiseState } from "../../../stream/live/state-promise.ts"
import { textTable } from "../../print.ts"
import type { Session } from "../../session.ts"

/** What became of everything, over all runs of the store; on stderr where stdout has the releases. */
export function reportRun(stream: LiveStream, session: Session, { toStdout }: { toStdout: boolean }): void {
  const { k, depth, mode, users, promised, reasons, lines, taken, released, waiting, cells, rejected, withheld, late } =
    stream.figures()
  const { waiting: found, repeated, cut } = stream.resumed
  const summary = {
    k,
    depth,
    mode,
    users,
    promised,
    reasons,
    lines,
    taken,
    released,
    waiting,
    cells,
    rejected,
    withheld,
    late,
    resumed: { waiting: found, repeated, cut },
  }
  const rows: (string | number)[][] = [
    ["lines", lines],
    ...Object.entries(rejected).map(([reason, count]) => [`  rejected: ${reason}`, count]),
    ...Object.entries(withheld).map(([reason, count]) => [`  withheld: ${reason}`, count]),
    ["taken", taken],
    ...(late.records === 0 ? [] : [["  after a search with a later time", late.records]]),
    ["released", released],
    ["still waiting", waiting],
    ["cells", cells],
  ]
  const table = textTable(tableOf(["", "records"], rows))
  session.conclude(summary, `${table}\n${promiseText({ promised, reasons })}`, { toStdout })
}

/** Whether something is promised, and why. */
export function promiseText({ promised, reasons }: PromiseState): string {
  return `${promised ? "promised" : "nothing is promised"}: ${reasons.join(" ")}`
}
