import { createCipheriv, createHmac } from "node:crypto"
import { hmacUnder } from "./hmac.ts"
import { boundedBelow, type RandomSource } from "./random.ts"

const blockBytes = 16
/** Blocks of the first run of a seed. Each further run has twice as many. */
const firstBlocks = 12

/** A source that can restart from any message: the words that follow are a function of the key and the message. */
export interface KeyedRandom extends RandomSource {
  /** Restarts. Earlier draws have no influence on what follows. */
  reseed(message: Uint8Array): void
}

/**
 * Words that are uniform to anyone without the key. The first 16 bytes of HMAC-SHA-256 of the message are the initial
 * counter of AES-256-CTR, with bit 31 cleared so that nothing is carried. Its keystream is the words, little-endian.
 * The two keys are HMAC-SHA-256 of "LABEL seed" and "LABEL words" under `key`. Counters are enciphered one by one
 * (ECB), because opening a cipher takes longer than a short run.
 *
 * `seeded` is true if the key itself can be drawn again, as in studies and tests.
 */
export function keyedRandom(key: Uint8Array, { label, seeded }: { label: string; seeded: boolean }): KeyedRandom {
  const derive = (what: string) => createHmac("sha256", key).update(`${label} ${what}`).digest()
  const seedOf = hmacUnder(derive("seed"), "sha256")
  const cipher = createCipheriv("aes-256-ecb", derive("words"), null).setAutoPadding(false)
  const first = Buffer.alloc(blockBytes)
  let counters = new DataView(new ArrayBuffer(firstBlocks * blockBytes))
  let blocks = firstBlocks // of the next run
  let used = 0 // by this seed
  let words = Buffer.alloc(0)
  let at = 0
  let end = 0

  const makeRun = () => {
    end = blocks * blockBytes
    if (end > counters.byteLength) counters = new DataView(new ArrayBuffer(end))
    const a = first.readUInt32BE(0)
    const b = first.readUInt32BE(4)
    const c = first.readUInt32BE(8)
    const d = first.readUInt32BE(12) & 0x7fffffff
    for (let place = 0; place < end; place += blockBytes) {
      counters.setUint32(place, a)
      counters.setUint32(place + 4, b)
      counters.setUint32(place + 8, c)
      counters.setUint32(place + 12, d + used++)
    }
    words = cipher.update(new Uint8Array(counters.buffer, 0, end))
    at = 0
    blocks *= 2
  }
  const uint32 = () => {
    if (at === end) makeRun()
    at += 4
    return words.readUInt32LE(at - 4)
  }
  return {
    seeded,
    reseed(message) {
      first.write(seedOf(message), 0, blockBytes, "latin1")
      blocks = firstBlocks
      used = 0
      at = 0
      end = 0
    },
    uint32,
    below: (n) => boundedBelow(uint32, n),
    fill: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = uint32()
    },
  }
}
