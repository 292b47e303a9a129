import { QueryveilError } from "../kernels/error.ts"
export declare const lockName = "lock.duckdb"
/** Whose lock it is, for those who find it taken. */
export interface LockOwner {
  /** What is locked, in words: `the store`. */
  place: string
  busy(path: string): QueryveilError
}
/** Makes this process the only one on the folder; see `lockFile`. */
export declare function lockFolder(folder: string, owner: LockOwner): Promise<() => Promise<void>>
/**
 * Makes this process the only one that holds the file until the returned function is called or the process ends, however it
 * ends. The file stays if it is to be kept, else it goes with the lock.
 *
 * Node has no file locks, but DuckDB takes one on the file of a database that it opens for writing: the kernel's (`fcntl`; share
 * modes on Windows). It belongs to the file, not to a process number, so that it holds between containers on one volume;
 * the kernel lets it go with the process. The file is made under another name and linked into place, so it is never seen
 * unfinished. Who removes it does so while holding it, and with the folder: a lock on a file that is gone is none.
 */
export declare function lockFile(
  file: string,
  owner: LockOwner & {
    keep: boolean
  },
): Promise<() => Promise<void>>
/** `lockFile`, waiting until whoever holds it lets it go: five seconds at most. */
export declare function waitForLock(file: string, owner: LockOwner): Promise<() => Promise<void>>
