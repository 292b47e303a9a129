import { serveShards } from "../../kernels/parallel.ts"
import { assessRisk, type RiskOptions, type RiskVerdict } from "./assess-risk.ts"

export interface RiskShard {
  window: Int32Array
  options: RiskOptions
}

export function handle({ window, options }: RiskShard): RiskVerdict {
  return assessRisk(window, options)
}

serveShards(handle)
