import { createContext } from "#dist/kernels/context.js"
import { seededStream } from "#dist/kernels/random.js"
import { planLines } from "#dist/log/formats/detect-format.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { Bench, Finding } from "./case.ts"
import { benchFolder } from "./data.ts"
import { openStream, withFolder } from "./stream.ts"

const records = 100_000_000
const perBatch = 50_000
const users = 657_000
const marks = 10

/**
 * Runs a hundred million records of new texts and returning users, and measures the memory after each tenth of them.
 */
async function runLong(): Promise<Finding> {
  const taxonomy = await openTaxonomy("wordnet", { cache: benchFolder }, createContext({}))
  const names = Array.from({ length: 20_000 }, (_, i) =>
    taxonomy.name(1 + ((i * 4) % (taxonomy.size - 1))).replace(/~.*/, ""),
  )
  const choice = { format: "aol", columns: undefined, jsonPath: undefined, unit: "user", path: "bench" } as const
  const plan = planLines("aol", Buffer.from("1\tdog\t2006-03-01 00:00:00\t\t\n"), choice)
  const random = seededStream()
  random.reseed(1, 0, 0)
  return withFolder(async (folder) => {
    const stream = await openStream(folder)
    const found: Record<string, number> = {}
    const begun = performance.now()
    for (let made = 0; made < records; made += perBatch) {
      const lines: string[] = []
      for (let i = 0; i < perBatch; i++) {
        const name = names[Math.floor(names.length * random.unit() ** 3)]
        lines.push(
          `${Math.floor(users * random.unit() ** 2)}\t${name} ${random.below(50_000)}\t2006-03-01 00:00:00\t\t\n`,
        )
      }
      const text = Buffer.from(lines.join(""))
      const bytes = new Uint8Array(text.length + 1)
      bytes.set(text)
      await stream.offer({ bytes, length: text.length, plan, skipLines: 0 }).room
      if ((made + perBatch) % (records / marks) === 0)
        found[`MB after ${(made + perBatch) / 1e6} M`] = Math.round(process.memoryUsage().rss / 2 ** 20)
    }
    await stream.drain()
    const seconds = (performance.now() - begun) / 1000
    const { released, waiting } = stream.figures()
    await stream.close()
    return { count: records, seconds, released, waiting, ...found }
  })
}

const after = (finding: Finding | undefined, millions: number) => Number(finding?.[`MB after ${millions} M`])

export const streamMemory: Bench = {
  name: "stream-memory",
  prepare: async () => {},
  cases: [{ name: "100 M records", run: runLong }],
  targets: [
    {
      what: "memory after 100 M records, over that after 50 M",
      limit: "≤ 1.1×",
      check: (findings) => {
        const finding = findings.get("100 M records")
        const ratio = after(finding, 100) / after(finding, 50)
        return { value: `${ratio.toFixed(2)}×`, met: ratio <= 1.1 }
      },
    },
  ],
}
