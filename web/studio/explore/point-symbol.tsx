import type { Explore } from "../answers.ts"
import type { FrontierPoint } from "./point-words.ts"

/** Outlines within 7 pixels of the centre, one for each method. */
const outlines = [
  "M6 0A6 6 0 1 1 -6 0A6 6 0 1 1 6 0Z",
  "M-5.3 -5.3H5.3V5.3H-5.3Z",
  "M0 -7L6.5 4.6H-6.5Z",
  "M0 -7.5L6 0L0 7.5L-6 0Z",
  "M0 7L6.5 -4.6H-6.5Z",
  "M-2.3 -6.5H2.3V-2.3H6.5V2.3H2.3V6.5H-2.3V2.3H-6.5V-2.3H-2.3Z",
  "M0 -7L6.7 -2.2L4.1 5.7H-4.1L-6.7 -2.2Z",
]
const cross = "M-5 -5L5 5M-5 5L5 -5"

interface SymbolProps {
  point: Pick<FrontierPoint, "method" | "raw" | "of">
  methods: Explore["methods"]
  isOnFront?: boolean
}

/** A method by shape and colour: hollow for a sample, filled for the whole log, a cross for the raw log. */
export function PointSymbol({ point, methods, isOnFront = false }: SymbolProps) {
  const number = Math.max(
    0,
    methods.findIndex(({ name }) => name === point.method),
  )
  const look = point.raw ? "raw" : `method-${number % outlines.length}`
  return (
    <>
      {isOnFront && <circle class="front" r={10.5} />}
      <path
        class={`symbol ${look} ${point.of === "sample" ? "hollow" : "filled"}`}
        d={point.raw ? cross : (outlines[number % outlines.length] ?? cross)}
      />
    </>
  )
}

/** What shapes, colours and marks mean. */
export function Legend({ explore, points }: { explore: Explore; points: readonly FrontierPoint[] }) {
  const methods = explore.methods.filter(({ name }) => points.some(({ method, raw }) => !raw && method === name))
  const raw = points.find((point) => point.raw)
  const entries = [
    ...methods.map(({ name }) => ({ name, point: { method: name, raw: false, of: "whole" as const } })),
    ...(raw === undefined ? [] : [{ name: "raw log, names replaced", point: raw }]),
  ]
  return (
    <ul class="frontier-legend">
      {entries.map(({ name, point }) => (
        <li key={name}>
          <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
            <PointSymbol point={point} methods={explore.methods} />
          </svg>
          {name}
        </li>
      ))}
      <li>
        <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
          <circle class="symbol any hollow" r="6" />
        </svg>
        hollow: on a sample
      </li>
      <li>
        <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
          <circle class="symbol any filled" r="6" />
        </svg>
        filled: on the whole log
      </li>
      <li>
        <svg width="22" height="22" viewBox="-11 -11 22 22" aria-hidden="true">
          <circle class="front" r="10" />
        </svg>
        ringed: no other is better in both
      </li>
      <li>
        <svg width="18" height="18" aria-hidden="true">
          <rect class="accepted" width="18" height="18" />
        </svg>
        risk that you accept
      </li>
    </ul>
  )
}
