import type { StreamFigures } from "../stream/live/figures.ts"

export function metricsText({ taken }: StreamFigures): string {
  return `queryveil_taken_total ${taken}\n`
}
