import { Type } from "#typebox"
import { hashBytes } from "../kernels/dictionary.ts"
import type { SearchLog } from "../log/search-log.ts"

/** How users are split into folds, for every measure that learns from some users and tests on the others. */
export const foldOptions = Type.Object({
  folds: Type.Integer({ default: 5, minimum: 2, maximum: 100, description: "split users into this many parts" }),
  foldSeed: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 0xffff_ffff,
    description: "draw folds and tests from this seed",
  }),
})

/** The fold of each user. It depends only on their id and the seed. */
export function splitUsers({ users }: SearchLog, { folds, seed }: { folds: number; seed: number }): Uint8Array {
  return Uint8Array.from({ length: users.size }, (_, user) => hashText(users.bytes(user), seed) % folds)
}

/** Marks each user of a fold with a 1. */
export const usersOfFold = (foldOf: Uint8Array, fold: number) => foldOf.map((own) => (own === fold ? 1 : 0))

export const hashText = (bytes: Uint8Array, seed: number) => hashBytes(bytes, 0, bytes.length, seed)
