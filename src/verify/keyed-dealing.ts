import { createCipheriv, createHash, createHmac } from "node:crypto"

/**
 * The dealing of cells under a key, written from the description in docs/methods/swap.md. It shares no code with the
 * swapper, so that a mistake there is noticed.
 */

/** The secret as the audit has it. */
export interface Secret {
  version: string
  key: Buffer
}

/** The position of a unit: time + 2³¹, and both halves of the hash of its user and text. */
export type Position = readonly [time: number, high: number, low: number]

const hmac = (key: Uint8Array, message: string | Uint8Array) => createHmac("sha256", key).update(message).digest()

function mix(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function hashText(bytes: Uint8Array, seed: number): number {
  let h = seed
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193)
  return mix(h)
}

/** Returns a function that computes a half of the hash of a user and a query. Texts are hashed once, by their ids. */
export function hashHalf(secret: Secret, half: "high" | "low") {
  const seeds = hmac(secret.key, `queryveil positions, secret ${secret.version}`)
  const seed = seeds.readUInt32LE(half === "high" ? 0 : 4)
  const memo = (bytesOf: (id: number) => Uint8Array) => {
    const known = new Map<number, number>()
    return (id: number) => {
      const hash = known.get(id) ?? hashText(bytesOf(id), seed)
      known.set(id, hash)
      return hash
    }
  }
  return (texts: { user(id: number): Uint8Array; query(id: number): Uint8Array }) => {
    const [user, query] = [memo(texts.user), memo(texts.query)]
    return (userId: number, queryId: number) => mix(mix(user(userId) ^ 0x9e3779b9) ^ query(queryId))
  }
}

const drawsDealing = 1n
/** Bytes of the keystream that are made at once. */
const pageBytes = 256

/** Returns a function that deals a cell: by place in the order of positions, the place of the user that is shown. */
export function dealUnder(secret: Secret) {
  const label = `queryveil cells 2, secret ${secret.version}`
  const [seedKey, wordsKey] = ["seed", "words"].map((what) => hmac(secret.key, `${label} ${what}`))
  const digests = new Map<string, Buffer>()
  const zeros = Buffer.alloc(pageBytes)

  return (cell: { path: string; number: number; positions: readonly Position[] }): number[] => {
    const digest = digests.get(cell.path) ?? createHash("sha256").update(cell.path).digest()
    digests.set(cell.path, digest)
    const head = Buffer.alloc(16)
    head.writeBigUInt64LE(drawsDealing, 0)
    head.writeBigUInt64LE(BigInt(cell.number), 8)
    const words = Buffer.alloc(cell.positions.length * 12)
    cell.positions.flat().forEach((word, i) => {
      words.writeUInt32LE(word, i * 4)
    })
    const counter = hmac(seedKey, Buffer.concat([digest, head, words])).subarray(0, 16)
    counter[12] &= 0x7f
    const cipher = createCipheriv("aes-256-ctr", wordsKey, counter)
    let page = Buffer.alloc(0)
    let at = 0
    const nextWord = () => {
      if (at === page.length) {
        page = cipher.update(zeros)
        at = 0
      }
      at += 4
      return page.readUInt32LE(at - 4)
    }
    return derange(cell.positions.length, nextWord)
  }
}

/** Shuffles 0 … n − 1 from the last place to the first, and starts again as soon as a place has its own number. */
function derange(n: number, nextWord: () => number): number[] {
  const below = (bound: number) => {
    const whole = 2 ** 32 - (2 ** 32 % bound)
    let word = nextWord()
    while (word >= whole) word = nextWord()
    return word % bound
  }
  const dealt = new Array<number>(n)
  for (;;) {
    for (let i = 0; i < n; i++) dealt[i] = i
    let place = n - 1
    for (; place > 0; place--) {
      const other = below(place + 1)
      const held = dealt[other]
      dealt[other] = dealt[place]
      dealt[place] = held
      if (held === place) break
    }
    if (place === 0 && dealt[0] !== 0) return dealt
  }
}
