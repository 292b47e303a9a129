import { partField, partFields, type WordReadings } from "./reading-list.ts"

/** Parts of a query beyond this many are not looked at. */
export const mostParts = 32

/** The parts of a query, each with what its reading says (see `partField`), in columns with `count` entries. */
export interface QueryParts {
  count: number
  formsFrom: Int32Array
  formsTo: Int32Array
  context: Int32Array
  alone: Int32Array
  opens: Int32Array
  kinds: Int32Array
  /** The same memory, as the bits of numbers and as these. */
  infoBits: Int32Array
  info: Float32Array
  /** The rows of the query's words in the lexicon: `known` of them. */
  taught: Int32Array
  known: number
}

export const emptyParts = (): QueryParts => {
  const column = () => new Int32Array(mostParts)
  const infoBits = column()
  return {
    count: 0,
    formsFrom: column(),
    formsTo: column(),
    context: column(),
    alone: column(),
    opens: column(),
    kinds: column(),
    infoBits,
    info: new Float32Array(infoBits.buffer),
    taught: column(),
    known: 0,
  }
}

/** Adds the parts of a word to a query, as many as fit. */
export function takeWord(query: QueryParts, { offsets, fields }: WordReadings, word: number): void {
  let { count } = query
  for (let part = offsets[word]; part < offsets[word + 1] && count < mostParts; part++, count++) {
    const at = part * partFields
    query.formsFrom[count] = fields[at + partField.formsFrom]
    query.formsTo[count] = fields[at + partField.formsTo]
    query.context[count] = fields[at + partField.context]
    query.alone[count] = fields[at + partField.alone]
    query.opens[count] = fields[at + partField.opens]
    query.kinds[count] = fields[at + partField.kinds]
    query.infoBits[count] = fields[at + partField.infoBits]
  }
  query.count = count
}

/** The query whose words are those of the readings. */
export function takeWords(readings: WordReadings): QueryParts {
  const query = emptyParts()
  for (let word = 0; word < readings.taught.length; word++) takeWord(query, readings, word)
  return query
}
