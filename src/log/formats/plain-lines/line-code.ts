import {
  above,
  add,
  and,
  andVectors,
  atLeast,
  bitmask,
  type Code,
  call,
  defineFunction,
  differ,
  divide,
  equal,
  giveBack,
  greater,
  i32,
  less,
  lessSigned,
  lessUnsigned,
  load8,
  load32,
  loadVector,
  lowestBit,
  mul,
  or,
  orVectors,
  sameBytes,
  shiftLeft,
  shiftRight,
  sixteen,
  store16,
  store32,
  storeVector,
  sub,
  subVectors,
  unreachable,
  vector,
  type WasmFunction,
  when,
  whileTrue,
} from "../../../kernels/wasm/assemble.ts"
import { unknownRank } from "../../search-log.ts"
import { columns, fieldEnds, queries, scratch, state, urls, users } from "./memory-map.ts"

const [tab, lineFeed, carriageReturn, space, del] = [9, 10, 13, 32, 127]
/** Longer lines are not plain. So no field of a plain line is longer than `maxFieldBytes`. */
const longestLine = 60_000

/** What a function returns if a line is not plain. */
const notPlain = i32(-1)
const known = (offset: number) => load32(i32(state.at), offset)
const know = (offset: number, value: Code) => store32(i32(state.at), value, offset)
const fieldPlace = (field: Code) => add(i32(fieldEnds), shiftLeft(field, i32(2)))
const endOf = (field: Code) => load32(fieldPlace(field))
const startOf = (field: Code) => add(load32(sub(fieldPlace(field), i32(4))), i32(1))

/**
 * Cuts the line that starts here into fields, and returns the position of its line feed. Looks at sixteen bytes at
 * once. A line is not plain if it has a character that is not printable ASCII, too many fields, or too many bytes. A
 * carriage return before the line feed is white space at the end of the last field.
 */
const cutLine = defineFunction(
  "cutLine",
  { params: ["start"], integers: ["at", "marks", "place", "fields", "byte"], vectors: ["text"] },
  (v, set) => [
    set("at", v.start),
    store32(i32(fieldEnds - 4), sub(v.start, i32(1))),
    whileTrue(i32(1), [
      set("text", loadVector(v.at)),
      set("marks", bitmask(orVectors(lessSigned(v.text, sixteen(space)), sameBytes(v.text, sixteen(del))))),
      whileTrue(v.marks, [
        set("place", add(v.at, lowestBit(v.marks))),
        set("marks", and(v.marks, sub(v.marks, i32(1)))),
        set("byte", load8(v.place)),
        store32(fieldPlace(v.fields), v.place),
        set("fields", add(v.fields, i32(1))),
        when(equal(v.byte, i32(tab)), when(atLeast(v.fields, known(state.maxFields)), giveBack(notPlain)), [
          when(less(v.fields, known(state.minFields)), giveBack(notPlain)),
          know(state.fields, v.fields),
          when(equal(v.byte, i32(lineFeed)), giveBack(v.place)),
          when(differ(v.byte, i32(carriageReturn)), giveBack(notPlain)),
          when(known(state.verbatim), giveBack(notPlain)),
          when(differ(load8(v.place, 1), i32(lineFeed)), giveBack(notPlain)),
          giveBack(add(v.place, i32(1))),
        ]),
      ]),
      set("at", add(v.at, i32(16))),
      when(greater(sub(v.at, v.start), i32(longestLine)), giveBack(notPlain)),
    ]),
    unreachable,
  ],
)

const noPlainTime = i32(-0x8000_0000)
const timeShape = "0000-00-00 00:00"
const shapeBits = (isIncluded: (char: string) => boolean) =>
  [...timeShape].reduce((bits, char, i) => (isIncluded(char) ? bits | (1 << i) : bits), 0)
const digitBits = shapeBits((char) => char === "0")
const separatorBits = shapeBits((char) => char !== "0")
const digitAt = (at: Code, place: number) => sub(load8(at, place), i32(48))
const twoDigits = (at: Code, place: number) => add(mul(digitAt(at, place), i32(10)), digitAt(at, place + 1))

/** `YYYY-MM-DD hh:mm:ss` as UTC seconds, for the years from 1902 to 2037. They fit in 32 bits. */
const readTime = defineFunction(
  "readTime",
  { params: ["at"], integers: ["year", "month", "day", "hour", "minute", "second", "shifted"], vectors: ["text"] },
  (v, set) => [
    set("text", loadVector(v.at)),
    when(
      differ(bitmask(lessUnsigned(subVectors(v.text, sixteen(48)), sixteen(10))), i32(digitBits)),
      giveBack(noPlainTime),
    ),
    when(
      differ(and(bitmask(sameBytes(v.text, vector(timeShape))), i32(separatorBits)), i32(separatorBits)),
      giveBack(noPlainTime),
    ),
    when(differ(load8(v.at, 16), i32(58)), giveBack(noPlainTime)),
    when(above(digitAt(v.at, 17), i32(9)), giveBack(noPlainTime)),
    when(above(digitAt(v.at, 18), i32(9)), giveBack(noPlainTime)),
    set("year", add(mul(twoDigits(v.at, 0), i32(100)), twoDigits(v.at, 2))),
    set("month", twoDigits(v.at, 5)),
    set("day", twoDigits(v.at, 8)),
    set("hour", twoDigits(v.at, 11)),
    set("minute", twoDigits(v.at, 14)),
    set("second", twoDigits(v.at, 17)),
    when(above(sub(v.year, i32(1902)), i32(2037 - 1902)), giveBack(noPlainTime)),
    when(above(sub(v.month, i32(1)), i32(11)), giveBack(noPlainTime)),
    when(above(sub(v.day, i32(1)), i32(30)), giveBack(noPlainTime)),
    when(greater(v.hour, i32(23)), giveBack(noPlainTime)),
    when(greater(v.minute, i32(59)), giveBack(noPlainTime)),
    when(greater(v.second, i32(59)), giveBack(noPlainTime)),
    when(greater(v.day, i32(28)), [
      when(
        equal(v.month, i32(2)),
        [
          // Every fourth year of these is a leap year.
          when(greater(v.day, i32(29)), giveBack(noPlainTime)),
          when(and(v.year, i32(3)), giveBack(noPlainTime)),
        ],
        // Odd months up to July and even months from August on have 31 days.
        when(
          greater(v.day, add(i32(30), and(add(v.month, shiftRight(v.month, i32(3))), i32(1)))),
          giveBack(noPlainTime),
        ),
      ),
    ]),
    // As `daysFromCivil`: years start in March.
    set("shifted", sub(v.month, i32(3))),
    when(less(v.shifted, i32(0)), [set("shifted", add(v.shifted, i32(12))), set("year", sub(v.year, i32(1)))]),
    set("day", add(v.day, divide(add(mul(v.shifted, i32(153)), i32(2)), i32(5)))),
    set("day", add(v.day, add(mul(v.year, i32(365)), shiftRight(v.year, i32(2))))),
    set("day", add(v.day, sub(divide(v.year, i32(400)), divide(v.year, i32(100))))),
    set("day", sub(v.day, i32(719469))),
    add(add(mul(v.day, i32(86400)), mul(v.hour, i32(3600))), add(mul(v.minute, i32(60)), v.second)),
  ],
)

const endsInSpace = (start: Code, end: Code) =>
  or(equal(load8(start), i32(space)), equal(load8(sub(end, i32(1))), i32(space)))

/**
 * Writes a query in lower case to `scratch`, sixteen bytes at once. The query is not plain if it has white space to
 * remove. In verbatim text, it is not plain if it has upper case either.
 */
const cleanQuery = defineFunction(
  "cleanQuery",
  { params: ["start", "end"], integers: ["length", "i", "inside", "gaps", "raised"], vectors: ["text", "upper"] },
  (v, set) => [
    set("length", sub(v.end, v.start)),
    when(less(v.length, i32(1)), giveBack(notPlain)),
    when(endsInSpace(v.start, v.end), giveBack(notPlain)),
    whileTrue(less(v.i, v.length), [
      set("inside", i32(0xffff)),
      when(less(sub(v.length, v.i), i32(16)), set("inside", sub(shiftLeft(i32(1), sub(v.length, v.i)), i32(1)))),
      set("text", loadVector(add(v.start, v.i))),
      set("upper", lessUnsigned(subVectors(v.text, sixteen(65)), sixteen(26))),
      set("raised", or(v.raised, and(bitmask(v.upper), v.inside))),
      storeVector(add(i32(scratch), v.i), orVectors(v.text, andVectors(v.upper, sixteen(0x20)))),
      set(
        "gaps",
        bitmask(
          andVectors(sameBytes(v.text, sixteen(space)), sameBytes(loadVector(add(v.start, v.i), 1), sixteen(space))),
        ),
      ),
      when(and(v.gaps, v.inside), giveBack(notPlain)),
      set("i", add(v.i, i32(16))),
    ]),
    when(and(known(state.verbatim), differ(v.raised, i32(0))), giveBack(notPlain)),
    i32(1),
  ],
)

/** A rank of at most four digits, or none. Others are not plain. Nor is a zero before other digits in verbatim text. */
const readRank = defineFunction("readRank", { params: ["at", "end"], integers: ["value", "digit"] }, (v, set) => [
  when(equal(v.at, v.end), giveBack(i32(unknownRank))),
  when(greater(sub(v.end, v.at), i32(4)), giveBack(notPlain)),
  when(
    and(known(state.verbatim), and(equal(digitAt(v.at, 0), i32(0)), greater(sub(v.end, v.at), i32(1)))),
    giveBack(notPlain),
  ),
  whileTrue(less(v.at, v.end), [
    set("digit", digitAt(v.at, 0)),
    when(above(v.digit, i32(9)), giveBack(notPlain)),
    set("value", add(mul(v.value, i32(10)), v.digit)),
    set("at", add(v.at, i32(1))),
  ]),
  v.value,
])

const isIn = (field: Code) => [field, i32(-1), 0x4a, field, known(state.fields), 0x48, 0x71]
const rowPlace = (column: number, row: Code) => add(i32(column), shiftLeft(row, i32(2)))

/** Adds the plain line that starts here as a row. Returns the position of its line feed. */
const readLine = defineFunction(
  "readLine",
  {
    params: ["start"],
    integers: ["end", "field", "time", "rank", "userStart", "userEnd", "urlStart", "urlEnd", "from", "to", "row"],
  },
  (v, set) => [
    set("end", call("cutLine", v.start)),
    when(less(v.end, i32(0)), giveBack(notPlain)),
    set("field", known(state.time)),
    set("from", startOf(v.field)),
    when(differ(sub(endOf(v.field), v.from), i32(19)), giveBack(notPlain)),
    set("time", call("readTime", v.from)),
    when(equal(v.time, noPlainTime), giveBack(notPlain)),
    set("rank", i32(unknownRank)),
    set("field", known(state.rank)),
    when(isIn(v.field), set("rank", call("readRank", startOf(v.field), endOf(v.field)))),
    when(less(v.rank, i32(0)), giveBack(notPlain)),
    set("field", known(state.user)),
    when(greater(v.field, i32(-1)), [
      set("userStart", startOf(v.field)),
      set("userEnd", endOf(v.field)),
      when(equal(v.userStart, v.userEnd), giveBack(notPlain)),
      when(endsInSpace(v.userStart, v.userEnd), giveBack(notPlain)),
    ]),
    set("field", known(state.url)),
    when(isIn(v.field), [
      set("urlStart", startOf(v.field)),
      set("urlEnd", endOf(v.field)),
      when(less(v.urlStart, v.urlEnd), when(endsInSpace(v.urlStart, v.urlEnd), giveBack(notPlain))),
    ]),
    set("field", known(state.query)),
    set("from", startOf(v.field)),
    set("to", endOf(v.field)),
    when(less(call("cleanQuery", v.from, v.to), i32(0)), giveBack(notPlain)),
    // From here on, the line is a row.
    set("row", known(state.rows)),
    know(state.rows, add(v.row, i32(1))),
    know(state.lines, add(known(state.lines), i32(1))),
    store32(rowPlace(columns.time, v.row), v.time),
    store16(add(i32(columns.rank), shiftLeft(v.row, i32(1))), v.rank),
    store32(rowPlace(columns.line, v.row), known(state.lines)),
    store32(rowPlace(columns.query, v.row), call("internNext", i32(queries.at), i32(scratch), sub(v.to, v.from))),
    when(
      less(v.userStart, v.userEnd),
      store32(
        rowPlace(columns.user, v.row),
        call("internNext", i32(users.at), v.userStart, sub(v.userEnd, v.userStart)),
      ),
      store32(rowPlace(columns.user, v.row), i32(-1)),
    ),
    when(
      less(v.urlStart, v.urlEnd),
      store32(rowPlace(columns.url, v.row), call("internNext", i32(urls.at), v.urlStart, sub(v.urlEnd, v.urlStart))),
      store32(rowPlace(columns.url, v.row), i32(-1)),
    ),
    v.end,
  ],
)

/** Reads lines from `at` on. Returns where the first line starts that is not plain, or `end` or more. */
const readLines = defineFunction("readLines", { params: ["at", "end"], integers: ["stop"] }, (v, set) => [
  whileTrue(less(v.at, v.end), [
    set("stop", call("readLine", v.at)),
    when(less(v.stop, i32(0)), giveBack(v.at)),
    set("at", add(v.stop, i32(1))),
  ]),
  v.at,
])

/** Functions that read lines. */
export const lineCode: readonly WasmFunction[] = [cutLine, readTime, cleanQuery, readRank, readLine, readLines]
