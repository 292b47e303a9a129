import type { Finding } from "../case.ts"
import { createGroup, fillInput, type Setting, withKafka } from "./kafka-setting.ts"
import { openMember, runMember } from "./open-member.ts"

const searches = 500_000
const partitions = [0, 1]
const input = "searches"
const rounds = 3

/** Processor time of the same searches, swapped by one process with two partitions, and by two with one each. */
export function measureSwapperCost(): Promise<Finding> {
  return withKafka(async (setting) => {
    await fillInput(setting, { topic: input, partitions: partitions.length, searches })
    const [one, two]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const alone = await classified(setting, `alone-${round}`)
      const single = await runMember({ ...alone, partitions, until: alone.passed })
      const pair = await classified(setting, `pair-${round}`)
      const members = await Promise.all(
        partitions.map((each) => openMember({ ...pair, partitions: [each], until: single.taken[each] ?? 0 })),
      )
      for (const member of members) member.go()
      const results = await Promise.all(members.map(({ done }) => done))
      one.push(single.cpu / alone.passed)
      two.push(results.reduce((sum, { cpu }) => sum + cpu, 0) / pair.passed)
    }
    const micros = (seconds: number) => (seconds * 1e6).toFixed(2)
    return {
      count: searches,
      seconds: median(one) * searches,
      "one swapper: CPU µs/search": micros(median(one)),
      "two swappers: CPU µs/search": micros(median(two)),
      "two over one": (median(two) / median(one)).toFixed(3),
      "all rounds": `${one.map(micros).join(" ")} / ${two.map(micros).join(" ")}`,
    }
  })
}

/** A group whose searches are classified, and a swapper of it. */
async function classified(setting: Setting, group: string) {
  const { addresses } = setting
  const secret = await createGroup(setting, { group, input, flags: ["--partitions", `${partitions.length}`] })
  const { passed } = await runMember({ role: "classify", addresses, input, group, partitions, until: 0 })
  return { role: "swap", addresses, input, group, secret, passed } as const
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
