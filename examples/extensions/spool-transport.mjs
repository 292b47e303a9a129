// The scheme spool:DIR. An input is a folder of NDJSON files that others put there; it is read in the order of names.
// An output is a folder that gets one file for each commit of the stream.
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { registerTransport } from "queryveil/extend"
import { batchRecords } from "queryveil/stream"

const filesOf = async (folder) => (await readdir(folder)).filter((name) => name.endsWith(".ndjson")).sort()

/** Reads the files after the last one of the previous run. The name of that file is the position. */
const spoolInput = (name, folder, { note }) => ({
  async run(stream, signal) {
    note(`listening on ${name}`)
    const last = stream.resumed.positions[name] ?? ""
    for (const file of await filesOf(folder)) {
      if (file <= last) continue
      if (signal.aborted) return
      const lines = (await readFile(join(folder, file), "utf8")).trimEnd().split("\n")
      const batch = batchRecords(lines.map((line) => JSON.parse(line)))
      const { room, receipt } = stream.offer({ ...batch, position: { input: name, at: file } })
      await room // until the stream can accept another batch
      await receipt // until a crash cannot lose this one
    }
  },
})

const numberOf = (file) => Number(file.slice(0, -".ndjson".length))

/**
 * A file is named by its last release. After a crash the stream writes its last commits again, byte for byte. They
 * replace the files of the same names, so every release is there exactly once.
 */
const spoolOutput = (folder) => ({
  exact: true,
  async open({ releases, due, isNew }) {
    await mkdir(folder, { recursive: true })
    const newest = (await filesOf(folder)).at(-1)
    if (newest === undefined) return
    if (isNew) throw new Error(`${folder}: has releases of another store`)
    if (numberOf(newest) >= releases + due) throw new Error(`${folder}: has releases that the store has lost`)
  },
  async write(bytes, { last }) {
    const file = join(folder, `${String(last).padStart(15, "0")}.ndjson`)
    await writeFile(`${file}.partial`, bytes, { flush: true, mode: 0o600 })
    await rename(`${file}.partial`, file)
  },
  async settle() {}, // each write is already on the disk
  async close() {},
})

registerTransport({
  name: "spool",
  form: "spool:DIR",
  find(rest) {
    const folder = resolve(rest)
    const name = `spool:${folder}`
    return { name, input: (context) => spoolInput(name, folder, context), output: () => spoolOutput(folder) }
  },
})
