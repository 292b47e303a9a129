import { partField, partFields, type WordReadings } from "./reading-list.ts"

/** Maximum number of parts of a query. Further parts are ignored. */
export const mostParts = 32

/** The parts of a query, each with the fields of its reading (see `partField`), in columns with `count` entries. */
export interface QueryParts {
  count: number
  formsFrom: Int32Array
  formsTo: Int32Array
  context: Int32Array
  alone: Int32Array
  opens: Int32Array
  kinds: Int32Array
  /** Both views share memory: the bits of the numbers, and the numbers. */
  infoBits: Int32Array
  info: Float32Array
  /** The lexicon rows of the query's words. There are `known` of them. */
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

/** Adds as many parts of a word to a query as fit. */
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

/** The query that consists of the words of the readings. */
export function takeWords(readings: WordReadings): QueryParts {
  const query = emptyParts()
  for (let word = 0; word < readings.taught.length; word++) takeWord(query, readings, word)
  return query
}
