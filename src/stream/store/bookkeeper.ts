import { type Lane, openLane } from "../../kernels/parallel.ts"
import type { BookkeepingJob } from "./keep-books.ts"
import type { BooksReply } from "./keep-books.worker.ts"

/** Makes snapshots. */
export interface BooksKeeper {
  /** Makes one checkpoint from closed journals. */
  keep(job: BookkeepingJob): Promise<BooksReply>
  /** Ends the thread. */
  close(): Promise<unknown>
}

/** Makes snapshots in a separate thread, which starts with the first one. */
export function openBookkeeper(): BooksKeeper {
  let lane: Lane<BookkeepingJob, BooksReply> | undefined
  return {
    keep: (job) => {
      lane ??= openLane(new URL("./keep-books.worker.js", import.meta.url))
      return lane.send(job)
    },
    close: async () => lane?.close(),
  }
}
