import { Buffer } from "node:buffer"
import type { Dictionary } from "#dist/kernels/dictionary.js"
import { rejectReasons } from "#dist/log/formats/parsed-block.js"
import type { ReadResult } from "#dist/log/parse-sources.js"

/** A row of a log as a person would write it down. */
export interface PlainRow {
  user: string
  query: string
  time: number
  rank: number
  url: string | undefined
  line: number
  event: number
}

/** A reading without ids and typed arrays. */
export interface PlainLog {
  rows: PlainRow[]
  rejects: { line: number; reason: string }[]
}

export function plainLog({ log, intake }: ReadResult): PlainLog {
  const { users, queries, urls } = log
  return {
    rows: Array.from({ length: log.rows }, (_, i) => ({
      user: users.text(log.user[i]),
      query: queries.text(log.query[i]),
      time: log.time[i],
      rank: log.rank[i],
      url: log.url[i] === -1 ? undefined : urls.text(log.url[i]),
      line: log.line[i],
      event: log.event[i],
    })),
    rejects: Array.from(intake.rejects.line, (line, i) => ({ line, reason: rejectReasons[intake.rejects.reason[i]] })),
  }
}

export function textsOf(dictionary: Dictionary): string[] {
  return Array.from({ length: dictionary.size }, (_, id) => dictionary.text(id))
}

/** Everything a log holds, byte by byte. */
function partsOf({ log }: ReadResult): Map<string, Buffer> {
  const { unit: _unit, rows, events, users, queries, urls, categories, ...columns } = log
  const bytes = (array: ArrayBufferView) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)
  const texts = Object.entries({ users, queries, urls, ...(categories && { categories }) }).flatMap(
    ([name, dictionary]) => {
      const { arena, offsets } = dictionary.parts()
      return [[`${name}.arena`, arena] as const, [`${name}.offsets`, offsets] as const]
    },
  )
  const sizes = [["sizes", Uint32Array.of(rows, events, users.size, queries.size, urls.size)] as const]
  return new Map([...Object.entries(columns), ...texts, ...sizes].map(([name, array]) => [name, bytes(array)]))
}

/** The names of the columns and dictionary parts in which two readings have different bytes. */
export function differingParts(one: ReadResult, other: ReadResult): string[] {
  const [a, b] = [partsOf(one), partsOf(other)]
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => {
    const [left, right] = [a.get(name), b.get(name)]
    return left === undefined || right === undefined || !left.equals(right)
  })
}
