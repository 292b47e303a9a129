import { maxLineBytes } from "../../log/formats/parsed-block.ts"
import type { KafkaMessage } from "./kafka-library.ts"

const lineFeed = 10
const carriageReturn = 13
const space = 32
/** A line that is no record in any format. */
const noRecord = Buffer.from('"')

/** The lines of a batch, with room for one more byte. */
export interface MessageLines {
  bytes: Uint8Array
  length: number
}

/**
 * Makes one line of each message, in order, so that line n is message n. Line breaks between the tokens of a JSON
 * message become spaces. A row may end with a line break; one with another line break inside is not a record. Neither
 * is a message without a value. Of a message that is too long for a line, only as much is kept as shows that.
 */
export function messageLines(messages: readonly Pick<KafkaMessage, "value">[], form: "json" | "row"): MessageLines {
  const values = messages.map(({ value }) => lineOf(value, form))
  const length = values.reduce((sum, value) => sum + value.length + 1, 0)
  const bytes = new Uint8Array(length + 1)
  let at = 0
  for (const value of values) {
    bytes.set(value, at)
    if (form === "json" && value.includes(lineFeed)) joinLines(bytes.subarray(at, at + value.length))
    at += value.length
    bytes[at++] = lineFeed
  }
  return { bytes, length }
}

function lineOf(value: Buffer | null, form: "json" | "row"): Uint8Array {
  if (value === null || value.length === 0) return noRecord
  if (form === "json") return value.length > maxLineBytes ? value.subarray(0, maxLineBytes + 1) : value
  const feed = value.indexOf(lineFeed)
  if (feed < 0) return value.length > maxLineBytes ? value.subarray(0, maxLineBytes + 1) : value
  if (feed !== value.length - 1 || feed > maxLineBytes) return noRecord
  const end = feed > 0 && value[feed - 1] === carriageReturn ? feed - 1 : feed
  return end === 0 ? noRecord : value.subarray(0, end)
}

/** Line breaks in JSON are spaces between tokens: inside a text they would not be JSON. */
function joinLines(line: Uint8Array): void {
  for (let at = line.indexOf(lineFeed); at >= 0; at = line.indexOf(lineFeed, at + 1)) line[at] = space
}
