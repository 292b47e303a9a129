const steps = 200_000_000

/**
 * Seconds of a fixed loop of integer work on one core, the best of three. It says how fast a machine is, and how busy
 * it was: figures of two machines can be divided by it.
 */
export function calibrate(): number {
  return Math.min(...Array.from({ length: 3 }, timeLoop))
}

function timeLoop(): number {
  const begun = performance.now()
  let state = 1
  for (let i = 0; i < steps; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
  }
  // The result is used, so the loop is not optimised away.
  if (state === 0) throw new Error("an xorshift does not reach 0")
  return (performance.now() - begun) / 1000
}
