import { createHmac } from "node:crypto"
import { QueryveilError } from "#dist/kernels/error.js"
import { firstCheckpoint, readCheckpoint, readStoreFacts, type StoreFacts } from "#dist/stream/store/store-facts.js"
import { memoryFiles } from "../support/memory-files.ts"
import type { FuzzTarget } from "../target.ts"

const facts: StoreFacts = { queryveilStore: 1, mode: "strict", taxonomy: "t", key: "0".repeat(64) }

const sealOf = (checkpoint: unknown) =>
  createHmac("sha256", Buffer.from(facts.key, "hex")).update(JSON.stringify(checkpoint)).digest("hex")

/**
 * The checkpoint and the facts of a store. A checkpoint is sealed before it is read, so that its content is tested too.
 */
export const target: FuzzTarget = {
  covers: ["stream/store/store-facts", "stream/store/damage"],
  words: ['"checkpoint":', '"seal":', '"boundary":', '"answered":[', "null", "-1", "1.5", "{}", "[]"],
  seeds: () => [
    JSON.stringify({ checkpoint: firstCheckpoint, seal: sealOf(firstCheckpoint) }),
    JSON.stringify({
      checkpoint: {
        ...firstCheckpoint,
        released: [{ name: "released-1.bin", pairs: 1, crc: 2 }],
        boundary: {
          ...firstCheckpoint.boundary,
          answered: [
            {
              id: "a",
              body: "b",
              at: 1,
              answer: { taken: 1, withheld: 0, rejected: [{ line: 1, reason: "time" }], rejectedTotal: 1 },
            },
          ],
        },
      },
    }),
    JSON.stringify(facts),
  ],
  check: async (input) => {
    const files = memoryFiles({ "checkpoint.json": sealed(input), "store.json": input })
    await readStoreFacts(files).catch((error: unknown) => {
      if (!(error instanceof QueryveilError)) throw error
    })
    await readCheckpoint(files, facts)
  },
}

/** A checkpoint with a correct seal; anything else unchanged. */
function sealed(input: Uint8Array): Uint8Array {
  try {
    const value: unknown = JSON.parse(Buffer.from(input).toString("utf8"))
    if (typeof value !== "object" || value === null || !("checkpoint" in value) || input.length % 8 === 0) return input
    return Buffer.from(JSON.stringify({ ...value, seal: sealOf(value.checkpoint) }))
  } catch {
    return input
  }
}
