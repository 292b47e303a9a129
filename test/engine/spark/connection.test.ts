import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { readSparkAddress } from "#dist/engine/spark/connect/spark-address.js"
import { SparkConnection } from "#dist/engine/spark/connect/spark-connection.js"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import { createContext } from "#dist/kernels/context.js"
import { packageVersion } from "#dist/release/package-version.js"
import { type FakeSpark, fakeSpark } from "../../support/fake-spark.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { fresh } = scratchFolder()
const stage = "testing"
let server: FakeSpark
beforeEach(async () => {
  vi.stubEnv("XDG_STATE_HOME", fresh("state"))
  server = await fakeSpark()
})
afterEach(() => {
  server.close()
  vi.unstubAllEnvs()
})

const connect = async () => SparkConnection.open(await readSparkAddress(server.address, {}), createContext())
const methods = () => server.calls.map(({ method }) => method)

async function textsOf(connection: SparkConnection, signal?: AbortSignal): Promise<unknown[]> {
  const texts: unknown[] = []
  for await (const { columns } of connection.query("SELECT 1", { stage, ...(signal && { signal }) }))
    texts.push(...(columns[0] ?? []))
  return texts
}

describe("a query on Spark", () => {
  test("goes on where the connection broke, or where the server closed it", async () => {
    server.steps = [{ text: "a" }, "break", { text: "b" }, "close", { text: "c" }, "close", "complete"]
    expect(await textsOf(await connect())).toEqual(["a", "b", "c"])
    expect(methods().filter((name) => name === "ExecutePlan")).toHaveLength(1)
    const again = server.calls.filter(({ method }) => method === "ReattachExecute")
    expect(again).toHaveLength(3)
    for (const { request } of again) expect(request.last_response_id).toMatch(/^answer-\d+$/)
  })

  test("lets the server forget what was read", async () => {
    server.steps = [{ text: "a" }, "complete"]
    await textsOf(await connect())
    const released = server.calls
      .filter(({ method }) => method === "ReleaseExecute")
      .map(({ request }) => request.release)
    expect(released).toEqual(["release_until", "release_all"])
    expect(methods()).not.toContain("Interrupt")
  })

  test("is sent again if it never arrived, and only then", async () => {
    const unknown = { fail: 13, errorClass: "INVALID_HANDLE.OPERATION_NOT_FOUND" }
    server.steps = ["break", unknown, { text: "a" }, "complete"]
    const connection = await connect()
    expect(await textsOf(connection)).toEqual(["a"])
    expect(methods().filter((name) => name === "ExecutePlan")).toHaveLength(2)
    server.steps = [{ text: "a" }, "break", unknown]
    await expect(textsOf(connection)).rejects.toMatchObject({ code: "spark-lost" })
  })

  test("fails when the server was started again", async () => {
    const connection = await connect()
    server.lost = { errorClass: "INVALID_HANDLE.SESSION_CHANGED" }
    await expect(textsOf(connection)).rejects.toMatchObject({ code: "spark-lost" })
    const { request } = server.calls.find(({ method }) => method === "ExecutePlan") ?? {}
    expect(request).toMatchObject({ client_observed_server_side_session_id: "server-1" })
  })

  test.each([
    { errorClass: "CAST_INVALID_INPUT", shown: "CAST_INVALID_INPUT" },
    { errorClass: "a secret", reason: "org.apache.spark.SparkException", shown: "SparkException" },
    { errorClass: "a secret", reason: "a secret too", shown: "gRPC status 13" },
  ])("shows $shown of an error, and no text", async ({ shown, ...error }) => {
    server.steps = [{ fail: 13, ...error }]
    const thrown = await textsOf(await connect()).catch((caught) => caught)
    expect(thrown).toMatchObject({ code: "spark-failed", message: expect.stringContaining(shown) })
    expect(JSON.stringify(thrown) + thrown.message + thrown.stack).not.toContain("secret")
  })

  test("is cancelled on the server by a signal, and by a reader that stops early", async () => {
    const connection = await connect()
    const controller = new AbortController()
    server.steps = [{ text: "a" }]
    const reading = connection.query("SELECT 1", { stage, signal: controller.signal })
    expect((await reading.next()).done).toBe(false)
    controller.abort()
    await expect(reading.next()).rejects.toMatchObject({ code: "interrupted" })
    expect(methods().slice(-2)).toEqual(["Interrupt", "ReleaseExecute"])
    server.steps = [{ text: "a" }, { text: "b" }]
    for await (const _ of connection.query("SELECT 1", { stage })) break
    expect(methods().filter((name) => name === "Interrupt")).toHaveLength(2)
  })
})

describe("a cluster", () => {
  const good = () => [{ text: packageVersion() }, "complete"] as FakeSpark["steps"]

  test("that has what is needed is accepted", async () => {
    server.steps = good()
    await (await openSparkSession(server.address, createContext())).close()
    expect(methods()).toContain("ReleaseSession")
  })

  test.each([
    { settings: { "spark.speculation": "true" }, text: "spark.speculation" },
    { settings: { "spark.io.encryption.enabled": "false" }, text: "spark.io.encryption.enabled=true" },
    { settings: { "spark.hadoop.fs.permissions.umask-mode": "022" }, text: "umask-mode=077" },
  ])("is refused before any work: $text", async ({ settings, text }) => {
    Object.assign(server.settings, settings)
    await expect(openSparkSession(server.address, createContext())).rejects.toMatchObject({
      code: "spark-refused",
      message: expect.stringContaining(text),
    })
    expect(methods()).not.toContain("ExecutePlan")
  })

  test("is accepted without them if its owner states that it is safe", async () => {
    server.settings = {}
    server.steps = good()
    const session = await openSparkSession(
      `${server.address}/;plain_spill=true;temporary_schema=own.tmp`,
      createContext(),
    )
    expect(await session.temporaryTable()).toMatch(/^own\.tmp\.queryveil_tmp_[0-9a-f]{24}$/)
  })

  test("is refused if it blocks TRANSFORM", async () => {
    server.steps = [{ fail: 13, errorClass: "UNSUPPORTED_FEATURE.TRANSFORM" }]
    await expect(openSparkSession(server.address, createContext())).rejects.toMatchObject({
      code: "spark-refused",
      message: expect.stringContaining("does not run programs"),
    })
  })
})

describe("an address of Spark", () => {
  const read = (address: string, env: Record<string, string> = {}) => readSparkAddress(address, env)

  test("has a port, a schema and TLS if asked for", async () => {
    expect(await read("sc://spark.example")).toMatchObject({ host: "spark.example", port: 15002, tls: false })
    expect(await read("sc://h:443/;use_ssl=true;temporary_schema=a.b")).toMatchObject({
      port: 443,
      tls: true,
      schema: "a.b",
    })
  })

  test("sends a token over TLS, or to this machine", async () => {
    const env = { QUERYVEIL_SPARK_TOKEN: "t" }
    expect(await read("sc://spark.example", env)).toMatchObject({ tls: true, token: "t" })
    expect(await read("sc://127.0.0.1:1", env)).toMatchObject({ tls: false, token: "t" })
    await expect(read("sc://spark.example/;use_ssl=false", env)).rejects.toMatchObject({ code: "usage" })
    await expect(read("sc://spark.example/;token=t")).rejects.toMatchObject({ code: "usage" })
  })

  test.each(["sc://", "sc://h:0", "sc://h:99999", "sc://h/path", "sc://h/;a=b", "sc://h/;use_ssl=maybe", "http://h"])(
    "is refused if it is wrong: %s",
    async (address) => {
      await expect(read(address)).rejects.toMatchObject({ code: "usage", fields: { flag: "--engine" } })
    },
  )
})
