import { Buffer } from "node:buffer"
import * as fc from "fast-check"

/** UTF-8 as a string with one character per byte. Lines are assembled this way, because some are not UTF-8. */
const raw = (text: string) => Buffer.from(text).toString("latin1")

// Few users, queries and times, so that they coincide. Times are unordered, so that there is something to sort.
const user = fc.constantFrom("7001", "7002", "7003", "u 7", "zoé").map(raw)
const query = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom("gardenshed.com", "kettle  com", "Kettle COM", " harbour", "ＡＢＣ", "-") },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }).map((text) => text.replace(/[\t\n\0]/g, "_")) },
  )
  .map(raw)
const time = fc.constantFrom(
  "2006-03-01 08:20:12",
  "2006-03-01 08:20:13",
  "2006-05-31 23:59:59",
  " 2006-03-01 00:00:00 ",
  "1999-12-31 23:59:59",
  "2004-02-29 12:00:00",
)
const rank = fc.constantFrom("", "1", "2", "10", "007", " 3 ", "0", "65534")
const url = fc.constantFrom("", "http://www.example.com", "http://b.example", "https://é.example/a b", " ").map(raw)

const goodLine = fc
  .tuple(user, query, time, rank, url, fc.constantFrom(3, 4, 5, 5, 5))
  .map(([...fields]) => fields.slice(0, Number(fields.pop())).join("\t"))

const notUtf8 = "caf\xe9"
const badLine = fc.constantFrom(
  "one field",
  "7001\ttwo fields",
  "7001\tsix fields\t2006-03-01 08:20:12\t1\thttp://x.example\tmore",
  "\tno user\t2006-03-01 08:20:12",
  "7001\t\t2006-03-01 08:20:12",
  "7001\t \x01\t2006-03-01 08:20:12",
  `7001\t${raw("\u00a0\u2003")}\t2006-03-01 08:20:12`,
  "7001\tno such day\t2006-02-30 08:20:12",
  "7001\tno such hour\t2006-03-01 24:00:00",
  "7001\tno such day, which must not pass for March 1\t2006-02-33 08:20:12",
  "7001\tno time\t",
  "7001\tword for a rank\t2006-03-01 08:20:12\tfirst\thttp://x.example",
  "7001\ttwo ranks\t2006-03-01 08:20:12\t1 2\thttp://x.example",
  "7001\tlarge rank\t2006-03-01 08:20:12\t65535\thttp://x.example",
  "7001\tnegative rank\t2006-03-01 08:20:12\t-1\thttp://x.example",
  "7001\tnul in the \0 query\t2006-03-01 08:20:12",
  "7001\tnul in the url\t2006-03-01 08:20:12\t1\thttp://\0",
  "7001\tnul in the time\t2006-03-01 08:20:1\0",
  "nul in a line that is too short \0",
  `${notUtf8}\tuser in Latin-1\t2006-03-01 08:20:12`,
  `7001\tquery in Latin-1 ${notUtf8}\t2006-03-01 08:20:12`,
  `7001\turl in Latin-1\t2006-03-01 08:20:12\t1\thttp://${notUtf8}`,
  "",
  "  \x0b ",
)

const line = fc.oneof({ weight: 5, arbitrary: goodLine }, { weight: 2, arbitrary: badLine })

/** A file in AOL's format with good and bad lines, with or without header, byte-order mark, CRLF and last line end. */
export const aolFile = fc
  .record({
    lines: fc.array(line, { maxLength: 30 }),
    header: fc.constantFrom([], ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL"], ["anonid\tquery\tquerytime"]),
    mark: fc.constantFrom("", "\xef\xbb\xbf"),
    end: fc.constantFrom("\n", "\r\n"),
    closed: fc.boolean(),
  })
  .map(({ lines, header, mark, end, closed }) => {
    const text = mark + [...header, ...lines].join(end) + (closed ? end : "")
    return Buffer.from(text, "latin1")
  })
