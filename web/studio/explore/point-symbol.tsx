import { cross, outlines } from "../../shared/point-outlines.ts"
import type { Explore } from "../answers.ts"
import type { FrontierPoint } from "./point-words.ts"

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
