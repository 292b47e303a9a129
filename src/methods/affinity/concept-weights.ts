/** Eq. 1 of Carpineto & Romano 2015: a word weighs more the more events have a query with it. */
export const weighWord = (events: number): number => Math.log2(events + 1)

/** Eq. 2: a bigram weighs more the more often its words occur together than apart. All are probabilities. */
export const weighBigram = (xy: number, { x, y }: { x: number; y: number }): number => Math.log2(xy / (x * y) + 1)

/** Eq. 3: the same for the words of a trigram, and for its first and last two words. */
export function weighTrigram(
  xyz: number,
  { x, y, z, xy, yz }: { x: number; y: number; z: number; xy: number; yz: number },
): number {
  const apart = x * y * z + x * yz + xy * z
  return Math.log2(xyz / apart + 1)
}
