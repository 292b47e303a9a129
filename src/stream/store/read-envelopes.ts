import type { StoreFile } from "../../files/folder-files.ts"
import { type EnvelopeKind, envelopeBytes, envelopeMagic, payloadHolds, readHead } from "./envelope.ts"

const chunkBytes = 8 << 20

export interface EnvelopeSource {
  kind: EnvelopeKind
  /** Checksums start from it. */
  seed: number
  /** Bytes to read. */
  end: number
  /** The payloads were checked a moment ago. */
  trusted?: boolean
}

/** An envelope and where it lies. The bytes are the reader's. */
export interface EnvelopeBytes {
  bytes: Buffer
  at: number
}

/** Whole envelopes, one behind the other from the start, some at a time, up to the end or to the first that is not whole. */
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
 * Whether a whole envelope lies behind `from` whose flush began behind it too. If none does, what lies at `from` was being
 * written when the machine stopped: a flush begins only after the one before is durable. Within one flush pieces may be
 * missing in any order, so an envelope of the same flush proves nothing.
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
