import { envelopeBytes } from "#dist/stream/store/envelope.js"
import { readSnapshot, SnapshotWriter } from "#dist/stream/store/snapshot.js"
import { inputsOf, openInput, seed } from "../support/envelopes.ts"
import { memoryFiles } from "../support/memory-files.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const name = "snapshot-1.bin"

/** Records that wait in a checkpoint. */
export const target: FuzzTarget = {
  covers: ["stream/store/"],
  words: ["\xf7\x51\x56\x9e"],
  seeds: async () => {
    const parts: Uint8Array[] = []
    const file = await memoryFiles({ [name]: new Uint8Array(0) }).open(name, "make")
    const writer = new SnapshotWriter({ ...file, write: async (bytes) => void parts.push(bytes.slice()) }, { seed })
    const ends = Uint32Array.of(3, 10, 10, 13, 17, 20)
    const numbers = { topic: Int32Array.of(3, 4), time: Int32Array.of(9, 9), arrival: Int32Array.of(9, 9) }
    const records = {
      count: 2,
      ...numbers,
      rank: Uint16Array.of(1, 2),
      ends,
      arena: Buffer.from("annred hatboblampurl"),
    }
    writer.add(records, 0, { number: 5, parts: 3 })
    await writer.flush()
    writer.add(records, 1, { number: 6, parts: 1 })
    await writer.flush()
    return [...inputsOf(Buffer.concat(parts)), ...inputsOf(parts[0])]
  },
  check: async (input) => {
    const file = openInput(input)
    const records = file.length >= envelopeBytes + 4 ? file.readUInt32LE(envelopeBytes) : 0
    const snapshot = { name, bytes: file.length, records: records + (input[0] >> 1) }
    let count = 0
    for await (const { waiting } of readSnapshot(memoryFiles({ [name]: file }), { snapshot, seed })) {
      const { records: held, number, parts } = waiting
      count += held.count
      for (const { length } of [held.topic, held.time, held.arrival, held.rank, number, parts])
        ensure(length === held.count, "every column has a value of every record")
      const ends = [0, ...held.ends]
      ensure(ends.length === held.count * 3 + 1, "every record has three texts")
      for (let i = 1; i < ends.length; i++) ensure(ends[i - 1] <= ends[i], "texts follow one another")
      ensure(ends[ends.length - 1] <= held.arena.length, "texts are inside the arena")
    }
    ensure(count === snapshot.records, "a snapshot has the records that its checkpoint names")
  },
}
