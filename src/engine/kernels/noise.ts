import { Type, Value } from "#typebox"
import { createNoisyCounts } from "../../methods/counts/draw-noise.ts"
import { countsOptions, tableNames } from "../../methods/counts/options.ts"
import { planApproximate } from "../../methods/counts/plan-mechanisms.ts"
import type { Kernel } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

const noiseOptions = Type.Object({ counts: countsOptions })

/**
 * Draws the noise of counts. A document of the input is a key of the whole log: its table (`g`), texts (`a`, `b`),
 * users (`u`) and count (`n`). The output has the keys that are shown, with the noisy count (`v`). A second run draws
 * other noise: the output is written to a table once, and only the table is read.
 */
export const noise: Kernel = {
  name: "noise",
  start: async (options, context) => {
    if (!Value.Check(noiseOptions, options)) throw brokenInput("noise")
    const noisyCount = createNoisyCounts(planApproximate(options.counts), context.random)
    return {
      take: (documents) =>
        documents.flatMap(({ g, a, b, u: users, n: total }) => {
          const table = tableNames[Number(g)]
          if (table === undefined || typeof a !== "string" || typeof b !== "string") throw brokenInput("noise")
          if (typeof users !== "number" || typeof total !== "number") throw brokenInput("noise")
          const value = noisyCount({ table, first: a, second: b, users, total })
          return value === undefined ? [] : [{ g, a, b, v: value }]
        }),
    }
  },
}
