import { cross, outlines } from "../../../web/shared/point-outlines.ts"
import { methods, rawLog } from "./points.ts"

/** A method by shape and colour; a cross for the raw log. */
export function PointSymbol({ method, isOnFront = false }: { method: string; isOnFront?: boolean }) {
  const number = Math.max(0, methods.indexOf(method))
  const look = method === rawLog ? "qv-raw" : `qv-method${(number % outlines.length) + 1}`
  return (
    <>
      {isOnFront && <circle class="qv-ring" r={10.5} />}
      <path class={`qv-symbol ${look}`} d={method === rawLog ? cross : (outlines[number % outlines.length] ?? cross)} />
    </>
  )
}
