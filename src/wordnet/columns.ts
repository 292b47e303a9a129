/**
 * WordNet as typed arrays, all of them views of one shared buffer. It is kept in the cache and passed to threads. Three
 * relations are stored as compressed rows: row r of `x` is x[xOffsets[r], xOffsets[r + 1]).
 */
export interface WordNetColumns {
  lemmaArena: Uint8Array
  lemmaOffsets: Uint32Array
  /** For each lemma: the bits of its parts of speech. */
  partOfSpeech: Uint8Array
  /** For each lemma: how often it was tagged in Princeton's concordances, as any part of speech. */
  tags: Uint32Array
  /**
   * Lemma → noun synsets, in sense order. `senseTags` has the tag count of each sense. Empty for a lemma that is not a
   * noun.
   */
  senseOffsets: Uint32Array
  senses: Int32Array
  senseTags: Uint16Array
  /** Synset → lemmas, in the order of the database. The first lemma names the synset. */
  memberOffsets: Uint32Array
  members: Int32Array
  /**
   * Synset → hypernyms, in the order of the database. `instances` is 1 if the synset is an instance of the hypernym
   * (@i).
   */
  hypernymOffsets: Uint32Array
  hypernyms: Int32Array
  instances: Uint8Array
  /** For each synset: the number of its lexicographer file. */
  file: Uint8Array
  /** For each synset: its byte offset in data.noun, by which it is known outside. Ascending. */
  offset: Uint32Array
  glossArena: Uint8Array
  glossOffsets: Uint32Array
}

/** The name of a column of WordNet. */
export type ColumnName = keyof WordNetColumns
export type ColumnLengths = Record<ColumnName, number>

const bytesPerElement = {
  lemmaArena: 1,
  lemmaOffsets: 4,
  partOfSpeech: 1,
  tags: 4,
  senseOffsets: 4,
  senses: 4,
  senseTags: 2,
  memberOffsets: 4,
  members: 4,
  hypernymOffsets: 4,
  hypernyms: 4,
  instances: 1,
  file: 1,
  offset: 4,
  glossArena: 1,
  glossOffsets: 4,
} as const satisfies ColumnLengths

const columnNames = Object.keys(bytesPerElement).filter((name): name is ColumnName => name in bytesPerElement)

/** The position of every column in the buffer, each at a multiple of four, and the total number of bytes. */
function placeColumns(lengths: ColumnLengths): { at: ColumnLengths; bytes: number } {
  const at: ColumnLengths = { ...bytesPerElement }
  let bytes = 0
  for (const name of columnNames) {
    at[name] = bytes
    bytes += (lengths[name] * bytesPerElement[name] + 3) & ~3
  }
  return { at, bytes }
}

export function columnBytes(lengths: ColumnLengths): number {
  return placeColumns(lengths).bytes
}

export function viewColumns(buffer: SharedArrayBuffer, lengths: ColumnLengths): WordNetColumns {
  const { at } = placeColumns(lengths)
  const uint8 = (name: ColumnName) => new Uint8Array(buffer, at[name], lengths[name])
  const uint32 = (name: ColumnName) => new Uint32Array(buffer, at[name], lengths[name])
  const int32 = (name: ColumnName) => new Int32Array(buffer, at[name], lengths[name])
  return {
    lemmaArena: uint8("lemmaArena"),
    lemmaOffsets: uint32("lemmaOffsets"),
    partOfSpeech: uint8("partOfSpeech"),
    tags: uint32("tags"),
    senseOffsets: uint32("senseOffsets"),
    senses: int32("senses"),
    senseTags: new Uint16Array(buffer, at.senseTags, lengths.senseTags),
    memberOffsets: uint32("memberOffsets"),
    members: int32("members"),
    hypernymOffsets: uint32("hypernymOffsets"),
    hypernyms: int32("hypernyms"),
    instances: uint8("instances"),
    file: uint8("file"),
    offset: uint32("offset"),
    glossArena: uint8("glossArena"),
    glossOffsets: uint32("glossOffsets"),
  }
}

export function lengthsOf(columns: Record<ColumnName, ArrayLike<number>>): ColumnLengths {
  const lengths: ColumnLengths = { ...bytesPerElement }
  for (const name of columnNames) lengths[name] = columns[name].length
  return lengths
}

/** Copies what a parser collected to one shared buffer of exactly the right size. */
export function packColumns(gathered: Record<ColumnName, ArrayLike<number>>): WordNetColumns {
  const lengths = lengthsOf(gathered)
  const columns = viewColumns(new SharedArrayBuffer(columnBytes(lengths)), lengths)
  for (const name of columnNames) columns[name].set(gathered[name])
  return columns
}
