import type { Findings } from "./findings.ts"

/** One connection, or one life of the stream, through which releases are seen. */
export interface Source {
  name: string
  /** The number that was seen last through it; undefined before the first. */
  last: number | undefined
  /** The number after which a subscriber asked for releases. */
  after: number | undefined
}

/**
 * Releases by number, as they were first seen. A release that is seen again must have the same bytes. The numbers from
 * one source must have no gaps. A source may begin with repeats, but not after a number that was never seen.
 */
export class Seen {
  readonly lines: string[] = []
  /** Number of lines that had been seen before. */
  repeats = 0
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  take(line: string, source: Source): void {
    const seq = Number(/^\{"seq":(\d+),/.exec(line)?.[1] ?? Number.NaN)
    if (Number.isNaN(seq)) {
      this.#findings.add("a line has no number", `${source.name}: ${line.slice(0, 80)}`)
      return
    }
    const where = `${source.name}: ${seq}, last ${source.last}, after ${source.after}, seen ${this.lines.length}`
    if (source.last !== undefined) {
      if (seq !== source.last + 1) this.#findings.add("numbers have a gap or go back", where)
    } else if (source.after !== undefined) {
      if (seq <= source.after) this.#findings.add("a subscriber got a release again", where)
      else if (seq > source.after + 1) this.#findings.add("a subscriber missed a release", where)
    } else if (seq > this.lines.length) this.#findings.add("a release was skipped", where)
    source.last = seq
    const known = this.lines[seq]
    if (known === undefined) this.lines[seq] = line
    else {
      this.repeats++
      if (known !== line) this.#findings.add("a release has changed", where)
    }
  }
}

/** Cuts what arrives into complete lines; the rest of a broken connection is dropped. */
export function lineCutter(take: (line: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ""
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) take(line)
  }
}
