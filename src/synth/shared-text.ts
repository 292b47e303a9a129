import type { TextParts } from "./vocabulary.ts"

/** Copies a list of numbers to shared memory. */
export function sharedUint32(values: ArrayLike<number>): Uint32Array {
  const shared = new Uint32Array(new SharedArrayBuffer(values.length * 4))
  shared.set(values)
  return shared
}

/** Concatenates texts in shared memory. */
export function sharedTexts(texts: readonly string[]): TextParts {
  const joined = Buffer.from(texts.join(""))
  const arena = new Uint8Array(new SharedArrayBuffer(joined.length))
  arena.set(joined)
  const offsets = sharedUint32(new Uint32Array(texts.length + 1))
  for (let i = 0; i < texts.length; i++) offsets[i + 1] = offsets[i] + Buffer.byteLength(texts[i])
  return { arena, offsets }
}
