import { createTopic } from "../../servers/kafka-client.ts"
import type { Finding } from "../case.ts"
import { brokerCpu, createGroup, fillInput, type Setting, topicBytes, withKafka } from "./kafka-setting.ts"
import type { MemberResult } from "./member-options.ts"
import { openMember, runMember } from "./open-member.ts"

const searches = 500_000
const partitions = [0, 1]
const input = "searches"
const rounds = 3

/** What one step cost, with the processor time of the brokers. `count` searches went into it. */
type Step = Pick<MemberResult, "seconds" | "cpu" | "memory" | "passed" | "waiting"> & { broker: number; count: number }

/** Each step of a round, on the same searches. `both` are a classifier and a swapper at once. */
interface Round {
  copy: Step
  classify: Step
  swap: Step
  both: Step
}

/**
 * The searches of a topic, by turns: copied bare; classified; swapped; and both at once. Every step has a producer for
 * each of the two partitions, and its work is in one process, or for both at once in two.
 */
export function measureHops(): Promise<Finding> {
  return withKafka(async (setting) => {
    await fillInput(setting, { topic: input, partitions: partitions.length, searches })
    const found: Round[] = []
    for (let round = 0; round < rounds; round++) found.push(await measureRound(setting, round))
    const [copy, classify] = [middle(found, "copy"), middle(found, "classify")]
    const [swap, both] = [middle(found, "swap"), middle(found, "both")]
    const bytes = async (topic: string) => Math.round((await topicBytes(setting, topic)) / searches)
    const rate = (step: Step) => Math.round(rateOf(step))
    const micros = ({ count, cpu }: Step) => ((cpu / count) * 1e6).toFixed(1)
    const brokerMicros = ({ count, broker }: Step) => ((broker / count) * 1e6).toFixed(1)
    return {
      count: searches,
      seconds: both.seconds,
      ...{ "copy: searches/s": rate(copy), "classify: searches/s": rate(classify), "swap: searches/s": rate(swap) },
      "both: searches/s": rate(both),
      ...{ "classify over copy": overCopy(found, "classify"), "swap over copy": overCopy(found, "swap") },
      "both over copy": overCopy(found, "both"),
      "ratios of all rounds": allRatios(found),
      "released by swap": swap.passed,
      "waiting after swap": swap.waiting,
      ...{ "copy: CPU µs/search": micros(copy), "classify: CPU µs/search": micros(classify) },
      ...{ "swap: CPU µs/search": micros(swap), "both: CPU µs/search": micros(both) },
      ...{ "copy: broker µs/search": brokerMicros(copy), "classify: broker µs/search": brokerMicros(classify) },
      ...{ "swap: broker µs/search": brokerMicros(swap), "both: broker µs/search": brokerMicros(both) },
      "classified searches": swap.count,
      ...{ "classify: memory (MB)": Math.round(classify.memory), "swap: memory (MB)": Math.round(swap.memory) },
      ...{ "input: bytes/search": await bytes(input), "classified: bytes/search": await bytes("hops-0.classified.1") },
      "changelog: bytes/search": await bytes("hops-0.changelog.1"),
      "released: bytes/search": await bytes("hops-0.released"),
    }
  })
}

async function measureRound(setting: Setting, round: number): Promise<Round> {
  const { addresses } = setting
  const own = { addresses, input, partitions }
  const step = (count: number, work: () => Promise<MemberResult>) => measureStep(setting, { count, work })
  const [copied, apart, together] = [`copied-${round}`, `hops-${round}`, `ends-${round}`]
  await createTopic(addresses, copied, { partitions: partitions.length })
  const each = searches / partitions.length
  const copy = await step(searches, () => runMember({ ...own, role: "copy", group: copied, until: each }))
  const flags = ["--partitions", `${partitions.length}`]
  const secret = await createGroup(setting, { group: apart, input, flags })
  const classify = await step(searches, () => runMember({ ...own, role: "classify", group: apart, until: 0 }))
  const { passed: until } = classify
  const swap = await step(until, () => runMember({ ...own, role: "swap", group: apart, until, secret }))
  await createGroup(setting, { group: together, input, flags })
  const both = await step(searches, async () => {
    const swapper = await openMember({ ...own, role: "swap", group: together, until, secret })
    const classifier = await openMember({ ...own, role: "classify", group: together, until: 0 })
    for (const member of [swapper, classifier]) member.go()
    const [end, { cpu }] = await Promise.all([swapper.done, classifier.done])
    return { ...end, cpu: end.cpu + cpu }
  })
  return { copy, classify, swap, both }
}

async function measureStep(
  setting: Setting,
  { count, work }: { count: number; work: () => Promise<MemberResult> },
): Promise<Step> {
  const before = await brokerCpu(setting)
  const result = await work()
  return { ...result, count, broker: (await brokerCpu(setting)) - before }
}

const rateOf = ({ count, seconds }: Step) => count / seconds

/** The round in the middle, by time. */
const middle = (found: readonly Round[], step: keyof Round): Step => {
  const steps = found.map((round) => round[step]).sort((a, b) => a.seconds - b.seconds)
  return steps[rounds >> 1] ?? fail()
}

const fail = (): never => {
  throw new Error("no round was measured")
}

const ratio = (round: Round, step: keyof Round) => rateOf(round[step]) / rateOf(round.copy)

/** The rate of a step over that of the copy in the same round: the ratio in the middle. */
const overCopy = (found: readonly Round[], step: keyof Round) =>
  found
    .map((round) => ratio(round, step))
    .sort((a, b) => a - b)
    [rounds >> 1]?.toFixed(2) ?? ""

const allRatios = (found: readonly Round[]) =>
  (["classify", "swap", "both"] as const)
    .map((step) => `${step} ${found.map((round) => ratio(round, step).toFixed(2)).join(" ")}`)
    .join(", ")
