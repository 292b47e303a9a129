import type { Finding } from "../case.ts"
import { createGroup, fillInput, topicBytes, withKafka } from "./kafka-setting.ts"
import { runMember } from "./open-member.ts"

const inputs = [0, 1]
const input = "searches"
const rounds = 3

interface RestoreOptions {
  searches: number
  /** The flags of a group in which one state outgrows the other. */
  flags: readonly string[]
  of: "waiting" | "pairs"
}

/** Times a swapper that takes a partition over, up to where it can go on. */
function measureRestore({ searches, flags, of }: RestoreOptions): Promise<Finding> {
  return withKafka(async (setting) => {
    const { addresses } = setting
    await fillInput(setting, { topic: input, partitions: inputs.length, searches })
    const group = "restore"
    const secret = await createGroup(setting, {
      ...{ group, input },
      flags: ["--partitions", "1", "--repeats", "once", "--checkpoint", "5", ...flags],
    })
    const common = { addresses, input, group }
    const { passed: until } = await runMember({ ...common, role: "classify", partitions: inputs, until: 0 })
    const swapper = { ...common, role: "swap", partitions: [0], secret } as const
    await runMember({ ...swapper, until })
    const bytes = await topicBytes(setting, `${group}.changelog.1`)
    const found: { waiting: number; pairs: number; seconds: number; memory: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const { restored, memory } = await runMember({ ...swapper, until: 0 })
      found.push({ ...restored, memory })
    }
    found.sort((a, b) => a.seconds - b.seconds)
    const middle = found[rounds >> 1] ?? { waiting: 0, pairs: 0, seconds: Number.NaN, memory: 0 }
    return {
      count: middle[of],
      seconds: middle.seconds,
      ...{ waiting: middle.waiting, pairs: middle.pairs },
      "seconds per million": (middle.seconds / (middle[of] / 1e6)).toFixed(1),
      "all rounds (s)": found.map(({ seconds }) => seconds.toFixed(1)).join(" "),
      "changelog (MB)": Math.round(bytes / 2 ** 20),
      "memory (MB)": Math.round(middle.memory),
    }
  })
}

/** So many users must come together that nothing leaves. */
export const restoreWaiting = () =>
  measureRestore({ searches: 1_200_000, flags: ["-k", "1000000", "--backlog", "1000000"], of: "waiting" })

/** Nearly everything leaves at once. */
export const restorePairs = () =>
  measureRestore({ searches: 2_000_000, flags: ["-k", "2", "--depth", "1"], of: "pairs" })
