import type { Bench, Finding, Target } from "./case.ts"
import { measureSkew } from "./kafka/category-skew.ts"
import { measureClosingDelay } from "./kafka/closing-delay.ts"
import { measureHops } from "./kafka/hops.ts"
import { fileRows } from "./kafka/kafka-setting.ts"
import { restorePairs, restoreWaiting } from "./kafka/restore.ts"
import { measureSwapperCost } from "./kafka/swapper-cost.ts"
import { topicToTopic } from "./kafka/topic-to-topic.ts"
import { orderByTime } from "./stream.ts"

/** A limit on a figure of a case. */
function figure(name: string, key: string, { limit, isMet }: { limit: string; isMet(value: number): boolean }): Target {
  return {
    what: `${name}: ${key}`,
    limit,
    check: (findings) => {
      const value = Number(findings.get(name)?.[key])
      return { value: value.toFixed(2), met: isMet(value) }
    },
  }
}

const atLeast = (least: number) => ({ limit: `≥ ${least}`, isMet: (value: number) => value >= least })

export const kafkaBench: Bench = {
  name: "kafka",
  prepare: () => orderByTime(fileRows),
  cases: [
    { name: "topic → topic", run: topicToTopic },
    { name: "workers: hops", run: measureHops },
    { name: "workers: one or two swappers", run: measureSwapperCost },
    { name: "workers: restore waiting", run: restoreWaiting },
    { name: "workers: restore pairs", run: restorePairs },
    { name: "workers: closing a cell", run: measureClosingDelay },
    { name: "skew of categories", run: measureSkew },
  ],
  targets: [
    figure("topic → topic", "stream over bare copy", atLeast(0.5)),
    figure("workers: hops", "classify over copy", atLeast(0.5)),
    figure("workers: hops", "swap over copy", atLeast(0.5)),
    figure("workers: hops", "both over copy", atLeast(0.25)),
    figure("workers: one or two swappers", "two over one", {
      limit: "within 10 %",
      isMet: (value) => Math.abs(value - 1) <= 0.1,
    }),
  ],
  print: (findings) => [...findings].map(([name, finding]) => `${name}\n${describe(finding)}`).join("\n"),
}

const describe = ({ count, seconds, peakMegabytes, ...rest }: Finding) =>
  Object.entries(rest)
    .map(([key, value]) => `  ${key.padEnd(34)}${value}\n`)
    .join("")
