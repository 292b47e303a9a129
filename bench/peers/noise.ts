import { createLaplaceSampler } from "#dist/kernels/noise/laplace-sampler.js"
import { rationalOf } from "#dist/kernels/noise/rational.js"
import { cryptoRandom } from "#dist/kernels/random.js"
import type { Finding } from "../case.ts"
import { bestOf, type Comparison } from "./comparison.ts"
import { askPeer } from "./python.ts"

const scale = 10
const many = 10_000_000

/** The variance of the discrete Laplace distribution: 2a / (1 − a)², with a = e^(−1/scale). */
const variance = (2 * Math.exp(-1 / scale)) / (1 - Math.exp(-1 / scale)) ** 2

async function draw(): Promise<Finding> {
  const out = new Int32Array(many)
  const { seconds, cpu } = await bestOf(() =>
    createLaplaceSampler({ scale: rationalOf(`${scale}`) }, cryptoRandom()).fill(out),
  )
  let [sum, squares] = [0, 0]
  for (const value of out) {
    sum += value
    squares += value * value
  }
  return { count: many, seconds, cpu, variance: squares / many - (sum / many) ** 2 }
}

export const noise: Comparison = {
  name: "noise",
  work: `discrete Laplace noise, scale ${scale}`,
  prepare: async () => {},
  contenders: [
    { name: "queryveil, exact", run: draw },
    { name: "OpenDP, exact", run: () => askPeer("noise_opendp.py", { scale, count: 200_000 }) },
    { name: "numpy, not exact", run: () => askPeer("noise_numpy.py", { scale, count: many }) },
  ],
  // The standard error of the variance of 200,000 draws is 0.5 % of it.
  compare: (_, theirs) => {
    const off = Math.abs(Number(theirs.variance) / variance - 1)
    return { value: `variance ${(100 * off).toFixed(2)} % off`, met: off < 0.03 }
  },
}
