import type { Module } from "./module-graph.ts"
import { layerOf, layers, purposes, roomOf } from "./rooms.ts"

const rowHeight = 34
const cell = 34
const margin = 24
const top = 132
const nameWidth = 108
const matrixLeft = margin + 24 + nameWidth + 236
const ink = "#1f2933"
const soft = "#67737e"
const blue = "#2563a8"

/**
 * Draws the rooms of src as an SVG: one row per room, from the highest layer to the lowest. Next to the rows is a table
 * of imports. A cell is the number of files of the row's room that import the column's room. All numbers are to the
 * right of the diagonal, because imports only go down. The drawing depends on nothing but the modules.
 */
export function drawRooms(modules: readonly Module[]): string {
  const rooms = layers.toReversed().flat()
  const counts = countImports(modules)
  const most = Math.max(...counts.values())
  const width = matrixLeft + rooms.length * cell + margin
  const height = top + rooms.length * rowHeight + margin
  return [
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
      `font-family="system-ui, sans-serif" font-size="13" fill="${ink}">`,
    ].join(" "),
    "<title>The rooms of queryveil and their imports</title>",
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(margin, 34, "The rooms of queryveil, in layers", 'font-size="18" font-weight="600"'),
    text(margin, 56, "A file imports from its own room and from lower", `fill="${soft}"`),
    text(margin, 74, "layers. A number is how many files of the room", `fill="${soft}"`),
    text(margin, 92, "on the left import the room named on top.", `fill="${soft}"`),
    ...rooms.map((room, i) => layerBand(room, i, { rooms, width })),
    ...rooms.map((room, i) => columnHead(room, i)),
    ...rooms.flatMap((room, i) => roomRow(room, { i, files: countFiles(modules, room) })),
    ...rooms.flatMap((from, i) =>
      rooms.map((to, j) => importCell(counts.get(`${from} ${to}`) ?? 0, { i, j, most, isOwn: from === to })),
    ),
    "</svg>",
    "",
  ]
    .filter((line, i, lines) => line !== "" || i === lines.length - 1)
    .join("\n")
}

const countFiles = (modules: readonly Module[], room: string) =>
  modules.filter(({ path }) => roomOf(path) === room).length

/** By `from to`: the number of files of one room that import another. */
function countImports(modules: readonly Module[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { path, files } of modules) {
    const from = roomOf(path)
    if (layerOf(from) < 0) continue
    for (const to of new Set(files.map(roomOf))) {
      if (to !== from && layerOf(to) >= 0) counts.set(`${from} ${to}`, (counts.get(`${from} ${to}`) ?? 0) + 1)
    }
  }
  return counts
}

/** The background of a row. Every other layer is shaded. The first room of a layer has the number of the layer. */
function layerBand(room: string, i: number, { rooms, width }: { rooms: readonly string[]; width: number }): string {
  const layer = layerOf(room)
  const y = top + i * rowHeight
  const shade = layer % 2 === 0 ? `<rect x="0" y="${y}" width="${width}" height="${rowHeight}" fill="#f3f6f9"/>` : ""
  const isFirst = i === 0 || layerOf(rooms[i - 1] ?? "") !== layer
  return shade + (isFirst ? text(margin, y + 22, String(layer + 1), `fill="${soft}" font-size="11"`) : "")
}

function roomRow(room: string, { i, files }: { i: number; files: number }): string[] {
  const x = margin + 24
  const y = top + i * rowHeight
  const detail = `${purposes[room] ?? ""} · ${files} files`
  const size = `width="${nameWidth - 14}" height="${rowHeight - 8}"`
  return [
    `<rect x="${x}" y="${y + 4}" ${size} rx="5" fill="#ffffff" stroke="${blue}"/>`,
    text(x + (nameWidth - 14) / 2, y + 22, room, `text-anchor="middle" font-weight="600" fill="${blue}"`),
    text(x + nameWidth - 4, y + 22, detail, `fill="${soft}" font-size="12"`),
  ]
}

function columnHead(room: string, j: number): string {
  const x = matrixLeft + j * cell + cell / 2 + 4
  return text(0, 0, room, `transform="translate(${x} ${top - 10}) rotate(-55)"`)
}

function importCell(
  count: number,
  { i, j, most, isOwn }: { i: number; j: number; most: number; isOwn: boolean },
): string {
  const x = matrixLeft + j * cell
  const y = top + i * rowHeight
  if (isOwn) return `<rect x="${x + 13}" y="${y + 13}" width="8" height="8" fill="#c3ccd5"/>`
  if (count === 0) return ""
  const share = Math.sqrt(count / most)
  const size = `width="${cell - 4}" height="${rowHeight - 6}"`
  const opacity = (0.12 + 0.78 * share).toFixed(2)
  const box = `<rect x="${x + 2}" y="${y + 3}" ${size} rx="4" fill="${blue}" fill-opacity="${opacity}"/>`
  const colour = share > 0.5 ? "#ffffff" : ink
  return box + text(x + cell / 2, y + 22, String(count), `text-anchor="middle" font-size="12" fill="${colour}"`)
}

const text = (x: number, y: number, content: string, attributes = "") =>
  `<text x="${x}" y="${y}" ${attributes}>${content.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</text>`
