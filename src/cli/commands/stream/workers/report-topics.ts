import { tableOf } from "../../../../kernels/table.ts"
import type { WorkerPlan } from "../../../../stream/workers/worker-plan.ts"
import { textTable } from "../../../print.ts"
import type { Session } from "../../../session.ts"

/** Reports which topics there are, and how categories are shared. */
export function reportTopics(
  session: Session,
  options: { group: string; plan: WorkerPlan; largest: number | null; topics: { topic: string; isNew: boolean }[] },
): void {
  const { group, plan, largest, topics } = options
  const answer = {
    group,
    plan: plan.epoch,
    partitions: plan.partitions,
    categories: plan.table.length,
    largest,
    topics,
  }
  const rows = topics.map(({ topic, isNew }) => [topic, isNew ? "created" : "was there"])
  session.conclude("stream-topics", answer, { text: textTable(tableOf(["topic", ""], rows)), toStdout: true })
}
