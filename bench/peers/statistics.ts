import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { seededRandom } from "#dist/kernels/random.js"
import { chiSquareTest } from "#dist/kernels/statistics/chi-square.js"
import { kolmogorovSmirnov } from "#dist/kernels/statistics/kolmogorov-smirnov.js"
import { pairedTTest } from "#dist/kernels/statistics/paired-t-test.js"
import { treeDistance } from "#dist/kernels/tree-distance.js"
import type { Finding } from "../case.ts"
import { bestOf, type Comparison, differenceAtMost } from "./comparison.ts"
import { askPeer, peersFolder } from "./python.ts"

const tests = 1000
const size = 200
/** The second sample of a Kolmogorov-Smirnov test is smaller, so that the samples differ in size. */
const smaller = 150

type Numbers = Float64Array

/** For each test two samples: values of a test, counts of another. */
function makeSamples(): { values: Numbers; others: Numbers; counts: Numbers; otherCounts: Numbers } {
  const random = seededRandom(9)
  const unit = () => random.uint32() / 2 ** 32
  const filled = (draw: () => number) => Float64Array.from({ length: tests * size }, draw)
  return {
    values: filled(() => unit() + unit() + unit()),
    others: filled(() => unit() + unit() + unit() + 0.2),
    counts: filled(() => 1 + random.below(50)),
    otherCounts: filled(() => 1 + random.below(50)),
  }
}

const of = (numbers: Numbers, test: number, length = size) => numbers.subarray(test * size, test * size + length)

/** A path of nodes: on it the distance of trees is the distance on a line. */
const path = Int32Array.from({ length: size }, (_, node) => node - 1)
const nodes = Int32Array.from(path.keys())

type Samples = ReturnType<typeof makeSamples>
const runs: Record<string, { work: string; run: (samples: Samples, test: number) => number[] }> = {
  ks: {
    work: `two-sample Kolmogorov-Smirnov tests, exact, ${size} against ${smaller}`,
    run: ({ values, others }, test) => {
      const { statistic, p } = kolmogorovSmirnov(of(values, test), of(others, test, smaller))
      return [statistic, p]
    },
  },
  emd: {
    work: `earth mover's distances on a line of ${size}`,
    run: ({ counts, otherCounts }, test) => [
      distance({ nodes, counts: of(counts, test) }, { nodes, counts: of(otherCounts, test) }),
    ],
  },
  "chi-square": {
    work: `χ² tests of ${size} counts`,
    run: ({ counts }, test) => {
      const { statistic, p } = chiSquareTest(of(counts, test))
      return [statistic, p]
    },
  },
  "t-test": {
    work: `paired t-tests of ${size} pairs`,
    run: ({ values, others }, test) => {
      const { statistic, p } = pairedTTest(of(values, test), of(others, test))
      return [statistic, p]
    },
  },
}
const distance = treeDistance(path)

const testAll = (name: string, samples: Samples) =>
  Array.from({ length: tests }, (_, test) => runs[name].run(samples, test)).flat()

async function exportSamples(): Promise<void> {
  await mkdir(peersFolder, { recursive: true })
  for (const [name, numbers] of Object.entries(makeSamples())) {
    await writeFile(join(peersFolder, `statistics-${name}.bin`), new Uint8Array(numbers.buffer))
  }
}

async function testHere(name: string): Promise<Finding> {
  const samples = makeSamples()
  const { seconds, cpu } = await bestOf(() => testAll(name, samples))
  return { count: tests, seconds, cpu }
}

/** The largest relative difference of a statistic or a p-value. */
async function testThere(test: string): Promise<Finding> {
  const finding = await askPeer("statistics_scipy.py", { test, tests, size, smaller })
  if (finding.skipped !== undefined) return finding
  const file = await readFile(join(peersFolder, `statistics-${test}.bin`))
  const theirs = new Float64Array(new Uint8Array(file).buffer)
  const off = testAll(test, makeSamples()).map((value, i) =>
    value === theirs[i] ? 0 : Math.abs(value - theirs[i]) / Math.max(Math.abs(value), Math.abs(theirs[i])),
  )
  return { ...finding, difference: Math.max(...off) }
}

export const statistics: readonly Comparison[] = Object.entries(runs).map(([name, { work }]) => ({
  name,
  work: `${tests.toLocaleString("en")} ${work}`,
  prepare: exportSamples,
  contenders: [
    { name: "queryveil", run: () => testHere(name) },
    { name: "SciPy", run: () => testThere(name) },
  ],
  compare: differenceAtMost(1e-9),
}))
