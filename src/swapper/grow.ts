/** A copy with room for at least `least` numbers and at least half as many again as before. */
export function growInt32(array: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(least, Math.ceil(array.length * 1.5)))
  grown.set(array)
  return grown
}
