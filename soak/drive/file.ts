import { existsSync, readFileSync, statSync } from "node:fs"
import { appendFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { idAt, linesOf } from "../searches.ts"
import type { Driver, World } from "./driver.ts"

const timePattern = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g

/** A growing file that is followed, to a file. Lines are also appended in parts. */
export async function fileDriver(world: World): Promise<Driver> {
  const { random } = world
  const input = join(world.folder, "in.jsonl")
  const output = watchFile(join(world.folder, "out.jsonl"), world)
  let half = ""
  const grow = async (most: number) => {
    const text = half + linesOf(Array.from({ length: 1 + random.below(most) }, world.makeSearch))
    const cut = random.chance(0.3) ? random.below(text.length) : text.length
    half = text.slice(cut)
    await appendFile(input, text.slice(0, cut))
  }
  await writeFile(input, "")
  await grow(200)
  return {
    isLossless: true,
    isAnswered: false,
    places: ({ isLast }) => ["--input", input, "-o", output.path, "--to", "jsonl", ...(isLast ? [] : ["--follow"])],
    async feed(life, signal) {
      await grow(1000)
      while (!signal.aborted && !life.isOver()) {
        await wait(random.below(15))
        await grow(60)
      }
    },
    progress: output.size,
    collect: output.collect,
    complete: () => appendFile(input, half),
    async finish() {},
    lines: output.lines,
    async close() {},
  }
}

/** A packed file, which gets another member between two lives, to a table. */
export async function gzipDriver(world: World): Promise<Driver> {
  const input = join(world.folder, "in.jsonl.gz")
  const output = watchFile(join(world.folder, "out.tsv"), world)
  const grow = (length: number) => appendFile(input, gzipSync(linesOf(Array.from({ length }, world.makeSearch))))
  let isLast = false
  await grow(2000)
  return {
    isLossless: true,
    isAnswered: false,
    places: () => ["--input", input, "-o", output.path, "--to", "tsv"],
    async feed() {},
    progress: output.size,
    async collect() {
      await output.collect()
      if (!isLast) await grow(1000 + world.random.below(8000))
    },
    async finish() {
      isLast = true
    },
    lines: () => output.lines().slice(1), // after the header
    async close() {},
  }
}

/** An output file. It may be cut back and written again, but no byte that was seen may change. */
function watchFile(path: string, { sent, findings }: World) {
  let longest: Buffer = Buffer.alloc(0)
  const size = () => (existsSync(path) ? statSync(path).size : 0)
  return {
    path,
    size,
    async collect() {
      const found = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
      const both = Math.min(found.length, longest.length)
      if (!found.subarray(0, both).equals(longest.subarray(0, both)))
        findings.add("a release has changed", `${path}, within the first ${both} bytes`)
      if (found.length <= longest.length) return
      // A cell shows the time of the search that closed it, so all searches before that one were accepted.
      const times =
        found
          .subarray(Math.max(longest.length - 200, 0))
          .toString()
          .match(timePattern) ?? []
      for (const time of times) sent.takenUpTo(idAt(time))
      longest = found
    },
    lines: () => longest.toString().split("\n").slice(0, -1),
  }
}
