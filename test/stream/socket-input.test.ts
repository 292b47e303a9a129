import { once } from "node:events"
import { statSync, writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { PassThrough } from "node:stream"
import { describe, expect, test } from "vitest"
import type { SocketAddress } from "#dist/stream/address.js"
import { socketInput } from "#dist/stream/inputs/socket-input.js"
import { stdinInput } from "#dist/stream/inputs/stdin-input.js"
import { FakeStream } from "../server/fake-stream.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { anyFormat, aolRows, never, recordsOf } from "./lines.ts"

const { fresh } = scratchFolder()

async function listen(address: SocketAddress = { kind: "tcp", host: "127.0.0.1", port: 0 }) {
  const stream = new FakeStream()
  const controller = new AbortController()
  const warnings: string[] = []
  let ended: Promise<void> = Promise.resolve()
  const bound = await new Promise<SocketAddress>((resolve, reject) => {
    const input = socketInput({ ...anyFormat, address, onListening: resolve, warn: (text) => warnings.push(text) })
    ended = input.run(stream, controller.signal)
    ended.catch(reject)
  })
  const dial = () => (bound.kind === "unix" ? connect(bound.path) : connect(bound.port, bound.host))
  return { stream, warnings, dial, bound, stop: () => controller.abort(), ended: () => ended }
}

const gone = (socket: Socket) => once(socket, "close")

describe("clients of a socket", () => {
  test("send concurrently, each in its own format, and are read as soon as they pause", async () => {
    const { stream, dial, stop, ended } = await listen()
    const [first, second] = [dial(), dial()]
    first.write(aolRows(1))
    await stream.until(1)
    second.write('{"user":"u1","query":"query 1","time":"2006-03-01T00:00:00Z"}\n')
    await stream.until(2)
    first.write(aolRows(1, 2))
    await stream.until(3)
    expect(stream.records).toEqual(recordsOf(3))
    expect(new Set(stream.batches.map(({ plan }) => plan.format))).toEqual(new Set(["aol", "jsonl"]))
    expect(stream.batches.every(({ position }) => position === undefined)).toBe(true)
    stop()
    await ended()
  })

  test("that disconnect in the middle of a line lose only that line, which is counted", async () => {
    const { stream, dial, stop, ended } = await listen()
    const client = dial()
    client.end(`${aolRows(2)}u2\tquery 2 that looks whole\t2006-03-01 00:00:00`)
    await gone(client)
    expect(stream.records).toEqual(recordsOf(2))
    expect(stream.rejected).toEqual(["columns"])
    stop()
    await ended()
  })

  test("that reset the connection do not end the stream", async () => {
    const { stream, dial, stop, ended } = await listen()
    const client = dial()
    client.write(aolRows(1))
    await stream.until(1)
    client.resetAndDestroy()
    dial().write(aolRows(1, 1))
    await stream.until(2)
    stop()
    await ended()
    expect(stream.records).toEqual(recordsOf(2))
  })

  test("that send no lines are disconnected, without repeating what they sent, and the others continue", async () => {
    const { stream, dial, stop, ended, warnings } = await listen()
    const wrong = dial()
    wrong.write('[{"user":"secret"}]\n')
    await gone(wrong)
    expect(warnings).toEqual([expect.stringMatching(/disconnected.*one record per line/)])
    expect(warnings.join()).not.toContain("secret")
    dial().write(aolRows(1))
    await stream.until(1)
    stop()
    await ended()
  })

  test("wait while the stream has no room", async () => {
    const { stream, dial, stop, ended } = await listen()
    stream.hold()
    const client = dial()
    const total = 40_000
    client.end(aolRows(total) + "x".repeat(1 << 20).replace(/(.{1000})/g, "$1\n"))
    await stream.until(1)
    expect(stream.batches).toHaveLength(1) // nothing more is offered until there is room
    stream.release()
    await gone(client)
    stop()
    await ended()
    expect(stream.records).toEqual(recordsOf(total))
  })

  test("of a Unix socket are of the same user only; a stale socket is replaced, not a used one or a file", async () => {
    const path = fresh("socket")
    const stale = createServer().listen(path)
    await once(stale, "listening")
    const { dial, stream, stop, ended } = await (async () => {
      await expect(listen({ kind: "unix", path })).rejects.toMatchObject({ code: "address-unusable" })
      // A killed process leaves the file behind. There is no other way to close one end without removing it.
      const left = fresh("left")
      await abandonSocket(left)
      const found = await listen({ kind: "unix", path: left })
      expect(statSync(left).mode & 0o777).toBe(0o600)
      return found
    })()
    dial().write(aolRows(1))
    await stream.until(1)
    stop()
    await ended()
    stale.close()
    const file = fresh("file")
    writeFileSync(file, "kept")
    await expect(listen({ kind: "unix", path: file })).rejects.toMatchObject({ code: "address-unusable" })
  })
})

/** Leaves the file of a socket that nobody listens on. */
async function abandonSocket(path: string): Promise<void> {
  const { spawn } = await import("node:child_process")
  const die = 'process.kill(process.pid, "SIGKILL")'
  const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => ${die})`
  await once(spawn(process.execPath, ["-e", script]), "close")
}

describe("the standard input", () => {
  test("is read as it arrives, and its last line may lack the line feed", async () => {
    const source = new PassThrough()
    const stream = new FakeStream()
    const ended = stdinInput({ ...anyFormat, source }).run(stream, never)
    source.write("AnonID\tQuery\tQueryTime\n")
    source.write(aolRows(1))
    await stream.until(1)
    source.end(aolRows(2, 1).trimEnd())
    await ended
    expect(stream.records).toEqual(recordsOf(3))
  })

  test("is no longer read when the run is stopped", async () => {
    const source = new PassThrough()
    const stream = new FakeStream()
    const controller = new AbortController()
    const ended = stdinInput({ ...anyFormat, source }).run(stream, controller.signal)
    source.write(`${aolRows(1)}half`)
    await stream.until(1)
    controller.abort()
    await ended
    expect(stream.records).toEqual(recordsOf(1))
    expect(stream.rejected).toEqual([])
  })
})
