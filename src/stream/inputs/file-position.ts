import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { type InputPositions, unnamedInput } from "../store/positions.ts"

/**
 * How far a file was read, as the journal stores it: the number of plain bytes consumed (unpacked, if the file is
 * packed), and the digest of its first bytes, which identifies the file.
 */
export interface FilePosition {
  bytes: number
  headLength: number
  head: string
  /** The bytes from `bytes` up to `to` were sorted by time, and `lines` of the sorted lines were consumed. */
  sorted?: SortedStretch
}

/**
 * A sorted stretch of a file: its end, the digest of its bytes in file order, and how many sorted lines were consumed.
 */
export interface SortedStretch {
  to: number
  digest: string
  lines: number
}

const headLimit = 4096

/** Writes positions in a file. It must see every byte of the file from the beginning. */
export class PositionWriter {
  #head = Buffer.alloc(0)
  #said: FilePosition | undefined

  /** Takes the next plain bytes. Only the first `headLimit` bytes of the file are used. */
  see(chunk: Uint8Array): void {
    if (this.#head.length < headLimit)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headLimit - this.#head.length)])
  }

  at(bytes: number, sorted?: SortedStretch): string {
    const headLength = Math.min(headLimit, sorted?.to ?? bytes)
    if (this.#said?.headLength !== headLength) {
      const head = digestOf(this.#head.subarray(0, headLength))
      this.#said = { bytes, headLength, head }
    }
    return JSON.stringify({ ...this.#said, bytes, ...(sorted === undefined ? {} : { sorted }) })
  }
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

const whole = Type.Integer({ minimum: 0 })

const positionSchema = Type.Object({
  bytes: whole,
  headLength: whole,
  head: Type.String(),
  sorted: Type.Optional(Type.Object({ to: whole, digest: Type.String(), lines: whole })),
})

/** The name under which a file's position is kept. It is the same however the path is written. */
export const fileInputName = (path: string): string => resolve(path)

/**
 * Finds where to resume a file: by its name, else by its beginning. If the file begins with what was read under a name
 * that is not in use now, it was moved, and reading continues there. Undefined for a file that is new to the store.
 */
export async function findPosition(
  positions: InputPositions,
  file: { path: string; name: string; namesInUse: readonly string[]; head(length: number): Promise<Uint8Array> },
): Promise<FilePosition | undefined> {
  const own = positions[file.name] ?? positions[unnamedInput]
  if (own !== undefined) return parsePosition(own, file.path)
  const left = Object.entries(positions).filter(([name]) => !file.namesInUse.includes(name))
  if (left.length === 0) return undefined
  const head = await file.head(headLimit)
  return left
    .flatMap(([, text]) => readPosition(text) ?? [])
    .find((position) => {
      return position.headLength > 0 && beginsAlike(position, head)
    })
}

function readPosition(text: string): FilePosition | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(positionSchema, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Parses a position that an earlier run stored. */
export function parsePosition(text: string, path: string): FilePosition {
  const position = readPosition(text)
  if (position !== undefined) return position
  throw new QueryveilError(
    "input-changed",
    `${path}: the store was filled from another kind of input. Use that input, or start with a new store.`,
    { file: path },
  )
}

const beginsAlike = ({ headLength, head }: FilePosition, found: Uint8Array) =>
  found.length >= headLength && digestOf(found.subarray(0, headLength)) === head

/** Refuses a file that is not the one that the position describes. `head` is the file's first plain bytes. */
export function checkSameFile(position: FilePosition, head: Uint8Array, path: string): void {
  if (beginsAlike(position, head)) return
  throw new QueryveilError(
    "input-changed",
    `${path}: not the file that the store was filled from. Give that file, or start with a new store.`,
    { file: path },
  )
}

export function cutShort(path: string): QueryveilError {
  return new QueryveilError(
    "input-changed",
    `${path}: is shorter than what was read of it before. Give the whole file, or start with a new store.`,
    { file: path },
  )
}
