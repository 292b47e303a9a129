import { copyTopic } from "../../servers/kafka-client.ts"
import type { MemberOptions, MemberResult } from "./member-options.ts"
import { prepareClassifier, prepareSwapper } from "./member-work.ts"

/** Messages in a transaction of the bare copy. */
const batch = 20_000

const options: MemberOptions = JSON.parse(process.argv[2] ?? "")
const stop = new AbortController()
process.on("message", (word) => {
  if (word === "stop") stop.abort()
})

/** Work that is ready to begin. It resolves at the end, with what it did. */
type Work = (signal: AbortSignal) => Promise<Partial<MemberResult>>

async function prepare(): Promise<Work> {
  if (options.role === "classify") return prepareClassifier(options)
  if (options.role === "swap") return prepareSwapper(options)
  const { addresses, input, group, partitions, until } = options
  const way = { from: input, to: group, partitions: partitions.length, messages: until ?? 0, batch }
  return async () => {
    await Promise.all(partitions.map((only) => copyTopic(addresses, { ...way, only })))
    return {}
  }
}

const work = await prepare()
process.send?.("ready")
await new Promise((resolve) => {
  process.once("message", (word) => {
    if (word === "go") resolve(undefined)
  })
})
const [began, spent] = [performance.now(), process.cpuUsage()]
const done = await work(stop.signal)
const { user, system } = process.cpuUsage(spent)
const result: MemberResult = {
  seconds: (performance.now() - began) / 1000,
  cpu: (user + system) / 1e6,
  memory: process.memoryUsage().rss / 2 ** 20,
  taken: {},
  passed: 0,
  waiting: 0,
  cells: 0,
  transactions: { count: 0, p50: 0, p99: 0 },
  restored: { waiting: 0, pairs: 0, seconds: 0 },
  ...done,
}
process.send?.(result, () => process.exit(0))
