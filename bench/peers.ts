import { calibrate } from "./calibration.ts"
import type { Bench, Finding, Target } from "./case.ts"
import { markdownTable } from "./markdown-table.ts"
import type { Comparison } from "./peers/comparison.ts"
import { identifiers } from "./peers/identifiers.ts"
import { noise } from "./peers/noise.ts"
import { pairs } from "./peers/pairs.ts"
import { installPeers } from "./peers/python.ts"
import { ranking } from "./peers/ranking.ts"
import { rows } from "./peers/rows.ts"
import { statistics } from "./peers/statistics.ts"
import { topics } from "./peers/topics.ts"
import { isChosen } from "./trial.ts"

const comparisons = [rows, ...pairs, noise, ranking, ...statistics, identifiers, topics].filter(({ name }) =>
  isChosen(name),
)

type Findings = ReadonlyMap<string, Finding & { peakMegabytes: number }>

const caseName = ({ name }: Comparison, contender: string) => `${name}: ${contender}`

/** The finding of each contender, ours first. */
function findingsOf(comparison: Comparison, findings: Findings): [contender: string, finding: Finding][] {
  return comparison.contenders.flatMap(({ name }) => {
    const finding = findings.get(caseName(comparison, name))
    return finding === undefined ? [] : [[name, finding]]
  })
}

/** Whether the answers of another program are as expected. */
const expected = (comparison: Comparison, contender: string): Target => ({
  what: caseName(comparison, contender),
  limit: "the expected answer",
  check: (findings) => {
    const [ours, theirs] = [comparison.contenders[0]?.name ?? "", contender].map((name) =>
      findings.get(caseName(comparison, name)),
    )
    const skipped = ours?.skipped ?? theirs?.skipped
    if (skipped !== undefined || ours === undefined || theirs === undefined) {
      return { value: skipped ?? "not run", met: false }
    }
    return comparison.compare(ours, theirs)
  },
})

const rateOf = ({ count, seconds }: Finding) => count / seconds

/** A line of the table. Processor time of a whole process is that of the user and of the system. */
function lineOf(name: string, finding: Finding, ours: Finding): string[] {
  if (finding.skipped !== undefined) return [name, finding.skipped]
  const { seconds, peakMegabytes = Number.NaN } = finding
  const [cpu, user, system, loop] = ["cpu", "user", "system", "loop"].map((key) => Number(finding[key]))
  return [
    name,
    rateOf(finding).toLocaleString("en", { maximumSignificantDigits: 3 }),
    `${Number((rateOf(finding) / rateOf(ours)).toPrecision(2))}×`,
    `${show(seconds)} s`,
    Number.isNaN(user) ? `${show(cpu)} s` : `${show(user)} + ${show(system)} s`,
    `${Math.round(peakMegabytes)} MB`,
    `${loop.toFixed(2)} s`,
  ]
}

const show = (seconds: number) => (seconds < 1 ? seconds.toPrecision(2) : seconds.toFixed(1))

/** A table in Markdown and the list of answers below it, for docs/performance.md. */
function report(findings: Findings): string {
  const head = ["work", "program", "per second", "of ours", "time", "processor", "memory", "loop"]
  const all = comparisons.map((comparison) => ({ comparison, found: findingsOf(comparison, findings) }))
  const lines = all.flatMap(({ comparison, found }) =>
    found.map(([name, finding], i) => [
      i === 0 ? comparison.name : "",
      ...lineOf(name, finding, found[0]?.[1] ?? finding),
    ]),
  )
  const answers = comparisons.flatMap((comparison) => [
    `- **${comparison.name}**: ${comparison.work}`,
    ...comparison.contenders
      .slice(1)
      .map(({ name }) => `  - ${name}: ${expected(comparison, name).check(findings).value}`),
  ])
  return `${markdownTable(head, lines)}\n${answers.join("\n")}\n`
}

/** queryveil next to what people would use instead: docs/performance.md. */
export const peersBench: Bench = {
  name: "peers",
  prepare: async () => {
    installPeers()
    for (const prepare of new Set(comparisons.map((comparison) => comparison.prepare))) await prepare()
  },
  cases: comparisons.flatMap((comparison) =>
    comparison.contenders.map(({ name, run }) => ({
      name: caseName(comparison, name),
      run: async () => {
        const loop = calibrate()
        return { ...(await run()), loop }
      },
    })),
  ),
  print: report,
  targets: comparisons.flatMap((comparison) =>
    comparison.contenders.slice(1).map(({ name }) => expected(comparison, name)),
  ),
}
