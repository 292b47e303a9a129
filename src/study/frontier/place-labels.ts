/** A point of a drawing in pixels; one with a text is to be labelled. */
export interface LabelledPoint {
  x: number
  y: number
  text?: string
}

/** Where a label stands: its left end and the middle of its height. */
export interface PlacedLabel {
  point: LabelledPoint
  text: string
  x: number
  y: number
  width: number
}

/** The size of the drawing and of its letters. */
export interface LabelOptions {
  width: number
  height: number
  /** Pixels of a letter, on average, and of a line. */
  letter: number
  line: number
  /** How far from its point a label may stand. */
  reach: number
  /** Where something else is. */
  taken?: readonly Box[]
}

/** A rectangle in pixels. */
export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/**
 * Places for the labels of points so that no label lies on another, on a point, on what is `taken`, or outside the drawing: of the places
 * around each point the nearest that is free, points in their order. A label without one is left out.
 */
export function placeLabels(points: readonly LabelledPoint[], options: LabelOptions): PlacedLabel[] {
  const { letter, line, reach } = options
  const dots = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }))
  const taken: Box[] = [...dots, ...(options.taken ?? [])]
  const placed: PlacedLabel[] = []
  for (const point of points) {
    const { text } = point
    if (text === undefined) continue
    const width = text.length * letter
    const places = around(point, { width, line, reach })
    const free = places.find((box) => isInside(box, options) && !taken.some((other) => overlap(box, other)))
    if (free === undefined) continue
    taken.push(free)
    placed.push({ point, text, x: free.left, y: (free.top + free.bottom) / 2, width })
  }
  return placed
}

const directions = Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8)

/** Boxes around a point, the nearest first; on the right before elsewhere. */
function around({ x, y }: LabelledPoint, options: { width: number; line: number; reach: number }): Box[] {
  const { width, line, reach } = options
  const distances = Array.from({ length: Math.floor((reach - 9) / 6) + 1 }, (_, i) => 9 + i * 6)
  return distances.flatMap((distance) =>
    directions.map((direction) => {
      const [dx, dy] = [Math.cos(direction) * distance, Math.sin(direction) * distance]
      const left = x + dx - (Math.abs(dx) < 4 ? width / 2 : dx < 0 ? width : 0)
      const middle = y + dy + (Math.abs(dx) < 4 ? Math.sign(dy) * (line / 2 - 4) : 0)
      return { left, right: left + width, top: middle - line / 2, bottom: middle + line / 2 }
    }),
  )
}

const isInside = ({ left, right, top, bottom }: Box, { width, height }: LabelOptions) =>
  left >= 0 && right <= width && top >= 0 && bottom <= height

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
