/** Records as the store keeps them, by record. Times are UTC seconds. */
export interface StoredRecords {
  count: number
  /** Node of the taxonomy. */
  topic: Int32Array
  /** As the log says. */
  time: Int32Array
  /** When it came, by this machine's clock. */
  arrival: Int32Array
  rank: Uint16Array
  /** Texts lie one behind the other in `arena`, user, query, url: three ends per record. An empty url is none. */
  ends: Uint32Array
  arena: Uint8Array
}

/** What left, in the order in which it did. */
interface StoredDeals {
  /** By release: the number of the record, and that of the record whose user it is shown with. */
  record: Float64Array
  as: Float64Array
  /** By cell: where it ends among the releases, the time it is shown with, and the users who waited before. */
  cellEnd: Uint32Array
  cellTime: Int32Array
  cellUsers: Int32Array
}

/** What happened in one commit. Records are numbered in the order of their arrival, releases in that of their leaving. */
export interface Frame {
  firstRecord: number
  records: StoredRecords
  firstRelease: number
  deals: StoredDeals
  /** Where the inputs stand behind this frame, as `positionsText` writes it. */
  input: string
  /** Settings that changed with this frame, as JSON; empty: none did. They hold for its records. */
  change: string
  /** Running totals behind this frame: rejected and withheld by reason. */
  totals: Record<string, number>
  /** Requests with a key that this frame answers, as JSON; empty: none. */
  answered: string
}
