import { tableOf } from "../../../kernels/table.ts"
import type { LiveStream } from "../../../stream/live/live-stream.ts"
import type { PromiseState } from "../../../stream/live/state-promise.ts"
import { textTable } from "../../print.ts"
import type { Session } from "../../session.ts"

/** Reports what happened to all records, over all runs of the store. Uses stderr if the releases go to stdout. */
export function reportRun(stream: LiveStream, session: Session, { toStdout }: { toStdout: boolean }): void {
  const figures = stream.figures()
  const { k, depth, mode, users, promised, reasons, lines, taken, released, waiting, cells, rejected, withheld, late } =
    figures
  const { records, seconds } = figures.delayOfRun
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
    delay: figures.delayOfRun,
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
  const delays = [
    ["records that came meanwhile", ...[records.mean, records.p50, records.p99].map(Math.round)],
    ["seconds by this machine's clock", ...[seconds.mean, seconds.p50, seconds.p99].map((value) => value.toFixed(2))],
  ]
  const table = textTable(tableOf(["", "records"], rows))
  const waits = textTable(tableOf(["delay of the releases of this run", "mean", "median", "99 %"], delays))
  const text = `${table}\n\n${waits}\n\n${promiseText({ promised, reasons })}`
  session.conclude("stream-run", summary, { text, toStdout })
}

/** States whether something is promised, and why. */
export function promiseText({ promised, reasons }: PromiseState): string {
  return `${promised ? "promised" : "nothing is promised"}: ${reasons.join(" ")}`
}
