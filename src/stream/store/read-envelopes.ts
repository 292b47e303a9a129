import type { StoreFile } from "../../files/folder-files.ts"
import { type EnvelopeKind, envelopeBytes, envelopeMagic, payloadHolds, readHead } from "./envelope.ts"

const chunkBytes = 8 << 20

export interface EnvelopeSource {
  kind: EnvelopeKind
  /** Start value of the checksums. */
  seed: number
  /** Number of bytes to read. */
  end: number
  /** The payloads were checked a moment ago and are not checked again. */
  trusted?: boolean
}

/** An envelope and its offset. The caller owns the bytes. */
export interface EnvelopeBytes {
  bytes: Buffer
  at: number
}

/**
 * Yields complete envelopes in order from the start, several at a time, up to the end or to the first incomplete one.
 */
export async function* readEnvelopes(file: StoreFile, source: EnvelopeSource): AsyncGenerator<EnvelopeBytes[]> {
  let wanted = chunkBytes
  for (let from = 0; from < source.end; ) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(wanted, source.end - from))
    const bytes = chunk.subarray(0, await file.read(chunk, from))
    const found: EnvelopeBytes[] = []
    let at = 0
    for (;;) {
      const head = readHead(bytes, at, source)
      if (typeof head === "string" || at + head.length > bytes.length) break
      if (source.trusted !== true && !payloadHolds(bytes, at, { ...head, seed: source.seed })) break
      found.push({ bytes: bytes.subarray(at, at + head.length), at: from + at })
      at += head.length
    }
    if (found.length > 0) yield found
    const head = readHead(bytes, at, source)
    const needed = head === "short" ? envelopeBytes : head === "broken" ? 0 : head.length
    if (needed <= bytes.length - at || from + at + needed > source.end || bytes.length < chunk.length) return
    from += at
    wanted = Math.max(chunkBytes, needed)
  }
}

/**
 * True if there is a complete envelope after `from` whose flush also began after it. If there is none, the bytes at
 * `from` were being written when the machine stopped, because a flush begins only after the previous one is durable.
 * Within one flush pieces may be missing in any order, so an envelope of the same flush proves nothing.
 */
export async function laterFlush(file: StoreFile, from: number, source: EnvelopeSource): Promise<boolean> {
  const overlap = envelopeBytes - 1
  for (let start = from + 1; start < source.end; start += chunkBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes + overlap, source.end - start))
    const bytes = chunk.subarray(0, await file.read(chunk, start))
    for (let at = bytes.indexOf(envelopeMagic); at >= 0; at = bytes.indexOf(envelopeMagic, at + 1)) {
      const head = readHead(bytes, at, source)
      if (typeof head === "string" || start + at - head.back <= from || start + at + head.length > source.end) continue
      const whole = Buffer.allocUnsafe(head.length)
      await file.read(whole, start + at)
      if (payloadHolds(whole, 0, { ...head, seed: source.seed })) return true
    }
  }
  return false
}
