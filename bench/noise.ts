import { drawDiscreteLaplace } from "#dist/kernels/noise/draw-discrete-laplace.js"
import { createLaplaceSampler } from "#dist/kernels/noise/laplace-sampler.js"
import { createLaplaceTail } from "#dist/kernels/noise/laplace-tail.js"
import { rationalOf } from "#dist/kernels/noise/rational.js"
import { cryptoRandom } from "#dist/kernels/random.js"
import { type Bench, type Finding, rateAtLeast, ratioAtLeast, timed } from "./case.ts"

const scales = ["0.5", "10", "1000", "100000"]
const size = 1_000_000
const rounds = 30
const plainly = 500_000
const keys = 10_000_000

/** Times filling an array with noise. Building tables and reading system randomness are part of the time. */
async function fill(scale: string): Promise<Finding> {
  const out = new Int32Array(size)
  const { seconds } = await timed(async () => {
    const sampler = createLaplaceSampler({ scale: rationalOf(scale) }, cryptoRandom())
    for (let round = 0; round < rounds; round++) sampler.fill(out)
  })
  return { count: size * rounds, seconds }
}

async function drawPlainly(scale: string): Promise<Finding> {
  const random = cryptoRandom()
  const exact = rationalOf(scale)
  const { seconds } = await timed(async () => {
    for (let i = 0; i < plainly; i++) drawDiscreteLaplace(exact, random)
  })
  return { count: plainly, seconds }
}

/** Finds which of ten million keys without a count would be released: about 0.25 % of them. */
async function passThreshold(): Promise<Finding> {
  const { seconds, value } = await timed(async () => {
    const tail = createLaplaceTail({ scale: rationalOf("20"), threshold: 106 }, cryptoRandom())
    return tail.visit(keys, () => tail.draw())
  })
  return { count: keys, seconds, released: value }
}

export const noise: Bench = {
  name: "noise",
  prepare: async () => {},
  cases: [
    ...scales.map((scale) => ({ name: `scale ${scale}`, run: () => fill(scale) })),
    ...scales.map((scale) => ({ name: `scale ${scale}, plain`, run: () => drawPlainly(scale) })),
    { name: "10 M keys, 0.25 % pass", run: passThreshold },
  ],
  targets: [
    ...scales.map((scale) => rateAtLeast(`scale ${scale}`, 10_000_000)),
    ...scales.map((scale) => ratioAtLeast(`scale ${scale}`, `scale ${scale}, plain`, 20)),
  ],
}
