import { hashBytes, mixHash, stepHash } from "../kernels/dictionary.ts"
import { serveShards } from "../kernels/parallel.ts"
import { createNumberList } from "./number-list.ts"
import { createRowBuffer } from "./row-buffer.ts"
import { type SecretKind, secretKinds } from "./secrets.ts"
import type { ShardSettings, ShardText, SynthShard } from "./shard.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { createSpanWriter } from "./write-span.ts"

/**
 * Makes shards under the same settings. It is kept from shard to shard, because the laws and buffers are costly to set
 * up.
 */
function createMaker(vocabulary: Vocabulary, settings: ShardSettings) {
  const secretRows = createNumberList()
  const secretTypes = createNumberList()
  const lengths = createNumberList()
  const low = createNumberList()
  const high = createNumberList()
  const lines = createRowBuffer(settings.topics ? 1 << 20 : 0)
  const { arena, offsets } = vocabulary.paths
  const writer = createSpanWriter(vocabulary, settings, {
    secret(row: number, kind: SecretKind) {
      secretRows.push(row)
      secretTypes.push(secretKinds.indexOf(kind))
    },
    query(text, length, topic) {
      if (!settings.topics) return
      const path = arena.subarray(offsets[topic], offsets[topic + 1])
      lines.room(length + path.length + 2)
      lines.put(text, length)
      lines.bytes[lines.at++] = 9
      lines.put(path, path.length)
      lines.bytes[lines.at++] = 10
      lengths.push(length + path.length + 2)
      low.push(hashBytes(text, 0, length, 0x811c9dc5))
      let other = 0x2545f491
      for (let i = length - 1; i >= 0; i--) other = stepHash(other, text[i])
      high.push(mixHash(other))
    },
  })
  return ({ user, part, parts, rows }: SynthShard): ShardText => {
    for (let i = 0; i < user.length; i++)
      writer.writeSpan({ user: user[i], part: part[i], parts: parts[i], rows: rows[i] })
    return {
      bytes: writer.take(),
      secretRow: secretRows.take(),
      secretKind: Uint8Array.from(secretTypes.take()),
      topicLines: lines.take(),
      topicLength: lengths.take(),
      topicHashLow: low.take(),
      topicHashHigh: high.take(),
    }
  }
}

let made: { key: string; make: (shard: SynthShard) => ShardText } | undefined

export function handle(shard: SynthShard): ShardText {
  const key = JSON.stringify(shard.settings)
  if (made?.key !== key) made = { key, make: createMaker(shard.vocabulary, shard.settings) }
  return made.make(shard)
}

serveShards(handle)
