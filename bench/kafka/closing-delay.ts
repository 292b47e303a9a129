import { setTimeout as wait } from "node:timers/promises"
import { createTopic, openAnsweredSender, openReader } from "../../servers/kafka-client.ts"
import type { Finding } from "../case.ts"
import { byTime } from "../stream.ts"
import { firstLines } from "../stream-http.ts"
import { createGroup, fileRows, withKafka } from "./kafka-setting.ts"
import type { MemberResult } from "./member-options.ts"
import { openMember } from "./open-member.ts"

const rate = 2000
const searches = 120_000
/** Searches that are sent before cells count: both processes have then done everything once. */
const warmUp = 20_000
const slices = 6
const k = 10
const partitions = [0, 1]
const input = "searches"

/** Marks a text with a number. Letters alone, so that no text looks like an identifier. */
const marked = (number: number) =>
  ` qtx${[...number.toString(26)].map((c) => letters[Number.parseInt(c, 26)]).join("")}`
const letters = "abcdefghijklmnopqrstuvwxyz"
const numberOf = (query: string) =>
  [...(/ qtx([a-z]+)$/.exec(query)?.[1] ?? "")].reduce((sum, c) => sum * 26 + letters.indexOf(c), 0)

/**
 * From the answer of the brokers to the last search of a cell, to the moment when a reader of committed messages has
 * the whole cell. Searches are sent at a fixed rate. One process classifies, another swaps.
 */
export function measureClosingDelay(): Promise<Finding> {
  return withKafka(async (setting) => {
    const { addresses } = setting
    const group = "delay"
    await createTopic(addresses, input, { partitions: partitions.length })
    const flags = ["--partitions", `${partitions.length}`, "-k", `${k}`, "--users", "keep"]
    const secret = await createGroup(setting, { group, input, flags })
    const own = { addresses, input, group, partitions, until: null }
    const swapper = await openMember({ ...own, role: "swap", secret })
    const classifier = await openMember({ ...own, role: "classify" })
    const members = [swapper, classifier]
    for (const member of members) member.go()
    const answered = new Float64Array(searches).fill(Number.NaN)
    const sender = await openAnsweredSender(addresses, input, (number) => {
      answered[number] = performance.now()
    })
    const reader = await openReader(addresses, `${group}.released`, {
      isolation: "read_committed",
      partitions: partitions.length,
    })
    const cells = new CellClock(answered)
    const lines = await firstLines(byTime(fileRows), searches)
    const began = performance.now()
    let isOver = false
    const reading = (async () => {
      while (!isOver) for (const { value, partition } of await reader.some()) cells.see(String(value), partition)
    })()
    for (let sent = 0; sent < searches; ) {
      const due = Math.min(searches, Math.floor(((performance.now() - began) / 1000) * rate))
      for (; sent < due; sent++) {
        const [user, query, time] = (lines[sent] ?? "").split("\t")
        const value = JSON.stringify({ user, query: `${query}${marked(sent)}`, time })
        sender.send(Buffer.from(value), { partition: sent % partitions.length, number: sent })
      }
      await wait(1)
    }
    const seconds = (performance.now() - began) / 1000
    await sender.close()
    await wait(3000)
    isOver = true
    await reading
    await reader.close()
    for (const member of members) member.stop()
    const ends = await Promise.all([swapper.done, classifier.done])
    const { delays } = cells
    const slice = Math.ceil(delays.length / slices)
    const course = Array.from({ length: slices }, (_, i) => quantile(delays.slice(i * slice, (i + 1) * slice), 0.5))
    const at = (share: number) => quantile(delays, share).toFixed(0)
    return {
      count: searches,
      seconds,
      cells: delays.length,
      ...{ "p50 (ms)": at(0.5), "p99 (ms)": at(0.99), "largest (ms)": at(1) },
      "p50 in the course of time (ms)": course.map((each) => each.toFixed(0)).join(" "),
      ...{ "swapper: transactions": describe(ends[0]), "classifier: transactions": describe(ends[1]) },
      "cores of both workers": (ends.reduce((sum, { cpu }) => sum + cpu, 0) / seconds).toFixed(2),
    }
  })
}

const quantile = (numbers: readonly number[], share: number) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

const describe = ({ transactions: { count, p50, p99 } }: MemberResult) =>
  `${count}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`

/** No two texts are the same, so a cell is k + 1 releases in a row of one partition. */
class CellClock {
  readonly #seen: { last: number; at: number }[] = []
  readonly #answered: Float64Array
  /** By partition: the numbers of the searches of the cell that is being read. */
  readonly #open = new Map<number, number[]>()

  constructor(answered: Float64Array) {
    this.#answered = answered
  }

  /** In order of time. The answer may be noticed after the release: then there was no delay. */
  get delays(): number[] {
    return this.#seen.map(({ last, at }) => Math.max(0, at - (this.#answered[last] ?? Number.NaN)))
  }

  see(release: string, partition: number): void {
    const { query }: { query: string } = JSON.parse(release)
    const cell = this.#open.get(partition) ?? []
    this.#open.set(partition, cell)
    cell.push(numberOf(query))
    if (cell.length <= k) return
    const last = Math.max(...cell)
    if (last >= warmUp) this.#seen.push({ last, at: performance.now() })
    cell.length = 0
  }
}
