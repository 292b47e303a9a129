import type { ColumnReader, ColumnWriter } from "../store/columns.ts"
import type { StoredRecords } from "../store/frame.ts"
import { arenaBytes, hasSoundTexts } from "../store/frame-codec.ts"

/** Bytes before the columns: number of records, bytes of their texts. */
const leadBytes = 8
const bytesPerRecord = 26

/** Bytes that `putRecords` writes. */
export const recordBytes = (records: StoredRecords) => leadBytes + records.count * bytesPerRecord + arenaBytes(records)

/** Writes records, whose columns may be longer than the records they hold. */
export function putRecords(out: ColumnWriter, records: StoredRecords): void {
  const { count, topic, time, arrival, ends, rank, arena } = records
  const length = arenaBytes(records)
  out.put(Uint32Array.of(count, length))
  out.put(topic.subarray(0, count))
  out.put(time.subarray(0, count))
  out.put(arrival.subarray(0, count))
  out.put(ends.subarray(0, count * 3))
  out.put(rank.subarray(0, count))
  out.put(arena.subarray(0, length))
}

/** Reads what `putRecords` wrote. Throws a RangeError if it does not fit. The columns may be views of the bytes. */
export function takeRecords(source: ColumnReader): StoredRecords {
  const [count, length] = source.uint32(2)
  const topic = source.int32(count)
  const time = source.int32(count)
  const arrival = source.int32(count)
  const ends = source.uint32(count * 3)
  const rank = source.uint16(count)
  const records = { count, topic, time, arrival, rank, ends, arena: source.uint8(length) }
  if (!hasSoundTexts(records)) throw new RangeError("the texts of the records do not follow one another")
  return records
}
