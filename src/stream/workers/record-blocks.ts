import { RecordCollector } from "../live/record-collector.ts"
import type { NumberedRecords } from "./state-messages.ts"

/** A message has at most this many records, */
const blockRecords = 512
/** and no record is added to one that has so many bytes of texts. */
export const blockBytes = 4 << 20

/**
 * Cuts records into blocks that fit into a message each. `add` adds a record to a collector, and returns its number. A
 * block is valid until the next one is asked for.
 *
 * A block has less than `blockBytes` of texts before its last record. A record was in a message of 16 MiB at most, and
 * classifiers admit 24 KiB of texts. So a block has less than 4 MiB + 24 KiB of texts. Its columns have 34 bytes for
 * each of at most 512 records. A frame adds at most 2 MiB of numbers of records that left, and 0.5 MiB of pairs. That
 * is far from the 16 MiB that Kafka takes, and would be with texts of megabytes.
 */
export function* inBlocks<T>(
  each: Iterable<T>,
  { add, bytes = blockBytes }: { add(collector: RecordCollector, record: T): number; bytes?: number },
): Generator<NumberedRecords, undefined> {
  const collector = new RecordCollector()
  let numbers: number[] = []
  const take = () => {
    const number = Float64Array.from(numbers)
    numbers = []
    return { number, records: collector.take() }
  }
  for (const record of each) {
    numbers.push(add(collector, record))
    if (collector.count === blockRecords || collector.bytes >= bytes) yield take()
  }
  if (numbers.length > 0) yield take()
  return undefined
}
