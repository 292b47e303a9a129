import type { RunContext } from "../../kernels/context.ts"
import { decisionRules } from "../../personal/expose-profile.ts"
import { denominators } from "../../personal/metrics.ts"
import type { Point, PointOutput, StudySubject, TableData } from "../study.ts"
import { measureAttack } from "./attack.ts"
import { countPeople, listClasses } from "./census.ts"
import { measureClarity } from "./clarity.ts"
import { measureCost, measureCount, measureSize } from "./cost.ts"
import { judgePeople } from "./judged.ts"
import { listPeople, peopleSources } from "./people.ts"
import { situationsOf } from "./person.ts"
import { measureQuality } from "./quality.ts"
import { measureSteps } from "./steps.ts"
import { boundSources, openWorld } from "./world.ts"

/** Computes one point. Every part has its own tables. */
export async function computePersonal(point: Point, { log }: StudySubject, context: RunContext): Promise<PointOutput> {
  const bounds = boundSources.find((name) => name === point.bounds) ?? "log"
  const options = { taxonomy: String(point.taxonomy), pool: Number(point.pool), bounds }
  const world = await openWorld(log, options, context)
  if (world.queries.length === 0) return { scores: [] }
  const people = listPeople(world, {
    people: peopleSources.find((name) => name === point.people) ?? "log",
    users: Number(point.users),
    asked: Number(point.asked),
  })
  const delta = Number(point.delta ?? 0)
  const algorithm = String(point.algorithm)
  const decision = {
    decision: decisionRules.find((name) => name === point.decision) ?? "off",
    denominator: denominators.find((name) => name === point.denominator) ?? "query",
    mu: Number(point.mu ?? world.bounds.distinct),
  }
  const parts: Record<string, () => Record<string, TableData>> = {
    census: () => ({ classes: listClasses(world), people: countPeople(people, judgePeople(world, people)) }),
    steps: () => ({ steps: measureSteps(situationsOf(people)) }),
    cost: () => ({ cost: measureCost(situationsOf(people), { delta, people }) }),
    size: () => ({ size: measureSize(world, Number(point.size)) }),
    count: () => ({ count: measureCount(world, situationsOf(people), Number(point.queries)) }),
    quality: () => ({ quality: measureQuality(world, judgePeople(world, people), { delta, ...decision }) }),
    clarity: () => ({
      clarity: measureClarity(world, judgePeople(world, people), {
        situations: situationsOf(people),
        delta,
        mu: decision.mu,
        algorithm,
      }),
    }),
    attack: () => ({ attack: measureAttack(world, people, { delta, algorithm, ...decision }) }),
  }
  const isMeasured = people.length > 0 || point.part === "census" || point.part === "size"
  const tables = isMeasured ? parts[String(point.part)]?.() : undefined
  return { scores: [], ...(tables !== undefined && { tables }) }
}
