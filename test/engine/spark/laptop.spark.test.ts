import { mkdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { createServer, type Server } from "node:tls"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import { createContext } from "#dist/kernels/context.js"
import { lakeSettings, type SparkCluster, startSpark, whyNoSpark } from "../../../servers/spark-cluster.ts"
import { makeCertificate } from "../../support/make-certificate.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { readAll } from "../../support/spark-answers.ts"

const reason = whyNoSpark()
const { fresh } = scratchFolder()

describe.skipIf(reason !== undefined)(`a server on a laptop${reason === undefined ? "" : `: ${reason}`}`, () => {
  let server: SparkCluster
  let proxy: Server
  let address: string
  let authority: string
  const sockets = new Set<Socket>()
  beforeAll(async () => {
    const folder = fresh("laptop")
    mkdirSync(folder)
    server = await startSpark(folder, { workers: 0, token: "the-token", settings: lakeSettings(folder) ?? {} })
    const { certificate, key } = makeCertificate(folder)
    authority = certificate
    const files = { cert: readFileSync(certificate), key: readFileSync(key) }
    proxy = createServer({ ...files, ALPNProtocols: ["h2"] }, (socket) => {
      const inner = connect(server.port, "127.0.0.1")
      for (const end of [socket, inner]) {
        sockets.add(end)
        end.on("error", () => {}) // a client that goes away
      }
      socket.pipe(inner).pipe(socket)
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const bound = proxy.address()
    address = `sc://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}/;use_ssl=true`
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    proxy?.close()
    await server?.close()
  })
  afterEach(() => vi.unstubAllEnvs())
  const state = () => vi.stubEnv("XDG_STATE_HOME", fresh("state"))

  test("runs the tasks itself, behind TLS and a token from the environment", async () => {
    state()
    vi.stubEnv("QUERYVEIL_SPARK_TOKEN", "the-token")
    vi.stubEnv("QUERYVEIL_SPARK_CA", authority)
    const session = await openSparkSession(address, createContext())
    expect(await readAll(session, "SELECT sum(id) FROM range(10)")).toEqual([[45]])
    await session.close()
  })

  test.skipIf(lakeSettings("") === undefined).each([
    { format: "delta", table: "searches" },
    { format: "iceberg", table: "lake.db.searches" },
  ])("pins the version of a table of $format", async ({ format, table }) => {
    state()
    vi.stubEnv("QUERYVEIL_SPARK_TOKEN", "the-token")
    const session = await openSparkSession(server.address, createContext())
    const run = (sql: string) => session.run(sql, { stage: "testing" })
    await run(`CREATE TABLE ${table} USING ${format} AS SELECT id AS user, 'q' AS query FROM range(4)`)
    const opened = await session.openSource("pinned", { kind: "table", table })
    expect(opened.snapshot).toContain(format)
    expect(opened.columns.map(({ name }) => name)).toEqual(["user", "query"])
    expect(opened.bytes).toBeGreaterThan(0)
    expect((await session.openSource("same", { kind: "table", table })).sha256).toBe(opened.sha256)
    await run(`INSERT INTO ${table} VALUES (9, 'later')`)
    await run(`DELETE FROM ${table} WHERE user = 0`)
    expect(await readAll(session, "SELECT count(*), min(user), max(user) FROM pinned")).toEqual([[4, 0, 3]])
    await opened.checkUnchanged()
    const later = await session.openSource("later", { kind: "table", table })
    expect(later.sha256).not.toBe(opened.sha256)
    expect(await readAll(session, "SELECT count(*) FROM later")).toEqual([[4]])
    await run(`DROP TABLE ${table}`)
    await session.close()
  })

  test("does not take another token, and its answer is not repeated", async () => {
    state()
    vi.stubEnv("QUERYVEIL_SPARK_TOKEN", "another-token")
    vi.stubEnv("QUERYVEIL_SPARK_CA", authority)
    const error = await openSparkSession(address, createContext()).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: "spark-refused", message: expect.stringContaining("QUERYVEIL_SPARK_TOKEN") })
    expect(JSON.stringify(error) + error.message).not.toContain("another-token")
  })

  test("is not spoken to if its certificate is not trusted", async () => {
    state()
    vi.stubEnv("QUERYVEIL_SPARK_TOKEN", "the-token")
    await expect(openSparkSession(address, createContext())).rejects.toMatchObject({ code: "spark-unreachable" })
  })
})
