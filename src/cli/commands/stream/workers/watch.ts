import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../../../kernels/error.ts"
import { tableOf } from "../../../../kernels/table.ts"
import { urlOf } from "../../../../stream/address.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { FiguresWatch } from "../../../../stream/workers/figures-topic.ts"
import {
  type ExpectedPartitions,
  type GroupFigures,
  type GroupPartition,
  GroupReports,
} from "../../../../stream/workers/group-figures.ts"
import { PlanWatch } from "../../../../stream/workers/plan-topic.ts"
import { namesOf } from "../../../../stream/workers/worker-plan.ts"
import { defineCommand } from "../../../define-command.ts"
import { textTable } from "../../../print.ts"
import type { Session } from "../../../session.ts"
import { type AdminPlace, adminFlags, adminPlace } from "./admin.ts"
import { groupArgument, parseGroup, speechOf } from "./group.ts"

const paceMilliseconds = 1000
/** Within this time every worker that runs has reported twice. */
const onceMilliseconds = 7000

/** `stream watch GROUP` */
export function watchCommand() {
  return defineCommand({
    name: "watch",
    summary: "show all workers of a group and their partitions, once or on a live page",
    argument: groupArgument,
    flags: adminFlags,
    help: [
      "It reads the group's topics of plans and figures. They contain no searches and no users.",
      "With --admin it serves a live page until it is stopped.",
    ].join("\n"),
    async run(session, given, [group = ""]) {
      const place = parseGroup(group)
      const admin = await adminPlace(given)
      const link = await KafkaLink.open(place, speechOf(session))
      const plans = await PlanWatch.require(link, place.topic)
      const reports = new GroupReports()
      try {
        let inputs = 0
        const figures = () => reports.figures(place.topic, expectedOf(place.topic, plans, inputs), Date.now())
        const watch = await FiguresWatch.open(link, place.topic, (report, at) => reports.take(report, at))
        try {
          const look = async () => {
            await link.asking(plans.look())
            await watch.look()
            inputs = await plans.countInputs(link)
          }
          if (admin === undefined) await lookOnce(session, look)
          else await servePage({ session, admin, figures, look })
        } finally {
          await watch.close()
        }
        const found = figures()
        session.conclude("stream-watch", shownOf(found), { text: describe(found), toStdout: true })
      } finally {
        await plans.close()
      }
      return 0
    },
  })
}

/** The partitions that workers must have under the plan in force. */
function expectedOf(group: string, { current }: PlanWatch, inputs: number): ExpectedPartitions[] {
  const { epoch: plan, partitions } = current
  return [
    { role: "classify", topic: current.input, partitions: inputs },
    { role: "swap", topic: namesOf(group, plan).classified, partitions, plan },
  ]
}

async function lookOnce({ context: { signal } }: Session, look: () => Promise<void>): Promise<void> {
  const until = performance.now() + onceMilliseconds
  while (!signal.aborted && performance.now() < until) {
    await look()
    await wait(100)
  }
}

interface Serving {
  session: Session
  admin: AdminPlace
  figures(): GroupFigures
  look(): Promise<void>
}

async function servePage({ session, admin, figures, look }: Serving): Promise<void> {
  const { openGroupAdmin } = await import("../../../../server/admin/group-admin.ts") // slow to load
  const server = await openGroupAdmin(figures, admin)
  const url = urlOf(server.address)
  session.note(process.stderr.isTTY ? `live page: ${url}/#token=${admin.token}` : `live page: ${url}/`)
  const { signal } = session.context
  try {
    while (!signal.aborted) {
      await look().catch((error) => warnAway(session, error))
      await wait(paceMilliseconds, undefined, { signal }).catch(() => {})
    }
  } finally {
    await server.close()
  }
}

/** The page is of most use while brokers are away: it shows who was silent since. */
function warnAway(session: Session, error: unknown): void {
  if (!(error instanceof QueryveilError && error.code === "kafka-unreachable")) throw error
  session.warn(`${error.message} The page shows what was reported before. Trying again.`)
}

function shownOf({ now: _now, largest: _largest, workers, ...rest }: GroupFigures) {
  return { ...rest, workers: workers.map(({ risk: _risk, ...worker }) => worker) }
}

const stateOf = (worker: string | null, { isMoved, isWorking }: Pick<GroupPartition, "isMoved" | "isWorking">) =>
  worker === null ? "–" : isMoved === true ? "handed over" : isWorking ? "works" : "starts"

function describe({ workers, partitions, perSecond, waiting, released }: GroupFigures): string {
  const short = (worker: string | null) => worker?.slice(0, 8) ?? "nobody"
  const rows = partitions.map(({ role, topic, partition, worker, lag, swap, ...rest }) => [
    ...[role, topic, partition, short(worker), stateOf(worker, rest)],
    ...[lag ?? "–", swap?.waiting ?? "–", rest.transactionSeconds.p99.toFixed(3)],
  ])
  const columns = ["role", "topic", "partition", "worker", "state", "behind", "waiting", "transaction s (p99)"]
  const idle = partitions.filter(({ worker }) => worker === null).length
  const silent = workers.filter(({ isSilent }) => isSilent).length
  return [
    textTable(tableOf(columns, rows)),
    [
      `${workers.length - silent} workers report, ${silent} are silent, ${idle} partitions have no worker.`,
      `In ${Math.round(perSecond.in)}/s, out ${Math.round(perSecond.out)}/s, waiting ${waiting}, released ${released}.`,
    ].join(" "),
  ].join("\n")
}
