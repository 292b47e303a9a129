/** What `crypto.getRandomValues` fills at most in one call, in bytes. */
const largestPiece = 65_536

/** Fills an array with the browser's cryptographic randomness, piece by piece. */
export function randomFillSync<A extends ArrayBufferView<ArrayBuffer>>(out: A): A {
  const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength)
  for (let at = 0; at < bytes.length; at += largestPiece)
    crypto.getRandomValues(bytes.subarray(at, Math.min(bytes.length, at + largestPiece)))
  return out
}
