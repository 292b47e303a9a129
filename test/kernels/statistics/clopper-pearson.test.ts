import { expect, test } from "vitest"
import { clopperPearson } from "#dist/kernels/statistics/clopper-pearson.js"
import { expectClose } from "./close.ts"

// scipy.stats.beta.ppf(α, k, n − k + 1) and isf(α, k + 1, n − k), SciPy 1.17.1. binomtest(k, n, alternative)
// .proportion_ci(method="exact") solves the same equations to an absolute 2e-12, and agrees within that.
test.each([
  [0, 10, 0.95, "both", 0, 0.3084971078187607],
  [0, 10, 0.95, "lower", 0, 1],
  [0, 10, 0.95, "upper", 0, 0.2588655508930522],
  [10, 10, 0.95, "both", 0.6915028921812392, 1],
  [10, 10, 0.95, "lower", 0.7411344491069478, 1],
  [10, 10, 0.95, "upper", 0, 1],
  [3, 20, 0.95, "both", 0.032070937185463715, 0.37892682654531396],
  [3, 20, 0.95, "lower", 0.04216940788577862, 1],
  [3, 20, 0.95, "upper", 0, 0.3436638043142818],
  [7, 20, 0.99, "both", 0.11387976326673242, 0.6565685842319211],
  [1, 1_000_000, 0.95, "both", 2.53178076637942e-8, 5.571630655166939e-6],
  [1, 1_000_000, 0.95, "upper", 0, 4.743855638214234e-6],
  [500, 1000, 0.9, "both", 0.47351773123569124, 0.5264822687643087],
  [99_999, 100_000, 0.95, "both", 0.9999442848396523, 0.9999997468219523],
  [60, 1000, 0.999, "both", 0.03814374033121581, 0.0886553522870813],
  [60, 1000, 0.999, "lower", 0.039277591074322576, 1],
  [60, 1000, 0.999, "upper", 0, 0.08676797277714732],
] as const)("%d of %d at %d (%s) has the exact interval", (successes, n, confidence, side, low, high) => {
  const interval = clopperPearson(successes, n, { confidence, side })
  expectClose(interval[0], low)
  expectClose(interval[1], high)
})

test("the default is both sides at 95 %, and no observations give the interval from 0 to 1", () => {
  expect(clopperPearson(3, 20)).toEqual(clopperPearson(3, 20, { confidence: 0.95, side: "both" }))
  expect(clopperPearson(0, 0)).toEqual([0, 1])
})
