import { type FileHandle } from "node:fs/promises"
/** What happens while the disk is full. */
export interface AppendOptions {
  /** Told when the disk is full, and again when there is room. */
  onFull?: (full: boolean) => void
  /** For tests: how the bytes are written. */
  write?: (file: FileHandle, bytes: Uint8Array, at: number) => Promise<number>
  /** How long to wait before a full disk is tried again. */
  wait?: () => Promise<void>
}
/**
 * A file that grows at its end. While the disk is full it waits for room: what was written of the bytes in hand is cut off
 * again first, so that the file always ends behind whole records.
 */
export declare class AppendFile {
  #private
  readonly path: string
  private constructor()
  /** Opens or makes a file and cuts it to a length. */
  static open(
    path: string,
    options: AppendOptions & {
      length: number
      mode?: number
    },
  ): Promise<AppendFile>
  get end(): number
  append(bytes: Uint8Array): Promise<void>
  /** Resolves when everything that was appended survives a crash. */
  sync(): Promise<void>
  close(): Promise<void>
}
