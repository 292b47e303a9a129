import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { type InputPositions, unnamedInput } from "../store/positions.ts"

/**
 * How far a file was read, in the words that the journal keeps: plain bytes (unpacked, where the file is packed) that were
 * consumed, and the digest of its first ones, by which it is known to be the same file again.
 */
export interface FilePosition {
  bytes: number
  headLength: number
  head: string
  /** The bytes from there up to `to` were sorted by time, and so many of the sorted lines consumed. */
  sorted?: SortedStretch
}

/** A stretch of a file that was sorted, how much of it was consumed, and the digest of its bytes as the file has them. */
export interface SortedStretch {
  to: number
  digest: string
  lines: number
}

const headLimit = 4096

/** Says positions in a file, of which it is shown everything from the beginning on. */
export class PositionWriter {
  #head = Buffer.alloc(0)
  #said: FilePosition | undefined

  /** The next plain bytes; all but the first few are of no interest. */
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

/** The name under which a file's position is kept, however the path is written. */
export const fileInputName = (path: string): string => resolve(path)

/**
 * Where a file is to be taken up: by its name, else by its beginning. A file that begins with what was read under a name
 * that is not in use now was moved, and goes on there. Undefined for a file that is new to the store.
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

/** A position that an earlier run left. */
export function parsePosition(text: string, path: string): FilePosition {
  const position = readPosition(text)
  if (position !== undefined) return position
  throw new QueryveilError(
    "input-changed",
    `${path}: the store was filled from another kind of input. Go on with that one, or begin with a new store.`,
    { file: path },
  )
}

const beginsAlike = ({ headLength, head }: FilePosition, found: Uint8Array) =>
  found.length >= headLength && digestOf(found.subarray(0, headLength)) === head

/** Refuses a file that is not the one a position is about. `head` is its first plain bytes. */
export function checkSameFile(position: FilePosition, head: Uint8Array, path: string): void {
  if (beginsAlike(position, head)) return
  throw new QueryveilError(
    "input-changed",
    `${path}: is not the file that the store was filled from: it begins otherwise. Give that file, or begin with a new store.`,
    { file: path },
  )
}

export function cutShort(path: string): QueryveilError {
  return new QueryveilError(
    "input-changed",
    `${path}: is shorter than what was read of it before. Give the whole file, or begin with a new store.`,
    { file: path },
  )
}
