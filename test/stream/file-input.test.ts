import { appendFileSync, renameSync, truncateSync, writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { type FileInputOptions, fileInput } from "#dist/stream/inputs/file-input.js"
import { fileInputName } from "#dist/stream/inputs/file-position.js"
import type { InputPosition } from "#dist/stream/live/transport.js"
import { FakeStream } from "../server/fake-stream.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { anyFormat, aolRows, never, recordsOf } from "./lines.ts"

const { write } = scratchFolder()

async function read(path: string, position: InputPosition | string = "", options: Partial<FileInputOptions> = {}) {
  const stream = new FakeStream(position)
  const warnings: string[] = []
  const warn = (text: string) => warnings.push(text)
  await fileInput({ ...anyFormat, path, follow: false, warn, ...options }).run(stream, never)
  return { stream, warnings, records: stream.records, position: stream.position }
}

/** The position as version 0.1 kept it. */
const atOf = (position: InputPosition | string) => (typeof position === "string" ? position : position.at)

describe("a file as the input of a stream", () => {
  test("is read to its end, including its header", async () => {
    const { records } = await read(write(`AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n${aolRows(3)}`))
    expect(records).toEqual(recordsOf(3))
  })

  test("is resumed where the last run left it, plain or compressed", async () => {
    for (const pack of [(text: string) => text, (text: string) => gzipSync(text)]) {
      const header = "user,query,time\n"
      const row = (i: number) => `u${i},"query\n${i}",2006-03-01 00:00:00\n`
      const path = write(pack(header + row(0) + row(1)))
      const first = await read(path)
      expect(first.records).toEqual(recordsOf(2))
      writeFileSync(path, pack(header + row(0) + row(1) + row(2)))
      const second = await read(path, first.position)
      expect(second.records).toEqual(recordsOf(1, 2))
      expect((await read(path, second.position)).records).toEqual([])
    }
  })

  test("gives positions only after whole batches, and each can be resumed", async () => {
    const text = `AnonID\tQuery\tQueryTime\n${aolRows(200_000)}`
    const path = write(text)
    const { stream } = await read(path)
    expect(stream.batches.length).toBeGreaterThan(1)
    const [first] = stream.batches
    const { records } = await read(path, first.position)
    expect(records).toEqual(stream.records.slice(-records.length))
    expect(records.length).toBeLessThan(200_000)
    expect(stream.records).toEqual(recordsOf(200_000))
  })

  test("may lack the last line feed: the line is read, and additions to it are skipped with a warning", async () => {
    const path = write(aolRows(2).trimEnd())
    const first = await read(path)
    expect(first.records).toEqual(recordsOf(2))
    appendFileSync(path, `:07\n${aolRows(1, 2)}`)
    const second = await read(path, first.position)
    expect(second.records).toEqual(recordsOf(1, 2))
    expect(second.warnings).toEqual([expect.stringMatching(/before it was complete/)])
  })

  test("that is another file or was truncated is refused", async () => {
    const path = write(aolRows(3))
    const { position } = await read(path)
    await expect(read(write(aolRows(3, 7)), atOf(position))).rejects.toMatchObject({ code: "input-changed" })
    truncateSync(path, 40)
    await expect(read(path, position)).rejects.toMatchObject({ code: "input-changed" })
    await expect(read(path, atOf(position))).rejects.toMatchObject({ code: "input-changed" })
    await expect(read(path, "tcp")).rejects.toMatchObject({ code: "input-changed" })
  })

  test("is resumed where version 0.1 left it", async () => {
    const path = write(aolRows(2))
    const { position } = await read(path)
    appendFileSync(path, aolRows(1, 2))
    expect((await read(path, atOf(position))).records).toEqual(recordsOf(1, 2))
  })

  test("is resumed under another name: it is recognised by its beginning", async () => {
    const path = write(aolRows(2))
    const { position } = await read(path)
    const moved = `${path}.moved`
    renameSync(path, moved)
    appendFileSync(moved, aolRows(1, 2))
    expect((await read(moved, position)).records).toEqual(recordsOf(1, 2))
    writeFileSync(path, aolRows(2))
    const namesInUse = [fileInputName(path), fileInputName(moved)]
    expect((await read(moved, position, { namesInUse })).records).toEqual(recordsOf(3))
  })

  test("that the store has not seen is read from its beginning, next to the others", async () => {
    const { position } = await read(write(aolRows(3)))
    expect((await read(write(aolRows(2, 7)), position)).records).toEqual(recordsOf(2, 7))
  })

  test("is refused if its records are not lines", async () => {
    await expect(read(write('[{"user":"a"}]'))).rejects.toThrow(/one record per line/)
    await expect(read(write("PAR1....PAR1"))).rejects.toThrow(/line by line/)
    await expect(read("/nowhere/log.txt")).rejects.toMatchObject({ code: "input-missing" })
  })

  test("is decoded", async () => {
    const path = write(Buffer.from("u1\tcaf\xe9\t2006-03-01 00:00:00\n", "latin1"))
    expect((await read(path, "", { encoding: "latin1" })).records).toEqual(["u1 café"])
  })

  test("loses lines over 1 MiB, and the other lines are read", async () => {
    const path = write(`${aolRows(1)}u\t${"x".repeat(9 << 20)}\t2006-03-01 00:00:00\n${aolRows(1, 1)}`)
    const { stream, records } = await read(path)
    expect(records).toEqual(recordsOf(2))
    expect(stream.rejected).toEqual(["length"])
  })
})

describe("a file that is followed", () => {
  function follow(path: string, position: InputPosition | string = "") {
    const stream = new FakeStream(position)
    const controller = new AbortController()
    const warnings: string[] = []
    const warn = (text: string) => warnings.push(text)
    const ended = fileInput({ ...anyFormat, path, follow: true, warn }).run(stream, controller.signal)
    return { stream, ended, warnings, stop: () => controller.abort() }
  }

  test("is read on as it grows", async () => {
    const path = write(aolRows(2))
    const { stream, ended, stop, warnings } = follow(path)
    await stream.until(2)
    appendFileSync(path, aolRows(2, 2))
    await stream.until(4)
    stop()
    await ended
    expect(stream.records).toEqual(recordsOf(4))
    expect(warnings).toEqual([])
  })

  test("leaves an incomplete line for the next run, which reads it whole", async () => {
    const path = write(`${aolRows(1)}u1\tquery 1\t2006-03-`)
    const first = follow(path)
    await first.stream.until(1)
    first.stop()
    await first.ended
    expect(first.stream.records).toEqual(recordsOf(1))
    expect(first.warnings).toEqual([expect.stringMatching(/The next run reads it/)])
    appendFileSync(path, "01 00:00:00\n")
    const second = follow(path, first.stream.position)
    await second.stream.until(1)
    second.stop()
    await second.ended
    expect(second.stream.records).toEqual(recordsOf(1, 1))
  })

  test("ends with an error if it is truncated or replaced", async () => {
    const path = write(aolRows(2))
    const cut = follow(path)
    await cut.stream.until(2)
    truncateSync(path, 5)
    await expect(cut.ended).rejects.toMatchObject({ code: "input-changed" })
    writeFileSync(path, aolRows(2))
    const rotated = follow(path)
    await rotated.stream.until(2)
    renameSync(path, `${path}.1`)
    await expect(rotated.ended).rejects.toMatchObject({ code: "input-changed" })
    await expect(follow(write(gzipSync(aolRows(1)))).ended).rejects.toMatchObject({ code: "usage" })
  })
})
