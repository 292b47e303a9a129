import type { TablesRequest } from "../../remote-log.ts"
import { rowPlans, tablePlans } from "./registry.ts"

const reasons: Readonly<Record<string, string>> = {
  groups: "groups compares every user with every other, and the distances of a large log fit no cluster",
  profiles: "profiles compares every user with every other, and the distances of a large log fit no cluster",
}

/** Why a cluster cannot release this; undefined if it can. */
export function refuseMethod({ method, parameters }: TablesRequest): string | undefined {
  const plan = rowPlans[method.name] ?? tablePlans[method.name]
  if (plan === undefined) return reasons[method.name] ?? "Spark does not run this method"
  return plan.refuse?.(parameters)
}
