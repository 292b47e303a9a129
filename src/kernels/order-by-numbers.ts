/**
 * The order of rows by several columns of numbers from 0 to 2³² − 1, the first column first. Equal rows keep their
 * order. Radix sort by 16 bits at a time, from the last column to the first. A digit that all rows share costs only a
 * count.
 */
export function orderByNumbers(columns: readonly Uint32Array[]): Uint32Array {
  const rows = columns[0].length
  let order = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) order[row] = row
  let spare = new Uint32Array(rows)
  for (let i = columns.length - 1; i >= 0; i--) {
    for (const shift of [0, 16]) {
      const column = columns[i]
      const starts = new Uint32Array(65537)
      for (let row = 0; row < rows; row++) starts[((column[row] >>> shift) & 0xffff) + 1]++
      if (starts.includes(rows)) continue
      for (let digit = 0; digit < 65536; digit++) starts[digit + 1] += starts[digit]
      for (let at = 0; at < rows; at++) {
        const row = order[at]
        spare[starts[(column[row] >>> shift) & 0xffff]++] = row
      }
      const held = order
      order = spare
      spare = held
    }
  }
  return order
}
