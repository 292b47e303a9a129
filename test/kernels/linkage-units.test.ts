import { describe, expect, test } from "vitest"
import type { ReleasedStream } from "#dist/kernels/linkage/released-stream.js"
import { unitIntervals } from "#dist/kernels/linkage/unit-intervals.js"

const column = (values: readonly number[]) => Int32Array.from(values)
const none = (length: number) => new Int32Array(length)

/** `sizes` units, each with its own text, shown as user 0 and issued by user 1. */
function streamOf(sizes: readonly number[]): ReleasedStream {
  const text = column(sizes.flatMap((size, unit) => Array.from({ length: size }, () => unit)))
  const { length } = text
  return { user: none(length), text, category: none(length), time: none(length), truth: none(length).fill(1) }
}

describe("the interval of a linkage score", () => {
  test("is Wilson's where every record left by itself", () => {
    const stream = streamOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    const named = column([1, 1, 1, 2, 2, 2, 2, -1, -1, -1])
    const { ofAll, ofNamed } = unitIntervals(named, stream)
    // SciPy, binomtest(3, 10) and binomtest(3, 7), proportion_ci(method="wilson").
    expect(ofAll[0]).toBeCloseTo(0.10779126740630102, 9)
    expect(ofAll[1]).toBeCloseTo(0.6032218525388546, 9)
    expect(ofNamed[0]).toBeCloseTo(0.1582198552514697, 9)
    expect(ofNamed[1]).toBeCloseTo(0.7495416354723428, 9)
  })

  test("counts records that left together as one", () => {
    const single = unitIntervals(column([1, 2, 2, 2]), streamOf([1, 1, 1, 1]))
    const double = unitIntervals(column([1, 1, 2, 2, 2, 2, 2, 2]), streamOf([2, 2, 2, 2]))
    expect(double.ofAll).toEqual(single.ofAll)
    expect(double.ofNamed).toEqual(single.ofNamed)
  })

  test("is wider the more uneven the units are, and says nothing if nothing was named", () => {
    const width = ([low, high]: [number, number]) => high - low
    const even = unitIntervals(none(12).fill(2), streamOf([3, 3, 3, 3]))
    const uneven = unitIntervals(none(12).fill(2), streamOf([9, 1, 1, 1]))
    expect(width(uneven.ofAll)).toBeGreaterThan(width(even.ofAll))
    expect(unitIntervals(none(12).fill(-1), streamOf([3, 3, 3, 3])).ofNamed).toEqual([0, 1])
  })
})
