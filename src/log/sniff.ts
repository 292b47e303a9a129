import { QueryveilError } from "../kernels/error.ts"

const anyByte = -1
const signatures: [string, number[]][] = [
  ["a zip archive", [0x50, 0x4b, 0x03, 0x04]],
  ["compressed with zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["compressed with bzip2", [0x42, 0x5a, 0x68, anyByte, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59]],
  ["compressed with xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
]

/**
 * Refuses input that cannot be lines of UTF-8, before any parsing. Returns the length of the byte-order mark to skip.
 */
export function sniffText(head: Uint8Array, path: string): number {
  const starts = (bytes: number[]) => bytes.every((byte, i) => byte === anyByte || head[i] === byte)
  for (const [what, bytes] of signatures) {
    if (starts(bytes)) {
      throw new QueryveilError("input-encoding", `${path}: is ${what}. Unpack it, or pack it with gzip instead.`, {
        file: path,
      })
    }
  }
  const sample = head.subarray(0, 4096)
  const zeros = sample.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0)
  if (starts([0xff, 0xfe]) || starts([0xfe, 0xff]) || zeros > sample.length / 5) {
    throw new QueryveilError(
      "input-encoding",
      `${path}: is not UTF-8 text (it looks like UTF-16 or a binary file). ` +
        "If it is text, name its encoding, for example --encoding utf-16le.",
      { file: path },
    )
  }
  return starts([0xef, 0xbb, 0xbf]) ? 3 : 0
}
