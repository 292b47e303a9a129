import { setTimeout as wait } from "node:timers/promises"
import type { Cluster } from "../../servers/kafka-cluster.ts"
import type { Findings } from "../findings.ts"
import type { Random } from "../random.ts"
import type { Crew, Role, Worker } from "./crew.ts"

/** Each kind as often as it occurs among nine faults. */
const deck = [
  ...["kill worker", "kill worker", "pause worker", "pause worker", "kill broker", "kill broker"],
  ...["fill disk", "join", "leave"],
] as const
export type FaultKind = (typeof deck)[number]

/** The workers that a group has at least. */
export const leastWorkers: Record<Role, number> = { classify: 2, swap: 3 }
const mostExtra = 2

export interface Scene {
  cluster: Cluster
  crew: Crew
  random: Random
  findings: Findings
  /** Milliseconds after which the group gives the partitions of a silent worker to others. */
  sessionTimeout: number
}

/** Kinds of faults, in an order that depends on the seed. Nine in a row have every kind. */
export function drawFaults(count: number, random: Random): FaultKind[] {
  const drawn: FaultKind[] = []
  while (drawn.length < count) {
    const rest: FaultKind[] = [...deck]
    while (rest.length > 0) drawn.push(...rest.splice(random.below(rest.length), 1))
  }
  return drawn.slice(0, count)
}

/** Makes one fault and mends it. At most one broker is down at a time. */
export async function makeFault(kind: FaultKind, scene: Scene): Promise<void> {
  const { crew, random } = scene
  if (kind === "kill broker" || kind === "fill disk") return failBroker(kind, scene)
  const role = random.pick<Role>(["swap", "swap", "classify"])
  if (kind === "join" || kind === "leave") return changeCrew(kind, role, scene)
  const worker = pickWorker(role, scene)
  if (worker === undefined) return
  if (kind === "kill worker") {
    await crew.kill(worker)
    await wait(random.below(4000))
    crew.start(role)
    return
  }
  worker.life.child.kill("SIGSTOP")
  await wait(scene.sessionTimeout + 1000 + random.below(4000))
  worker.life.child.kill("SIGCONT")
}

async function changeCrew(kind: "join" | "leave", role: Role, { crew, random, findings, ...rest }: Scene) {
  if (kind === "join" && crew.of(role).length < leastWorkers[role] + mostExtra) {
    crew.start(role)
    return
  }
  const worker = pickWorker(role, { crew, random, findings, ...rest })
  if (worker === undefined) return
  await crew.dismiss(worker)
  if (crew.of(role).length < leastWorkers[role]) crew.start(role)
}

async function failBroker(kind: "kill broker" | "fill disk", { cluster, random, findings }: Scene): Promise<void> {
  const broker = cluster.brokers[random.below(cluster.brokers.length)]
  if (broker === undefined) return
  if (kind === "fill disk" && !(await broker.fillDisk()))
    findings.add("a broker did not end on a full disk", `broker ${broker.id}`)
  await broker.kill()
  await wait(random.below(5000))
  await broker.start()
  // It gets its partitions back before another broker may fail.
  await wait(4000)
}

function pickWorker(role: Role, { crew, random }: Scene): Worker | undefined {
  const workers = crew.of(role)
  return workers[random.below(workers.length)]
}
