import { mixWords } from "../kernels/random.ts"
import { givenNames } from "../text/identifiers/given-names.ts"
import { coinTown, coinWord } from "./coin-word.ts"

/** Kinds of secrets that are planted in a synthetic log, to see whether they survive. */
export const secretKinds = ["name-town", "card", "address", "common-words"] as const
/** One of `secretKinds`. */
export type SecretKind = (typeof secretKinds)[number]

export interface Secret {
  kind: SecretKind
  text: string
  /** How often its holder searches it, over time. */
  searches: number
}

/** Number of users who may share a secret: a family, colleagues. They are far apart in the file. */
const groupSize = 8
/** Of a hundred secrets: how many have one holder, two, … six. */
const holderShares = [46, 20, 12, 9, 7, 6]
/** Mean number of events of a secret: holders, searches of each holder, and further pages. */
const eventsPerSecret = 3.8

const names = [...givenNames].filter((name) => /^[a-z]+$/.test(name))
const scratch = new Uint8Array(256)
const textOf = (end: number) => Buffer.from(scratch.buffer, 0, end).toString("latin1")
const coined = (low: number, high: number) => textOf(coinWord(scratch, 0, low >>> 0, high))
const town = (id: number) => textOf(coinTown(scratch, 0, id >>> 0))

/** Sentences of common words only that are still revealing: one part from each column. */
const confessions = [
  [
    "my husband", "my wife", "my son", "my daughter", "my boss", "my sister", "my brother", "my father", "my mother",
    "my doctor", "my best friend", "my teacher",
  ],
  [
    "lost", "sold", "found", "hid", "took", "burned", "gave away", "stole", "broke", "wants", "knows about",
    "lied about",
  ],
  [
    "the house", "the car", "the money", "my letters", "the dog", "our baby", "my medicine", "the test", "his job",
    "the ring", "my pictures", "the gun",
  ],
  [
    "after the accident", "because of the drinking", "before the wedding", "in the hospital", "when i was pregnant",
    "on our vacation", "at the church", "since the war", "at the school party", "and called the police",
    "and will not tell me", "in a small town",
  ],
] as const // biome-ignore format: a table

/**
 * The secrets that a user holds. Secrets belong to groups of eight users, and each has one to six holders among them,
 * so that several people search some of them. `perUser` is the expected number of searches with a secret.
 */
export function secretsOf(user: number, options: { seed: number; users: number; perUser: number }): Secret[] {
  const { seed, users, perUser } = options
  const groups = Math.ceil(users / groupSize)
  const group = user % groups
  const member = Math.floor(user / groups)
  const salt = mixWords(seed ^ 0x73656372, group)
  const expected = (perUser * groupSize) / eventsPerSecret
  const count = Math.floor(expected) + (salt / 2 ** 32 < expected % 1 ? 1 : 0)
  const held: Secret[] = []
  for (let i = 0; i < count; i++) {
    const key = mixWords(salt, i + 1)
    const holders = holdersOf(key % 100)
    if ((member + (key >>> 8)) % groupSize >= holders) continue
    const kind = secretKinds[(key >>> 16) % secretKinds.length]
    held.push({ kind, text: secretText(kind, key), searches: 1 + (mixWords(key, user) % 10 < 4 ? 1 : 0) })
  }
  return held
}

function holdersOf(percent: number): number {
  let left = percent
  for (let i = 0; i < holderShares.length; i++) {
    left -= holderShares[i]
    if (left < 0) return i + 1
  }
  return holderShares.length
}

function secretText(kind: SecretKind, key: number): string {
  const bits = mixWords(key, 11)
  const more = mixWords(key, 12)
  if (kind === "name-town") return `${names[bits % names.length]} ${coined(bits, 3)} ${town(more % 20_000)}`
  if (kind === "card") return `${["visa", "card", "credit card", "account"][more % 4]} ${cardNumber(bits, more)}`
  if (kind === "address") {
    const street = ["street", "avenue", "road", "lane", "drive"][more % 5]
    return `${1 + (bits % 9999)} ${coined(bits, 4)} ${street} ${town(more % 20_000)}`
  }
  return confessions.map((column, i) => column[mixWords(bits, i) % column.length]).join(" ")
}

/** Sixteen digits of a range reserved for tests (4000 00). The last follows Luhn's rule. */
function cardNumber(bits: number, more: number): string {
  const body = `400000${String(bits % 1e5).padStart(5, "0")}${String(more % 1e4).padStart(4, "0")}`
  const sum = [...body].reduce((total, digit, i) => {
    const doubled = i % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`.replace(/(....)(?=.)/g, "$1 ")
}
