import { readFileSync } from "node:fs"
import { beforeEach, describe, expect, test } from "vitest"
import { parseClusterAddress } from "#dist/cluster/cluster-address.js"
import type { OutputStart } from "#dist/stream/live/transport.js"
import { releaseMappings } from "#dist/stream/outputs/index-mappings.js"
import { indexOutput } from "#dist/stream/outputs/index-output.js"
import { findEndpoint } from "#dist/stream/transports/find-endpoint.js"
import { FakeCluster } from "../support/fake-cluster.ts"

let cluster: FakeCluster
let warnings: string[]
beforeEach(async () => {
  cluster = await FakeCluster.open()
  warnings = []
})

const store = "0123456789abcdef"
const fresh: OutputStart = { releases: 0, bytes: 0, isNew: true, due: 0, store, time: "hour" }

async function openOutput(position: Partial<OutputStart> = {}, { force = false } = {}) {
  const output = indexOutput(parseClusterAddress(cluster.url("released")), {
    force,
    warn: (text) => warnings.push(text),
    wait: async () => {},
    patience: 0,
  })
  await output.open({ ...fresh, ...position })
  return output
}

/** Releases `from` to `to` as one commit. */
function commit(from: number, to: number) {
  const lines = Array.from({ length: to - from + 1 }, (_, i) => `{"seq":${from + i},"query":"secret ${from + i}"}\n`)
  let end = 0
  const ends = Uint32Array.from(lines, (line) => {
    end += line.length
    return end
  })
  return [Buffer.from(lines.join("")), { ends, last: to, positions: {} }] as const
}

const seqs = () => cluster.documents.map(({ source }) => Number(source.seq)).sort((a, b) => a - b)
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, i) => i)

describe("an index as output", () => {
  test("has each release once, under the id of its store and its number", async () => {
    const output = await openOutput()
    await output.write(...commit(0, 2))
    await output.write(...commit(3, 9))
    await output.settle()
    expect(seqs()).toEqual(upTo(9))
    expect(cluster.documents[3]?.id).toBe(`${store}-3`)
    await output.close()
  })

  test("has each release once although they are written again after a crash", async () => {
    const output = await openOutput()
    await output.write(...commit(0, 9))
    await output.settle()
    const again = await openOutput({ isNew: false, due: 12 })
    await again.write(...commit(0, 11))
    await again.close()
    expect(seqs()).toEqual(upTo(11))
  })

  test("gets what a busy cluster or a lost connection refuses again, and nothing twice", async () => {
    cluster.bulkStatus = (id, tries) => (tries < Number(id.slice(-1)) % 4 ? (tries % 2 === 0 ? 429 : 503) : undefined)
    let number = 0
    cluster.fault = ({ path }) => (path.includes("_bulk") && ++number % 3 === 0 ? "drop" : undefined)
    const output = await openOutput()
    for (let i = 0; i < 30; i++) await output.write(...commit(10 * i, 10 * i + 9))
    await output.close()
    expect(seqs()).toEqual(upTo(299))
  })

  test("that refuses a document blocks, names the release without its text, and goes on when corrected", async () => {
    let isCorrected = false
    cluster.bulkStatus = (id, tries) => {
      if (tries > 20) isCorrected = true
      return id.endsWith("-4") && !isCorrected ? 400 : undefined
    }
    const output = await openOutput()
    await output.write(...commit(0, 9))
    await output.settle()
    expect(seqs()).toEqual(upTo(9))
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain("refuses release 4 (status 400, some_exception)")
    expect(warnings[1]).toContain("takes releases again")
    expect(warnings.join()).not.toContain("secret")
    await output.close()
  })

  test("holds up the stream when it takes nothing", async () => {
    let isOpen = false
    cluster.bulkStatus = () => (isOpen ? undefined : 429)
    const output = indexOutput(parseClusterAddress(cluster.url("released")), {
      force: false,
      warn: () => {},
      wait: () => new Promise((resolve) => setImmediate(resolve)),
    })
    await output.open(fresh)
    const line = Buffer.from(`${JSON.stringify({ seq: 0, query: "x".repeat(1 << 20) })}\n`)
    let written = 0
    const writing = (async () => {
      for (let seq = 0; seq < 30; seq++) {
        await output.write(line, { ends: Uint32Array.of(line.length), last: seq, positions: {} })
        written++
      }
    })()
    await expect.poll(() => cluster.asked.filter(({ path }) => path.includes("_bulk")).length).toBeGreaterThan(3)
    expect(written).toBeLessThan(20)
    isOpen = true
    await writing
    await output.close()
    expect(cluster.documents).toHaveLength(30)
  })

  test("is sent in smaller parts if the cluster finds a request too large", async () => {
    cluster.fault = ({ path, body }) => (path.includes("_bulk") && body.length > 500 ? { status: 413 } : undefined)
    const output = await openOutput()
    await output.write(...commit(0, 49))
    await output.close()
    expect(seqs()).toEqual(upTo(49))
  })

  test("is created with its mappings if it is not there", async () => {
    cluster.fault = ({ method, path }) => (method === "GET" && path.includes("_count") ? { status: 404 } : undefined)
    await openOutput()
    const created = cluster.asked.find(({ method }) => method === "PUT")
    expect(created?.path).toBe("/released")
    expect(JSON.parse(created?.body ?? "")).toEqual({ mappings: releaseMappings })
  })

  test("has the mappings of the index template among the examples", () => {
    const path = new URL("../../examples/opensearch/index-template.json", import.meta.url)
    expect(JSON.parse(readFileSync(path, "utf8")).template.mappings).toEqual(releaseMappings)
  })

  test("with documents of others is refused for a new store, unless --force adds to it", async () => {
    cluster.fault = ({ path }) => (path.includes("_count") ? { status: 200, body: { count: 7 } } : undefined)
    await expect(openOutput()).rejects.toMatchObject({ code: "output-exists" })
    await (await openOutput({}, { force: true })).close()
  })

  test("with more releases than the store knows is refused", async () => {
    cluster.fault = ({ path }) => {
      if (path.includes("_count")) return { status: 200, body: { count: 7 } }
      return path.includes("/_doc/") ? { status: path.includes(`${store}-12?`) ? 200 : 404, body: {} } : undefined
    }
    await expect(openOutput({ isNew: false, releases: 10, due: 2 })).rejects.toMatchObject({ code: "output-ahead" })
    await (await openOutput({ isNew: false, releases: 10, due: 3 })).close()
  })
})

describe("the place of an output", () => {
  const find = (text: string) => findEndpoint(text, { flag: "--output", as: "output" })

  test("is one index, and takes NDJSON", () => {
    expect(find("opensearch://localhost:9200/released")).toMatchObject({ to: "jsonl", scheme: "opensearch" })
    expect(() => find("opensearch://localhost:9200/a,b")).toThrow(/an output is one index/)
    expect(() => find("opensearch://localhost:9200/a*")).toThrow(/an output is one index/)
    expect(() => find("opensearch://ann:s3cret@localhost/a")).toThrow(/user name or password/)
    expect(() => find("opensearch://ann:s3cret@localhost/a")).not.toThrow(/s3cret/)
  })

  test("cannot be an input", () => {
    expect(() => findEndpoint("opensearch://localhost:9200/a", { flag: "--input", as: "input" })).toThrow(
      /cannot be an/,
    )
  })
})
