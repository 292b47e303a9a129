/** A point of a drawing in pixels. A point with a text gets a label. */
export interface LabelledPoint {
  x: number
  y: number
  text?: string
}

/** The position of a label: its left end and its vertical centre. */
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
  /** The mean width of a letter, and the height of a line, in pixels. */
  letter: number
  line: number
  /** The greatest distance of a label from its point. */
  reach: number
  /** Boxes that are already occupied. */
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
 * Places the labels so that no label overlaps another label, a point, a `taken` box, or the edge of the drawing. Points
 * are handled in order. Each gets the nearest free position around it. A label without a free position is left out.
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

/** Candidate boxes around a point, the nearest first, those on the right before others. */
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
