import {
  add,
  and,
  bitmask,
  type Code,
  call,
  clearMemory,
  defineFunction,
  differ,
  equal,
  giveBack,
  greater,
  i32,
  isZero,
  less,
  load8,
  load32,
  loadVector,
  mul,
  or,
  sameBytes,
  shiftLeft,
  shiftRight,
  store32,
  storeVector,
  sub,
  unreachable,
  type WasmFunction,
  when,
  whileTrue,
  xor,
} from "../../../kernels/wasm/assemble.ts"
import { maxSlots, part, state } from "./memory-map.ts"

/** 1 if two texts of `length` bytes are the same. Bytes after the texts are read and not compared. */
const same = defineFunction("same", { params: ["a", "b", "length"], integers: ["i", "alike"] }, (v, set) => [
  whileTrue(less(v.i, v.length), [
    set("alike", bitmask(sameBytes(loadVector(add(v.a, v.i)), loadVector(add(v.b, v.i))))),
    when(less(sub(v.length, v.i), i32(16)), set("alike", or(v.alike, shiftLeft(i32(-1), sub(v.length, v.i))))),
    when(differ(and(v.alike, i32(0xffff)), i32(0xffff)), giveBack(i32(0))),
    set("i", add(v.i, i32(16))),
  ]),
  i32(1),
])

const mixed = (hash: Code, { shift, factor }: { shift: number; factor: number }) =>
  mul(xor(hash, shiftRight(hash, i32(shift))), i32(factor))

/** `hashBytes` of `kernels/dictionary.ts`. */
const hash = defineFunction("hash", { params: ["at", "length"], integers: ["end", "hash"] }, (v, set) => [
  set("end", add(v.at, v.length)),
  set("hash", load32(i32(state.at), state.seed)),
  whileTrue(less(v.at, v.end), [
    set("hash", mul(xor(v.hash, load8(v.at)), i32(0x01000193))),
    set("at", add(v.at, i32(1))),
  ]),
  set("hash", mixed(v.hash, { shift: 16, factor: 0x85ebca6b })),
  set("hash", mixed(v.hash, { shift: 13, factor: 0xc2b2ae35 })),
  xor(v.hash, shiftRight(v.hash, i32(16))),
])

const slotOf = (table: Code, slot: Code) => add(table, shiftLeft(slot, i32(3)))
const entryOf = (column: Code, id: Code) => add(column, shiftLeft(id, i32(2)))

/** Doubles the table of a dictionary. */
const grow = defineFunction(
  "grow",
  { params: ["dictionary"], integers: ["mask", "table", "hashes", "size", "id", "slot", "hash"] },
  (v, set) => [
    set("mask", add(shiftLeft(load32(v.dictionary, part.mask), i32(1)), i32(1))),
    set("table", load32(v.dictionary, part.table)),
    set("hashes", load32(v.dictionary, part.hashes)),
    set("size", load32(v.dictionary, part.size)),
    store32(v.dictionary, v.mask, part.mask),
    clearMemory(v.table, slotOf(i32(0), add(v.mask, i32(1)))),
    whileTrue(less(v.id, v.size), [
      set("hash", load32(entryOf(v.hashes, v.id))),
      set("slot", and(v.hash, v.mask)),
      whileTrue(load32(slotOf(v.table, v.slot), 4), set("slot", and(add(v.slot, i32(1)), v.mask))),
      store32(slotOf(v.table, v.slot), v.hash),
      set("id", add(v.id, i32(1))),
      store32(slotOf(v.table, v.slot), v.id, 4),
    ]),
    i32(0),
  ],
)

/** Adds a text to a dictionary, at a free slot. Returns its id. */
const append = defineFunction(
  "append",
  { params: ["dictionary", "text", "length", "hash", "slot"], integers: ["id", "from", "to", "i"] },
  (v, set) => [
    set("id", load32(v.dictionary, part.size)),
    set("from", load32(entryOf(load32(v.dictionary, part.offsets), v.id))),
    set("to", add(load32(v.dictionary, part.arena), v.from)),
    whileTrue(less(v.i, v.length), [
      storeVector(add(v.to, v.i), loadVector(add(v.text, v.i))),
      set("i", add(v.i, i32(16))),
    ]),
    store32(entryOf(load32(v.dictionary, part.offsets), v.id), add(v.from, v.length), 4),
    store32(entryOf(load32(v.dictionary, part.hashes), v.id), v.hash),
    store32(v.slot, v.hash),
    store32(v.slot, add(v.id, i32(1)), 4),
    store32(v.dictionary, add(v.id, i32(1)), part.size),
    when(greater(mul(add(v.id, i32(1)), i32(2)), load32(v.dictionary, part.mask)), [
      when(less(load32(v.dictionary, part.mask), i32(maxSlots - 1)), [call("grow", v.dictionary), 0x1a]),
    ]),
    v.id,
  ],
)

/** The id of a text with this hash. Works as `Interner.intern`. */
const intern = defineFunction(
  "intern",
  {
    params: ["dictionary", "text", "length", "hash"],
    integers: ["mask", "table", "slot", "at", "held"],
  },
  (v, set) => [
    set("mask", load32(v.dictionary, part.mask)),
    set("table", load32(v.dictionary, part.table)),
    set("slot", and(v.hash, v.mask)),
    whileTrue(i32(1), [
      set("at", slotOf(v.table, v.slot)),
      set("held", load32(v.at, 4)),
      when(isZero(v.held), giveBack(call("append", v.dictionary, v.text, v.length, v.hash, v.at))),
      when(equal(load32(v.at), v.hash), [
        set("held", sub(v.held, i32(1))),
        when(call("isEntry", v.dictionary, v.held, v.text, v.length), giveBack(v.held)),
      ]),
      set("slot", and(add(v.slot, i32(1)), v.mask)),
    ]),
    unreachable,
  ],
)

/** 1 if the text of this id is the given one. */
const isEntry = defineFunction(
  "isEntry",
  { params: ["dictionary", "id", "text", "length"], integers: ["place", "offset"] },
  (v, set) => [
    set("place", entryOf(load32(v.dictionary, part.offsets), v.id)),
    set("offset", load32(v.place)),
    when(differ(sub(load32(v.place, 4), v.offset), v.length), giveBack(i32(0))),
    call("same", add(load32(v.dictionary, part.arena), v.offset), v.text, v.length),
  ],
)

/** The id of a text. Most texts of a log are those of the line before, so that one is compared first. */
const internNext = defineFunction(
  "internNext",
  { params: ["dictionary", "text", "length"], integers: ["last"] },
  (v, set) => [
    set("last", load32(v.dictionary, part.last)),
    when(less(i32(-1), v.last), when(call("isEntry", v.dictionary, v.last, v.text, v.length), giveBack(v.last))),
    set("last", call("intern", v.dictionary, v.text, v.length, call("hash", v.text, v.length))),
    store32(v.dictionary, v.last, part.last),
    v.last,
  ],
)

/** Functions that give texts ids. */
export const internCode: readonly WasmFunction[] = [same, hash, grow, append, intern, isEntry, internNext]
