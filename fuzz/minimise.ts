const mostTries = 400

/** Finds a smaller input that still fails, by leaving out parts, large ones first. */
export async function minimise(
  input: Uint8Array,
  fails: (smaller: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let smallest = input
  let tries = 0
  for (let size = input.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < smallest.length && tries < mostTries; tries++) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)])
      if (await fails(shorter)) smallest = shorter
      else at += size
    }
  }
  return smallest
}
