import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { decodeClassified } from "#dist/stream/workers/classified-message.js"
import { ClassifiedTotals, type ClassifyWorkerParts, classifyPartition } from "#dist/stream/workers/classify-worker.js"
import { PartitionClient } from "#dist/stream/workers/partition-client.js"
import type { WorkerPlan } from "#dist/stream/workers/worker-plan.js"
import { taxonomyFingerprint } from "#dist/taxonomy/fingerprint.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { FakeKafka } from "../support/fake-kafka.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({})
const taxonomy = await openTaxonomy(write("pets\t1\t\n", "topics.tsv"), {}, context)
const place = { topic: "searches", partition: 0 }

const planOf = (epoch: number): WorkerPlan => ({
  ...{ version: 1, epoch, input: "searches", partitions: 1, backlog: 5, distinctTexts: true, remember: 100 },
  settings: {
    ...{ k: 2, depth: 1, mode: "strict", users: "cell", urls: "keep", time: "hour", category: true, to: "jsonl" },
    ...{ numbered: true, repeats: "once", scrub: "none", sensitive: [], gated: [] },
  },
  ...{ checkpoint: 60, keeping: { forgetHours: 24, keepHours: 24 } },
  ...{ taxonomy: taxonomyFingerprint(taxonomy), secretChecks: [], table: [["pets", 0]] },
})

describe("a classifier of a group", () => {
  test("goes on under a plan that the classifier before had seen, and that is new to it", async () => {
    const kafka = new FakeKafka()
    const before = await PartitionClient.open(kafka.link, place, "group.classify")
    await before.transact([], { offset: 0, metadata: "queryveil plan 2" })
    const plans = new Map([[1, planOf(1)]])
    const watch = {
      has: (epoch: number) => plans.has(epoch),
      of: (epoch: number) => plans.get(epoch) ?? expect.fail(`plan ${epoch} is missing`),
      after: ({ epoch }: WorkerPlan) => plans.get(epoch + 1),
      refresh: async () => {
        for (const epoch of [2, 3]) plans.set(epoch, planOf(epoch))
      },
    }
    const parts: unknown = {
      ...{ link: kafka.link, group: "group", plans: watch, taxonomy, context, totals: new ClassifiedTotals() },
      ...{ choice: {}, meter: { opened() {}, restored() {} }, warn() {} },
    }
    const stop = new AbortController()
    const ended = classifyPartition(parts as ClassifyWorkerParts, place, stop.signal)
    await expect.poll(() => kafka.messages("group.classified.2").length).toBe(1)
    stop.abort()
    await ended
    const [end] = kafka.messages("group.classified.2")
    expect(decodeClassified(end?.value ?? null, "here")).toEqual({ end: { input: 0 } })
    expect(kafka.messages("group.classified.1")).toEqual([])
  })
})
