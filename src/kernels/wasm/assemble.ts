/**
 * A small assembler for WebAssembly. Code is nested lists of bytes, so a function reads as a tree of instructions:
 * `set("i", add(v.i, i32(16)))`. The list of instructions has only those that this package uses. Their numbers are in
 * the WebAssembly specification, section 5.4.
 */
export type Code = number | { call: string } | readonly Code[]

/** A function. Its parameters are 32-bit integers, and it returns one. */
export interface WasmFunction {
  name: string
  params: number
  /** How many locals there are of each type, after the parameters. */
  integers: number
  vectors: number
  body: Code
}

const [i32Type, v128Type] = [0x7f, 0x7b]

/** Describes a function. `body` gets the code that reads each local, and a function that sets one. */
export function defineFunction<N extends string>(
  name: string,
  { params, integers = [], vectors = [] }: { params: readonly N[]; integers?: readonly N[]; vectors?: readonly N[] },
  body: (v: Record<N, Code>, set: (local: N, value: Code) => Code) => Code,
): WasmFunction {
  const names = [...params, ...integers, ...vectors]
  const read = Object.fromEntries(names.map((local, i): [string, Code] => [local, [0x20, unsigned(i)]]))
  const set = (local: N, value: Code): Code => [value, 0x21, unsigned(names.indexOf(local))]
  return {
    name,
    params: params.length,
    integers: integers.length,
    vectors: vectors.length,
    body: body(read as Record<N, Code>, set),
  }
}

/** Binary form of a module with these functions, and with a memory of `pages` times 64 KiB. All of it is exported. */
export function assembleModule({
  pages,
  functions,
}: {
  pages: number
  functions: readonly WasmFunction[]
}): Uint8Array {
  const index = new Map(functions.map(({ name }, i) => [name, i]))
  const types = functions.map(({ params }) => [0x60, list(Array<Code>(params).fill(i32Type)), list([i32Type])])
  const bodies = functions.map(({ integers, vectors, body }) => {
    const locals = [[unsigned(integers), i32Type] as Code, [unsigned(vectors), v128Type] as Code]
    return sized([list(locals), body, 0x0b], index)
  })
  const exported = (name: string, kind: number, at: number): Code => [list([...Buffer.from(name)]), kind, unsigned(at)]
  const sections: [number, Code][] = [
    [1, list(types)],
    [3, list(functions.map((_, i) => unsigned(i)))],
    [5, list([[1, unsigned(pages), unsigned(pages)]])],
    [7, list([exported("memory", 2, 0), ...functions.map(({ name }, i) => exported(name, 0, i))])],
    [10, list(bodies)],
  ]
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  return Uint8Array.from(flatten([header, sections.map(([id, content]) => [id, sized(content, index)])], index))
}

function flatten(code: Code, index: ReadonlyMap<string, number>): number[] {
  const bytes: number[] = []
  const add = (piece: Code) => {
    if (typeof piece === "number") bytes.push(piece)
    else if ("call" in piece) add([0x10, unsigned(index.get(piece.call) ?? -1)])
    else for (const part of piece) add(part)
  }
  add(code)
  return bytes
}

function sized(code: Code, index: ReadonlyMap<string, number>): Code {
  const bytes = flatten(code, index)
  return [unsigned(bytes.length), bytes]
}

const list = (items: readonly Code[]): Code => [unsigned(items.length), items]

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest]
    bytes.push((rest & 0x7f) | 0x80)
  }
}

function signed(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value | 0; ; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...bytes, rest & 0x7f]
    bytes.push((rest & 0x7f) | 0x80)
  }
}

export const i32 = (value: number): Code => [0x41, signed(value)]
const operator =
  (opcode: number) =>
  (a: Code, b: Code): Code => [a, b, opcode]
export const [add, sub, mul, divide] = [0x6a, 0x6b, 0x6c, 0x6e].map(operator) as [Op, Op, Op, Op]
export const [and, or, xor, shiftLeft, shiftRight] = [0x71, 0x72, 0x73, 0x74, 0x76].map(operator) as [
  Op,
  Op,
  Op,
  Op,
  Op,
]
export const [equal, differ] = [0x46, 0x47].map(operator) as [Op, Op]
/** Of signed integers. */
export const [less, greater, atLeast] = [0x48, 0x4a, 0x4e].map(operator) as [Op, Op, Op]
/** Of unsigned integers. */
export const above = operator(0x4b)
type Op = (a: Code, b: Code) => Code

export const isZero = (value: Code): Code => [value, 0x45]
/** The place of the lowest 1. */
export const lowestBit = (value: Code): Code => [value, 0x68]

/** Memory may be read and written at any address. `offset` is added to it. */
const access =
  (opcode: readonly number[]) =>
  (address: Code, offset = 0): Code => [address, opcode, 0, unsigned(offset)]
export const load32 = access([0x28])
export const load8 = access([0x2d])
export const loadVector = access([0xfd, 0x00])
const put =
  (opcode: readonly number[]) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, opcode, 0, unsigned(offset)]
export const store32 = put([0x36])
export const store16 = put([0x3b])
export const storeVector = put([0xfd, 0x0b])
/** Fills `length` bytes from `address` on with zeros. */
export const clearMemory = (address: Code, length: Code): Code => [address, i32(0), length, 0xfc, 0x0b, 0]

/** Vectors of sixteen bytes. */
export const sixteen = (byte: number): Code => [0xfd, 0x0c, Array<number>(16).fill(byte)]
export const vector = (text: string): Code => [0xfd, 0x0c, [...Buffer.from(text, "latin1")]]
const vectorOperator =
  (opcode: number) =>
  (a: Code, b: Code): Code => [a, b, 0xfd, opcode]
export const [sameBytes, lessSigned, lessUnsigned] = [0x23, 0x25, 0x26].map(vectorOperator) as [Op, Op, Op]
export const [andVectors, orVectors, subVectors] = [0x4e, 0x50, 0x71].map(vectorOperator) as [Op, Op, Op]
/** A bit for each byte: its highest one. */
export const bitmask = (value: Code): Code => [value, 0xfd, 0x64]

export const call = (name: string, ...args: readonly Code[]): Code => [args, { call: name }]
export const giveBack = (value: Code): Code => [value, 0x0f]
export const when = (condition: Code, then: Code, otherwise: Code = []): Code => {
  return [condition, 0x04, 0x40, then, 0x05, otherwise, 0x0b]
}
/** Repeats `body` as long as the condition is not 0. */
export const whileTrue = (condition: Code, body: Code): Code => {
  return [0x02, 0x40, 0x03, 0x40, isZero(condition), 0x0d, 1, body, 0x0c, 0, 0x0b, 0x0b]
}
/** For the end of a function that cannot be reached. */
export const unreachable: Code = [0x00]
