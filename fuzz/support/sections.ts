import { crc32 } from "node:zlib"

/**
 * A file of sections with correct checksums, as anyone can make one. An input whose first byte is odd is corrected; any
 * other is taken as it is. The checksums of sections are corrected if the header is JSON of the usual form.
 */
export function openSectionInput(input: Uint8Array, magic: string): Buffer {
  const file = Buffer.from(input.subarray(1))
  if (((input[0] ?? 0) & 1) === 0 || file.length < magic.length + 8) return file
  const start = magic.length + 8
  const length = Math.min(file.readUInt32LE(magic.length), file.length - start)
  const body = file.subarray(start + length)
  const head = mendHeader(file.subarray(start, start + length), body)
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32LE(head.length, 0)
  numbers.writeUInt32LE(crc32(head), 4)
  return Buffer.concat([Buffer.from(magic), numbers, head, body])
}

function mendHeader(head: Buffer, body: Buffer): Buffer {
  try {
    const header = JSON.parse(head.toString())
    let at = 0
    for (const section of header.sections) {
      section.crc32 = crc32(body.subarray(at, at + section.bytes))
      at += section.bytes
    }
    return Buffer.from(JSON.stringify(header))
  } catch {
    return head
  }
}
