import { test } from "vitest"
import { binomialTail } from "#dist/kernels/statistics/binomial.js"
import { expectClose } from "./close.ts"

// scipy.stats.binom.sf(successes - 1, n, p), SciPy 1.17.1
test.each([
  [0, 10, 0.3, 1],
  [3, 10, 0.3, 0.6172172136000003],
  [11, 10, 0.3, 0],
  [150, 1000, 0.05, 1.5513276667867362e-32],
  [5, 1_000_000, 1e-9, 8.326308635273392e-18],
  [500_500, 1_000_000, 0.5, 0.15889734568166486],
  [1, 1000, 1e-20, 9.999999999999999e-18],
  [990, 1000, 0.999, 0.9999999904000448],
])("%d or more of %d at a chance of %d has SciPy's chance", (successes, n, p, tail) => {
  expectClose(binomialTail(successes, n, { p }), tail)
})
