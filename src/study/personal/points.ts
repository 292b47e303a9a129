import type { RunContext } from "../../kernels/context.ts"
import type { Point, PointOutput, StudySubject, TableData } from "../study.ts"
import { measureAttack } from "./attack.ts"
import { measureCost, measureCount, measureSize } from "./cost.ts"
import { measureQuality } from "./quality.ts"
import { measureSteps } from "./steps.ts"
import { listSituations, openWorld } from "./world.ts"

/** One point; every part has a table of its own. */
export async function computePersonal(point: Point, { log }: StudySubject, context: RunContext): Promise<PointOutput> {
  const world = await openWorld(log, { taxonomy: String(point.taxonomy), pool: Number(point.pool) }, context)
  if (world.queries.length === 0) return { scores: [] }
  const people = { users: Number(point.users), interests: Number(point.interests) }
  const delta = Number(point.delta ?? 0)
  const parts: Record<string, () => TableData> = {
    steps: () => measureSteps(listSituations(world, people)),
    cost: () => measureCost(listSituations(world, people), delta),
    size: () => measureSize(world, Number(point.size)),
    count: () => measureCount(world, Number(point.queries)),
    quality: () => measureQuality(world, listSituations(world, people), delta),
    attack: () => measureAttack(world, { ...people, delta }),
  }
  const part = String(point.part)
  const table = parts[part]?.()
  return { scores: [], ...(table !== undefined && { tables: { [part]: table } }) }
}
