/** Copies numbers to shared memory, which threads read without copying. */
export function sharedInt32s(values: ArrayLike<number>): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(values.length * 4))
  copy.set(values)
  return copy
}

export function sharedUint32s(values: ArrayLike<number>): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(values.length * 4))
  copy.set(values)
  return copy
}

export function sharedFloats(values: ArrayLike<number>): Float32Array {
  const copy = new Float32Array(new SharedArrayBuffer(values.length * 4))
  copy.set(values)
  return copy
}

export function sharedBytes(values: ArrayLike<number>): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(values.length))
  copy.set(values)
  return copy
}
