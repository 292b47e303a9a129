import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { Writable } from "node:stream"
import { describe, expect, test } from "vitest"
import { fileOutput } from "#dist/stream/outputs/file-output.js"
import { socketOutput } from "#dist/stream/outputs/socket-output.js"
import { stdoutOutput } from "#dist/stream/outputs/stdout-output.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const bytes = (text: string) => Buffer.from(text)
const numbered = (last: number) => ({ ends: new Uint32Array(0), last, positions: {} })
const start = { releases: 0, bytes: 0, isNew: true, due: 0, store: "0123456789abcdef", time: "hour" } as const

describe("a file as the output", () => {
  test("is cut back to the position of the last checkpoint", async () => {
    const path = fresh()
    const first = fileOutput(path)
    await first.open(start)
    await first.write(bytes("one\n"), numbered(1))
    await first.write(bytes("two\n"), numbered(2))
    await first.close()
    const second = fileOutput(path)
    await second.open({ ...start, releases: 1, bytes: 4, isNew: false, due: 1 })
    await second.write(bytes("two again\n"), numbered(2))
    await second.settle()
    await second.close()
    expect(readFileSync(path, "utf8")).toBe("one\ntwo again\n")
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test("is refused while another stream writes it, with or without --force", async () => {
    const path = write("header\n", "busy.jsonl")
    const first = fileOutput(path, { force: true })
    await first.open(start)
    const second = fileOutput(path, { force: true })
    await expect(second.open(start)).rejects.toMatchObject({ code: "output-exists" })
    await first.write(Buffer.from("kept\n"), numbered(0))
    await first.close()
    expect(readFileSync(path, "utf8")).toBe("kept\n")
    await second.open({ ...start, isNew: true })
    await second.close()
  })

  test("is refused if it has other content without --force, or if it is too short", async () => {
    const path = write("mine")
    await expect(fileOutput(path).open(start)).rejects.toMatchObject({ code: "output-exists" })
    expect(readFileSync(path, "utf8")).toBe("mine")
    await expect(
      fileOutput(path, { force: true }).open({ ...start, releases: 3, bytes: 5, isNew: false }),
    ).rejects.toMatchObject({
      code: "output-changed",
    })
    const forced = fileOutput(path, { force: true })
    await forced.open(start)
    await forced.close()
    expect(readFileSync(path, "utf8")).toBe("")
    await expect(fileOutput("/nowhere/out").open(start)).rejects.toMatchObject({ code: "output-unwritable" })
  })

  test("that has more releases than the store knows is refused and not changed", async () => {
    const path = write("header\none\ntwo\nthree\nhal")
    for (const known of [
      { releases: 1, bytes: 11, due: 1 },
      { releases: 0, bytes: 0, due: 2 },
    ])
      await expect(fileOutput(path).open({ ...start, ...known, isNew: false })).rejects.toMatchObject({
        code: "output-ahead",
      })
    expect(readFileSync(path, "utf8")).toBe("header\none\ntwo\nthree\nhal")
    const whole = fileOutput(path)
    await whole.open({ ...start, releases: 1, bytes: 11, due: 2, isNew: false })
    await whole.close()
    expect(readFileSync(path, "utf8")).toBe("header\none\n")
  })

  test("waits while the disk is full, and then has every byte once", async () => {
    const path = fresh()
    const told: boolean[] = []
    let failures = 2
    const output = fileOutput(path, {
      onFull: (full) => told.push(full),
      wait: async () => {
        expect(readFileSync(path, "utf8")).toBe("one\n") // the part that was written is cut off again
      },
      async write(file, part, at) {
        if (told.length === 0 && at === 4) return (await file.write(part, 0, 2, at)).bytesWritten
        if (at > 0 && failures-- > 0) throw Object.assign(new Error("full"), { code: "ENOSPC" })
        return (await file.write(part, 0, part.length, at)).bytesWritten
      },
    })
    await output.open(start)
    await output.write(bytes("one\n"), numbered(1))
    await output.write(bytes("two\n"), numbered(2))
    await output.close()
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n")
    expect(told).toEqual([true, false])
  })
})

describe("the standard output", () => {
  test("makes the stream wait for a slow reader", async () => {
    let read = () => {}
    const target = new Writable({
      write: (_chunk, _encoding, done) => {
        read = done
      },
    })
    const output = stdoutOutput(target)
    await output.open(start)
    let taken = false
    const writing = output.write(bytes("one\n"), numbered(1)).then(() => {
      taken = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(taken).toBe(false)
    read()
    await writing
    await output.close()
  })
})

describe("a socket as the output", () => {
  async function server() {
    const sockets: Socket[] = []
    const listening = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(0, "127.0.0.1")
    await once(listening, "listening")
    const { port } = listening.address() as AddressInfo
    return { listening, sockets, address: { kind: "tcp", host: "127.0.0.1", port } as const }
  }

  test("receives everything, and is connected again if the connection is lost", async () => {
    const { listening, sockets, address } = await server()
    const output = socketOutput(address, { warn: () => {} })
    await output.open(start)
    await output.write(bytes("one\n"), numbered(1))
    while (sockets.length < 1) await once(listening, "connection")
    const [chunk] = await once(sockets[0], "data")
    expect(String(chunk)).toBe("one\n")
    sockets[0].destroy()
    const again = once(listening, "connection")
    // The loss is noticed when writing fails. What was on its way is then sent again in full.
    let n = 2
    const writing = (async () => {
      while (sockets.length < 2) await output.write(bytes(`${n++}\n`), numbered(n))
    })()
    await again
    await writing
    let text = ""
    sockets[1].on("data", (more) => {
      text += more
    })
    const ended = once(sockets[1], "end")
    await output.close()
    await ended
    expect(text).toMatch(/^(\d+\n)+$/)
    expect(text.trim().split("\n").at(-1)).toBe(String(n - 1))
    listening.close()
  })

  test("without a listener is tried until there is one", async () => {
    const { listening, address } = await server()
    listening.close()
    await once(listening, "close")
    const warnings: string[] = []
    let tries = 0
    const revived = createServer()
    const got = new Promise<string>((resolve) => {
      revived.on("connection", (socket) => socket.on("data", (data) => resolve(String(data))))
    })
    const output = socketOutput(address, {
      warn: (text) => warnings.push(text),
      async wait() {
        if (++tries === 2) await new Promise<void>((resolve) => revived.listen(address.port, "127.0.0.1", resolve))
      },
    })
    await output.open(start)
    await output.write(bytes("kept\n"), numbered(1))
    expect(await got).toBe("kept\n")
    expect(warnings).toHaveLength(1)
    await output.close()
    revived.close()
  })
})
