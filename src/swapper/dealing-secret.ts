import { QueryveilError } from "../kernels/error.ts"
import type { PairSeeds } from "../kernels/pair-hash.ts"
import { derivePairSeeds } from "../kernels/pair-seeds.ts"
import type { RandomSource } from "../kernels/random.ts"
import { type Table, tableOf } from "../kernels/table.ts"

/** The secret under which cells are dealt. Its version distinguishes it from the secrets that it replaced. */
export interface DealingSecret {
  /** `dealingKeyBytes` bytes. */
  key: Uint8Array
  /** A whole number from 1. It is part of everything that is derived from the key. */
  version: number
}

/** Length of a key in bytes. */
const dealingKeyBytes = 32
const firstVersion = 1

/** The secret with this key and the first version. */
export const firstSecret = (key: Uint8Array): DealingSecret => ({ key, version: firstVersion })

/** Draws a secret. It can be drawn again only if the source is seeded. */
export function drawSecret(random: RandomSource): DealingSecret {
  const words = new Uint32Array(dealingKeyBytes / 4)
  random.fill(words)
  return firstSecret(Buffer.from(words.buffer))
}

/** The seeds of the hash in a record's position (docs/methods/swap.md). */
export function positionSeeds({ key, version }: DealingSecret): PairSeeds {
  return derivePairSeeds(key, `queryveil positions, secret ${version}`)
}

const columns = ["version", "key"] as const

/** The secret as the side table `dealing` of an audit. */
export function dealingTable({ key, version }: DealingSecret): Table {
  return tableOf(columns, [[version, Buffer.from(key).toString("hex")]])
}

const keyForm = "[0-9a-f]{64}"
const aloneForm = new RegExp(`^${keyForm}$`, "i")
const tableForm = new RegExp(`^${columns.join("\\t")}\\r?\\n([1-9][0-9]{0,8})\\t(${keyForm})$`, "i")

/**
 * Reads a secret: 64 hex digits alone (the first version), or the text of the table `dealing`. Throws `option-value`,
 * without the text, if it is neither.
 */
export function parseSecret(text: string): DealingSecret {
  const found = text.trim()
  if (aloneForm.test(found)) return firstSecret(Buffer.from(found, "hex"))
  const [, version, key] = tableForm.exec(found) ?? []
  if (version !== undefined && key !== undefined) return { key: Buffer.from(key, "hex"), version: Number(version) }
  throw new QueryveilError(
    "option-value",
    "--dealing-key: expected a key of 64 hex digits, or the dealing.tsv of an audit as it is. Check the file.",
    { flag: "--dealing-key" },
  )
}
