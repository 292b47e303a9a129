import { openFiles, passes } from "../../files/folder-files.ts"
import { systemCode } from "../../kernels/error.ts"
import { serveShards } from "../../kernels/parallel.ts"
import { type BookkeepingJob, type Books, keepBooks } from "./keep-books.ts"

/** Books, or the system code of an error that may pass: an error loses its code between threads. */
export type BooksReply = { books: Books & { damage?: string } } | { passing: string }

export async function handle(job: BookkeepingJob): Promise<BooksReply> {
  try {
    return { books: await keepBooks(openFiles(job.folder), job) }
  } catch (error) {
    if (!passes(error)) throw error
    return { passing: systemCode(error) ?? "" }
  }
}

serveShards(handle)
