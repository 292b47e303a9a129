import { createHash, hash } from "node:crypto"

const blockBytes = { sha256: 64, sha512: 128 }

/** Returns the digest of a message as a string, one character per byte (latin1). */
export type Hmac = (message: Uint8Array) => string

/**
 * HMAC (RFC 2104) under one key, for many short messages. It uses one-shot hashes and no objects per message, which
 * takes a third of the time of `createHmac`.
 */
export function hmacUnder(key: Uint8Array, algorithm: keyof typeof blockBytes): Hmac {
  const block = blockBytes[algorithm]
  const short = key.length > block ? createHash(algorithm).update(key).digest() : key
  const digestBytes = algorithm === "sha256" ? 32 : 64
  const outer = Buffer.alloc(block + digestBytes, 0x5c)
  let inner = Buffer.alloc(2 * block, 0x36)
  for (let i = 0; i < short.length; i++) {
    outer[i] ^= short[i]
    inner[i] ^= short[i]
  }
  return (message) => {
    const length = block + message.length
    if (length > inner.length) inner = Buffer.concat([inner.subarray(0, block)], 2 * length)
    inner.set(message, block)
    outer.write(hash(algorithm, inner.subarray(0, length), "binary"), block, "latin1")
    return hash(algorithm, outer, "binary")
  }
}
