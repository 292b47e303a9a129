import type { ExplanationGraph } from "../methods/explanation.ts"
import type { ExplainedQuery } from "../release/explain.ts"

interface Point {
  x: number
  y: number
}

const [width, height, margin, footer] = [960, 720, 70, 40]
/** The x position where the list of queries begins; the graph is to its left. */
const listAt = 690
const drawnVertices = 40
const longestLabel = 40

/**
 * The graph around a query as SVG, next to a list of the queries: Fig. 4 of Carpineto & Romano 2015. Each circle is a
 * query. It is darker the higher its degree, and has a thick ring if it is in the core.
 */
export function drawCores(found: ExplainedQuery, { theta }: { theta: number }): string {
  const { query, facts, graph = loneQuery } = found
  const drawn = graph.vertices.slice(0, drawnVertices)
  const edges = graph.edges.filter(([a, b]) => a < drawn.length && b < drawn.length)
  const points = layOut(drawn.length, edges)
  const degrees = [...new Set(drawn.map(({ degree }) => degree))].sort((a, b) => a - b)
  const lines = edges.map(([a, b]) => {
    const [from, to] = [at(points, a), at(points, b)]
    return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`
  })
  const circles = drawn.map(({ degree, users, isCore, query: text }, i) => {
    const { x, y } = at(points, i)
    const title = `${text}: ${users} ${users === 1 ? "user" : "users"}, degree ${degree}`
    const ring = i === 0 ? 4 : isCore ? 2 : 0.75
    const shape = `cx="${x}" cy="${y}" r="${i === 0 ? 13 : 11}" fill="${shade(degree, degrees)}" stroke-width="${ring}"`
    return `<circle ${shape}><title>${escapeText(title)}</title></circle>`
  })
  const numbers = drawn.map(({ degree }, i) => {
    const { x, y } = at(points, i)
    const fill = lightness(degree, degrees) < 128 ? "white" : "black"
    return `<text x="${x}" y="${y + 4}" text-anchor="middle" fill="${fill}">${i + 1}</text>`
  })
  const list = drawn.map(({ query: text }, i) => {
    const y = margin / 2 + i * 16
    const short = text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text
    const weight = i === 0 ? ' font-weight="bold"' : ""
    const number = `<text x="${listAt}" y="${y}" text-anchor="end">${i + 1}</text>`
    return `${number}<text x="${listAt + 8}" y="${y}"${weight}>${escapeText(short)}</text>`
  })
  const left = graph.queries - drawn.length
  const legend = degrees.map((degree, i) => {
    const x = margin + i * 60
    const fill = shade(degree, degrees)
    const circle = `<circle cx="${x}" cy="${height - 22}" r="7" fill="${fill}" stroke-width="0.75"/>`
    return `${circle}<text stroke="none" x="${x + 12}" y="${height - 18}">${degree}</text>`
  })
  const notes = [
    `θ = ${theta}`,
    facts.bound === "lower" ? "degrees are lower bounds" : "",
    left > 0 ? `${left} queries further away are not drawn` : graph.closed ? "" : "not the whole component",
  ].filter((note) => note !== "")
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">
<title>${escapeText(query)}</title>
<rect width="100%" height="100%" fill="white"/>
<g stroke="#999" stroke-width="0.75" stroke-opacity="0.5">${lines.join("")}</g>
<g stroke="black">${circles.join("")}</g>
<g font-size="11">${numbers.join("")}</g>
<g>${list.join("")}</g>
<text x="${margin - 60}" y="${height - 18}">degree</text><g stroke="black">${legend.join("")}</g>
<text x="${width - 16}" y="${height - 18}" text-anchor="end">${escapeText(notes.join("; "))}</text>
</svg>
`
}

/** The graph of a query that is not compared with any other. */
const loneQuery: ExplanationGraph = { vertices: [], edges: [], queries: 1, vectors: 0, inCore: 1, closed: true }

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const at = (points: readonly Point[], i: number): Point => points[i] ?? { x: 0, y: 0 }

/** Lightness by the rank of a degree among those drawn. */
function lightness(degree: number, degrees: readonly number[]): number {
  const share = degrees.length < 2 ? 0.5 : degrees.indexOf(degree) / (degrees.length - 1)
  return Math.round(235 - share * 190)
}

function shade(degree: number, degrees: readonly number[]): string {
  const level = lightness(degree, degrees)
  return `rgb(${level},${level},${level})`
}

/**
 * A force-directed layout (Fruchterman & Reingold 1991) that starts from a circle. The same graph gives the same
 * drawing.
 */
function layOut(size: number, edges: readonly (readonly [number, number])[]): Point[] {
  const points = Array.from({ length: size }, (_, i) => ({
    x: i === 0 ? 0 : Math.cos((2 * Math.PI * i) / size),
    y: i === 0 ? 0 : Math.sin((2 * Math.PI * i) / size),
  }))
  const apart = 1.4 / Math.sqrt(size + 1)
  const rounds = 300
  for (let round = 0; round < rounds; round++) {
    const moves = points.map(() => ({ x: 0, y: 0 }))
    const push = (a: number, b: number, force: (distance: number) => number) => {
      const [from, to] = [at(points, a), at(points, b)]
      const [dx, dy] = [to.x - from.x, to.y - from.y]
      const distance = Math.max(1e-6, Math.hypot(dx, dy))
      const step = force(distance) / distance
      const [one, other] = [at(moves, a), at(moves, b)]
      one.x += dx * step
      one.y += dy * step
      other.x -= dx * step
      other.y -= dy * step
    }
    for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) push(a, b, (d) => -(apart * apart) / d)
    for (const [a, b] of edges) push(a, b, (d) => (d * d) / apart / 4)
    const heat = 0.1 * (1 - round / rounds)
    points.forEach((point, i) => {
      const move = at(moves, i)
      const length = Math.max(1e-9, Math.hypot(move.x, move.y))
      point.x += (move.x / length) * Math.min(length, heat)
      point.y += (move.y / length) * Math.min(length, heat)
    })
  }
  return scaleToDrawing(points)
}

/** Scales a layout to the drawing. */
function scaleToDrawing(points: readonly Point[]): Point[] {
  const scale = (values: readonly number[], from: number, to: number) => {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    return (value: number) =>
      Math.round(
        10 * (most - least < 1e-9 ? (from + to) / 2 : from + ((value - least) / (most - least)) * (to - from)),
      ) / 10
  }
  const x = scale(
    points.map((point) => point.x),
    margin,
    listAt - margin,
  )
  const y = scale(
    points.map((point) => point.y),
    margin / 2,
    height - margin / 2 - footer,
  )
  return points.map((point) => ({ x: x(point.x), y: y(point.y) }))
}
