import { crc32 } from "node:zlib"
import { envelopeBytes, envelopeMagic } from "#dist/stream/store/envelope.js"

/** Start value of the checksums of the fuzzed stores. */
export const seed = 5

/**
 * An input is a byte followed by a file of envelopes. If the byte is odd, the checksums of the file are corrected: a
 * fuzzer does not find a CRC-32, and the code after that check should be tested too.
 */
export function openInput(input: Uint8Array): Buffer {
  const file = Buffer.from(input.subarray(1))
  if (((input[0] ?? 0) & 1) === 0) return file
  for (let at = 0; at + envelopeBytes <= file.length; ) {
    envelopeMagic.copy(file, at)
    const most = file.length - at - envelopeBytes
    const length = Math.min(most - (most % 8), (file.readUInt32LE(at + 8) >>> 3) * 8)
    file.writeUInt32LE(length, at + 8)
    const end = at + envelopeBytes + length
    file.writeUInt32LE(crc32(file.subarray(at + envelopeBytes, end), seed), at + 12)
    file.writeUInt32LE(crc32(file.subarray(at, at + 20), seed), at + 20)
    at = end
  }
  return file
}

/** A file as inputs: with its checksums as they are, and with corrected checksums. */
export const inputsOf = (file: Uint8Array): Uint8Array[] =>
  [0, 1].map((byte) => Buffer.concat([Uint8Array.of(byte), file]))
