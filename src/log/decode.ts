import { QueryveilError } from "../kernels/error.ts"

/** Refuses an encoding that `TextDecoder` does not know. */
export function checkEncoding(encoding: string): void {
  try {
    new TextDecoder(encoding)
  } catch {
    throw new QueryveilError(
      "option-value",
      `--encoding: there is no encoding called ${encoding}. ` +
        "Examples: utf-8, latin1, gb18030, shift_jis, euc-kr, windows-1251, utf-16le.",
      { flag: "--encoding" },
    )
  }
}

const replacement = [0xef, 0xbf, 0xbd]

/**
 * Converts text from another encoding to UTF-8. Invalid bytes become a byte that is invalid in UTF-8 too, so that their
 * line is counted as unreadable and not kept with question marks.
 */
export async function* decodeBytes(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== "") yield markReplaced(Buffer.from(text))
  }
  const rest = decoder.decode()
  if (rest !== "") yield markReplaced(Buffer.from(rest))
}

/**
 * `decodeBytes` for whole lines. In every encoding but UTF-16 a line feed is one byte of its own, so lines can be cut
 * first.
 */
export function decodeLines(bytes: Uint8Array, encoding: string): Uint8Array {
  return markReplaced(Buffer.from(new TextDecoder(encoding).decode(bytes)))
}

function markReplaced(bytes: Buffer): Uint8Array {
  const sought = Buffer.from(replacement)
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) bytes.fill(0xff, at, at + 3)
  return bytes
}
