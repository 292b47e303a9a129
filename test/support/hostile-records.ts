import { seededRandom } from "#dist/kernels/random.js"

/** A record of a search log as somebody might send it. */
export interface HostileRecord {
  user?: string | null
  query?: string | null
  time?: string | null
  rank?: string | null
  url?: string | null
}

const words = [
  "weather",
  "Berlin",
  "café",
  "cafe\u0301",
  "😀",
  "\tpizza\n",
  "NULL",
  "\\N",
  "a\u0000b",
  "ﬁsh",
  "x\u0001y",
]
const odd = [
  "",
  " ",
  "\u00a0",
  "mail me@example.com",
  "call 555-123-4567",
  "ÄÖÜ",
  "İstanbul",
  "日本語",
  '"quoted"',
  "a,b\\",
]
const times = [
  "2006-03-01",
  "yesterday",
  "",
  "2006-02-30 10:00:00",
  "1141171200",
  "2006-03-01T10:00:00+01:00",
  "0999-01-01 00:00:00",
]

/** Records of a log that nobody looked after: texts with every separator, missing values, odd times, long lines. */
export function hostileRecords({ seed, rows }: { seed: number; rows: number }): HostileRecord[] {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
  const records: HostileRecord[] = []
  for (let row = 0; row < rows; row++) {
    const query =
      random.below(3) === 0 ? pick(odd) : Array.from({ length: 1 + random.below(3) }, () => pick(words)).join(" ")
    const second = 1_141_171_200 + random.below(86_400 * 3)
    const time = new Date(second * 1000).toISOString().slice(0, 19).replace("T", " ")
    const clicked = random.below(3) === 0
    records.push({
      user:
        random.below(40) === 0 ? pick([null, "", " "]) : `u${random.below(60)}${random.below(20) === 0 ? "\té" : ""}`,
      query: random.below(50) === 0 ? null : query,
      time: random.below(30) === 0 ? pick(times) : time,
      ...(clicked && { rank: random.below(30) === 0 ? pick(["-1", "x", "65535", ""]) : String(random.below(10)) }),
      ...(clicked && { url: `http://site${random.below(30)}.example/\t` }),
    })
    if (random.below(20) === 0) records.push({ ...records[records.length - 1] }) // the same click again
  }
  records.push({ user: "u1", query: "x".repeat(1 << 21), time: "2006-03-01 00:00:00" })
  records.push({ user: "u1", query: "y".repeat(70_000), time: "2006-03-01 00:00:00" })
  records.push({ user: "u1", query: "q", time: "2006-03-01 00:00:00", url: "z".repeat(70_000), rank: "1" })
  return records
}
