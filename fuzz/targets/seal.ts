import { createHash } from "node:crypto"
import { seal, unseal, usualCost } from "#dist/personal/seal.js"
import { ensure, type FuzzTarget } from "../target.ts"

const headerSize = 80
const digestAt = 64
/** An input that begins with this byte may go through scrypt, which takes most of a second. */
const patient = 0xa5

/**
 * The sealed profile file. If the first byte of an input is odd, the digest of the file's header is corrected. No
 * passphrase is known here, so anything that opens is a broken promise.
 */
export const target: FuzzTarget = {
  covers: ["personal/seal"],
  words: ["qvprofil", "\x01\x11\x08\x01", "\0\0\0\0\0\0\0\0"],
  seeds: () => {
    const key = { cost: usualCost, salt: Buffer.alloc(16), key: Buffer.alloc(32), check: Buffer.alloc(16) }
    const file = seal(Buffer.from("a content"), key)
    return [0, 1].map((byte) => Buffer.concat([Uint8Array.of(byte), file]))
  },
  check: async (input) => {
    const file = Buffer.from(input.subarray(1))
    const isMended = ((input[0] ?? 0) & 1) === 1 && file.length >= headerSize
    if (isMended) createHash("sha256").update(file.subarray(0, digestAt)).digest().copy(file, digestAt, 0, 16)
    if (input[0] !== patient && wouldDerive(file)) return
    const opened = await unseal(file, { passphrase: "none", path: "profile" })
    ensure(opened === undefined, "nothing opens without its passphrase")
  },
}

/** True if the lengths fit, so that a key would be derived unless something else is wrong. */
function wouldDerive(file: Buffer): boolean {
  if (file.length < headerSize + 16 || file.readBigUInt64LE(56) !== BigInt(file.length - headerSize - 16)) return false
  return file[8] === 1 && file[9] >= 17 && file[9] <= 20 && file[10] === 8 && file[11] >= 1 && file[11] <= 4
}
