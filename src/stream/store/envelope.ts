import { createHmac } from "node:crypto"
import { crc32 } from "node:zlib"

/**
 * Every piece of a store file is in an envelope, little-endian:
 *
 *     0  magic, F7 51 56 9E: F7 is in no UTF-8 text
 *     4  format version, kind, two zeros
 *     8  length of the payload, a multiple of 8
 *    12  CRC-32 of the payload
 *    16  distance back to the beginning of the flush that wrote it
 *    20  CRC-32 of the bytes before
 *
 * Both checksums start from a secret number, so that nobody can make a search whose text reads as an envelope.
 */
export const envelopeBytes = 24
export const envelopeMagic = Buffer.from([0xf7, 0x51, 0x56, 0x9e])
/** Changes only together with the number in `store.json`, which is checked first: unknown envelopes look incomplete. */
const version = 1
const slice = 64 << 20

export type EnvelopeKind = "frame" | "waiting" | "profiles"
const kinds = { frame: 1, waiting: 2, profiles: 3 }

/** Allocates a buffer for a payload of this many bytes, rounded up; its start is aligned. */
export function makeEnvelope(payload: number): Buffer {
  return Buffer.allocUnsafeSlow(envelopeBytes + Math.ceil(payload / 8) * 8)
}

/** Fills in everything but the position in its flush. */
export function sealEnvelope(bytes: Buffer, options: { kind: EnvelopeKind; seed: number }): void {
  envelopeMagic.copy(bytes)
  bytes.writeUInt32LE(version | (kinds[options.kind] << 8), 4)
  bytes.writeUInt32LE(bytes.length - envelopeBytes, 8)
  bytes.writeUInt32LE(checksum(bytes, envelopeBytes, bytes.length, options.seed), 12)
  placeEnvelope(bytes, { back: 0, seed: options.seed })
}

export function placeEnvelope(bytes: Buffer, { back, seed }: { back: number; seed: number }): void {
  bytes.writeUInt32LE(back, 16)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20), seed), 20)
}

export type EnvelopeHead = { length: number; back: number; crc: number } | "short" | "broken"

/** Reads the head of the envelope at an offset. If the head is valid, returns the length of the whole envelope. */
export function readHead(bytes: Buffer, at: number, options: { kind: EnvelopeKind; seed: number }): EnvelopeHead {
  if (bytes.length - at < envelopeBytes) return "short"
  if (bytes.readUInt32LE(at) !== envelopeMagic.readUInt32LE()) return "broken"
  if (bytes.readUInt32LE(at + 20) !== crc32(bytes.subarray(at, at + 20), options.seed)) return "broken"
  if (bytes.readUInt32LE(at + 4) !== (version | (kinds[options.kind] << 8))) return "broken"
  return {
    length: envelopeBytes + bytes.readUInt32LE(at + 8),
    crc: bytes.readUInt32LE(at + 12),
    back: bytes.readUInt32LE(at + 16),
  }
}

/** True if the payload after a valid head is complete and matches its checksum. */
export function payloadHolds(
  bytes: Buffer,
  at: number,
  options: { length: number; crc: number; seed: number },
): boolean {
  const end = at + options.length
  return end <= bytes.length && checksum(bytes, at + envelopeBytes, end, options.seed) === options.crc
}

/** Works in slices, because the native call takes at most 2 GiB at once. */
function checksum(bytes: Buffer, start: number, end: number, seed: number): number {
  let value = seed
  for (let at = start; at < end; at += slice) value = crc32(bytes.subarray(at, Math.min(end, at + slice)), value)
  return value
}

/** The secret start value of a store's checksums. */
export function checksumSeed(key: Uint8Array): number {
  return createHmac("sha256", key).update("checksums").digest().readUInt32LE()
}
