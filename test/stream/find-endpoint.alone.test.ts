import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { findEndpoint, registerTransport } from "#dist/stream/transports/find-endpoint.js"
import type { Transport } from "#dist/stream/transports/transport.js"

const input = { flag: "--input", as: "input" } as const
const output = { flag: "--output", as: "output" } as const
const about = (text: string) => {
  const { scheme, name } = findEndpoint(text, input)
  return [scheme, name]
}

test("an endpoint is found by its scheme; without one it is a file", () => {
  expect(about("-")).toEqual(["-", "-"])
  expect(about("tcp://:80")).toEqual(["tcp", "tcp://127.0.0.1:80"])
  expect(about("unix:a.sock")).toEqual(["unix", "unix:a.sock"])
  const path = resolve("a b.tsv")
  for (const text of ["a b.tsv", "./a b.tsv", "file:a b.tsv", pathToFileURL(path).href])
    expect(about(text)).toEqual(["file", path])
})

test("an unknown scheme is refused, and the known ones are named", () => {
  expect(() => findEndpoint("ftp:x", input)).toThrow(/unknown scheme ftp:\. Give -, a file, tcp:.*unix:PATH/)
  expect(() => findEndpoint("http", { ...input, more: [] })).not.toThrow() // without a server, a file of this name
  expect(() => findEndpoint("tcp:nowhere", output)).toThrow(/--output nowhere: not an address/)
})

test("a registered transport is found, once, and only for the directions that it has", () => {
  const transport: Transport = {
    name: "spool",
    form: "spool:DIR",
    find: (rest) => ({ name: `spool:${rest}`, input: () => ({ run: async () => {} }) }),
  }
  registerTransport(transport)
  expect(about("spool:in")).toEqual(["spool", "spool:in"])
  expect(() => findEndpoint("spool:in", output)).toThrow(/cannot be an output/)
  expect(() => findEndpoint("ftp:x", input)).toThrow(/spool:DIR/)
  expect(() => registerTransport(transport)).toThrow(/taken/)
  expect(() => registerTransport({ ...transport, name: "http" })).toThrow(/taken/)
})
