import type { Draw } from "./random.ts"

/** Maximum bytes of an input: quadratic time shows at this size, and small inputs run fast. */
export const mostBytes = 1 << 14

const numbers = ["0", "-1", "1", "255", "256", "65535", "65536", "2147483647", "-2147483648", "4294967295", "1e999"]
const bytes = [0, 1, 9, 10, 13, 32, 34, 44, 92, 127, 128, 0xc3, 0xef, 0xff]

/** What mutation draws from. */
export interface MutationSource {
  draw: Draw
  /** Words of the format. */
  words: readonly Uint8Array[]
  /** Another input, to take parts from. */
  other: Uint8Array
}

type Mutation = (input: Uint8Array, source: MutationSource) => Uint8Array

/** Replaces input[from, to) with `part`. */
function replace(input: Uint8Array, [from, to]: [number, number], part: Uint8Array): Uint8Array {
  return Buffer.concat([input.subarray(0, from), part, input.subarray(to)])
}

const place = (input: Uint8Array, draw: Draw) => draw(input.length + 1)

/** Usually a short range, sometimes a long one. */
function range(input: Uint8Array, draw: Draw): [number, number] {
  const from = place(input, draw)
  const length = draw(4) === 0 ? draw(input.length + 1) : 1 + draw(16)
  return [from, Math.min(input.length, from + length)]
}

const flipBit: Mutation = (input, { draw }) => {
  const out = new Uint8Array(input) // slice of a Buffer does not copy
  if (out.length > 0) out[draw(out.length)] ^= 1 << draw(8)
  return out
}

const setByte: Mutation = (input, { draw }) => {
  const out = new Uint8Array(input) // slice of a Buffer does not copy
  if (out.length > 0) out[draw(out.length)] = draw(2) === 0 ? bytes[draw(bytes.length)] : draw(256)
  return out
}

const insertByte: Mutation = (input, { draw }) => {
  const at = place(input, draw)
  return replace(input, [at, at], Uint8Array.of(bytes[draw(bytes.length)]))
}

const deleteBlock: Mutation = (input, { draw }) => replace(input, range(input, draw), new Uint8Array(0))

const copyBlock: Mutation = (input, { draw }) => {
  const part = input.slice(...range(input, draw))
  const at = place(input, draw)
  return replace(input, draw(2) === 0 ? [at, at] : [at, Math.min(input.length, at + part.length)], part)
}

/** Repeats a block many times. */
const repeatBlock: Mutation = (input, { draw }) => {
  const [from, to] = range(input, draw)
  const part = input.subarray(from, to)
  const times = draw(64) === 0 ? Math.floor(mostBytes / Math.max(1, part.length)) : 2 + draw(8)
  return replace(input, [to, to], Buffer.concat(Array.from({ length: times }, () => part)))
}

const putWord: Mutation = (input, { draw, words }) => {
  if (words.length === 0) return input
  const at = place(input, draw)
  return replace(input, draw(2) === 0 ? [at, at] : range(input, draw), words[draw(words.length)])
}

const digits = /-?\d+/g

/** Replaces a number of the text with another, at a limit of some type. */
const putNumber: Mutation = (input, { draw }) => {
  const found = [...Buffer.from(input).toString("latin1").matchAll(digits)]
  if (found.length === 0) return input
  const { index, 0: number } = found[draw(found.length)]
  return replace(input, [index, index + number.length], Buffer.from(numbers[draw(numbers.length)]))
}

const tokens = /"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b|\[\]|\{\}/g
const values = ['""', "0", "-1", "0.5", "null", "true", "[]", "{}", "1e300", "9007199254740993", "[0]", '"\\ud800"']

/** Replaces a JSON value with another, from this input or from a list. */
const putValue: Mutation = (input, { draw }) => {
  const found = [...Buffer.from(input).toString("latin1").matchAll(tokens)]
  if (found.length === 0) return input
  const { index, 0: token } = found[draw(found.length)]
  const value = draw(2) === 0 ? found[draw(found.length)][0] : values[draw(values.length)]
  return replace(input, [index, index + token.length], Buffer.from(value, "latin1"))
}

/** Replaces four bytes with a number, little-endian. */
const putBinary: Mutation = (input, { draw }) => {
  const out = Buffer.from(input)
  if (out.length < 4) return out
  const value = [0, 1, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, out.length, draw(64)][draw(8)]
  out.writeUInt32LE(value, draw(out.length - 3))
  return out
}

/** Joins the start of this input and the end of another. */
const splice: Mutation = (input, { draw, other }) =>
  Buffer.concat([input.subarray(0, place(input, draw)), other.subarray(place(other, draw))])

const takeBlock: Mutation = (input, { draw, other }) =>
  replace(
    input,
    [place(input, draw), place(input, draw)].sort((a, b) => a - b) as [number, number],
    other.subarray(...range(other, draw)),
  )

const mutations: readonly Mutation[] = [
  flipBit,
  setByte,
  insertByte,
  deleteBlock,
  copyBlock,
  repeatBlock,
  putWord,
  putWord,
  putNumber,
  putValue,
  putValue,
  putBinary,
  splice,
  takeBlock,
]

/** Changes an input in some places, usually few. */
export function mutate(input: Uint8Array, source: MutationSource): Uint8Array {
  const { draw } = source
  let out = input
  for (let left = 1 << draw(4); left > 0; left--) {
    out = mutations[draw(mutations.length)](out, source).subarray(0, mostBytes)
  }
  return out
}
