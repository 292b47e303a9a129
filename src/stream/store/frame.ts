/** Records as the store keeps them, in columns. Times are UTC seconds. */
export interface StoredRecords {
  count: number
  /** Node of the taxonomy. */
  topic: Int32Array
  /** The time in the log. */
  time: Int32Array
  /** When the record arrived, by this machine's clock. */
  arrival: Int32Array
  rank: Uint16Array
  /** Texts are one after another in `arena`, as user, query, url: three ends per record. An empty url means no url. */
  ends: Uint32Array
  arena: Uint8Array
}

/** Releases, in order. */
interface StoredDeals {
  /** By release: the number of the record, and that of the record whose user it is shown with. */
  record: Float64Array
  as: Float64Array
  /**
   * By cell: where it ends among the releases, the time it is shown with, and the number of users who waited before.
   */
  cellEnd: Uint32Array
  cellTime: Int32Array
  cellUsers: Int32Array
}

/** What happened in one commit. Records are numbered in order of arrival, releases in order of release. */
export interface Frame {
  firstRecord: number
  records: StoredRecords
  firstRelease: number
  deals: StoredDeals
  /** Positions of the inputs after this frame, as `positionsText` writes them. */
  input: string
  /** Settings that changed with this frame, as JSON; empty if none did. They apply to its records. */
  change: string
  /** Running totals after this frame: rejected and withheld by reason. */
  totals: Record<string, number>
  /** Requests with a key that this frame answers, as JSON; empty if there are none. */
  answered: string
}
