import { serveShards } from "../../kernels/parallel.ts"
import { assessRisk, type RiskOptions, type RiskVerdict } from "./assess-risk.ts"
import type { WindowReleases } from "./risk-window.ts"

export interface RiskShard {
  window: WindowReleases
  options: RiskOptions
}

export function handle({ window, options }: RiskShard): RiskVerdict {
  return assessRisk(window, options)
}

serveShards(handle)
