import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { homedir, tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** The servers that `.ci/install-opensearch` fetches. */
const versions = { opensearch: "opensearch-2.19.3", elasticsearch: "elasticsearch-7.17.0" }

export type ServerKind = keyof typeof versions

const folder = process.env.QUERYVEIL_SERVERS ?? join(homedir(), ".cache", "queryveil-servers")

/** Why there is no server; undefined if there is one. With REQUIRE_SERVERS=1 a missing server is an error. */
export function missingServer(kind: ServerKind): string | undefined {
  const reason = javaHome() === undefined ? "no Java" : existsSync(homeOf(kind)) ? undefined : `no ${homeOf(kind)}`
  if (reason === undefined) return undefined
  const text = `${reason}: run .ci/install-opensearch`
  if (process.env.REQUIRE_SERVERS === "1") throw new Error(text)
  process.stderr.write(`skipped: ${text}\n`)
  return text
}

const homeOf = (kind: ServerKind) => join(folder, versions[kind])

function javaHome(): string | undefined {
  if (process.env.JAVA_HOME !== undefined) return process.env.JAVA_HOME
  try {
    return dirname(dirname(realpathSync(execFileSync("which", ["java"], { encoding: "utf8" }).trim())))
  } catch {
    return undefined
  }
}

/** A user that is not root, because the servers refuse root. Undefined if this process is not root's. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: number("-u"), gid: number("-g") }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A real server on loopback, in a folder and a process group of its own. */
export class SearchServer {
  readonly kind: ServerKind
  readonly port: number
  readonly #home: string
  readonly #settings: readonly string[]
  readonly #transport: number
  #process: ChildProcess | undefined

  private constructor(
    kind: ServerKind,
    options: { home: string; ports: [number, number]; settings: readonly string[] },
  ) {
    this.kind = kind
    this.#home = options.home
    ;[this.port, this.#transport] = options.ports
    this.#settings = options.settings
  }

  /** Starts a server with a new, empty cluster. `settings`: as `-E` takes them. */
  static async start(kind: ServerKind, settings: readonly string[] = []): Promise<SearchServer> {
    const home = mkdtempSync(join(tmpdir(), `queryveil-${kind}-`))
    cpSync(homeOf(kind), join(home, "server"), { recursive: true })
    mkdirSync(join(home, "tmp"))
    const user = otherUser()
    if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, home])
    const server = new SearchServer(kind, { home, ports: [await freePort(), await freePort()], settings })
    process.once("exit", () => server.#remove())
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
    await server.restart()
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The address of indices as queryveil takes it. */
  place(index: string): string {
    return `${this.kind}://127.0.0.1:${this.port}/${index}`
  }

  /** Starts the server again after `kill`. Resolves when its indices can be searched and written. */
  async restart(): Promise<void> {
    const upper = this.kind === "opensearch" ? "OPENSEARCH" : "ES"
    const settings = [
      `http.port=${this.port}`,
      `transport.port=${this.#transport}`,
      "http.host=127.0.0.1",
      "transport.host=127.0.0.1",
      "discovery.type=single-node",
      `path.data=${join(this.#home, "data")}`,
      `path.logs=${join(this.#home, "logs")}`,
      "cluster.routing.allocation.disk.threshold_enabled=false",
      ...this.#settings,
    ]
    const java = javaHome() ?? ""
    const child = spawn(
      join(this.#home, "server", "bin", this.kind),
      settings.map((setting) => `-E${setting}`),
      {
        detached: true, // a process group of its own: the script starts Java as a child
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env.PATH,
          HOME: this.#home,
          JAVA_HOME: java,
          [`${upper}_JAVA_HOME`]: java,
          [`${upper}_JAVA_OPTS`]: "-Xms512m -Xmx512m",
          [`${upper}_TMPDIR`]: join(this.#home, "tmp"),
        },
        ...otherUser(),
      },
    )
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => {
        said = `${said}${text}`.slice(-20_000)
      })
    this.#process = child
    let ended = false
    child.once("exit", () => {
      ended = true
    })
    for (;;) {
      if (ended) throw new Error(`the server ended:\n${said}`)
      const health = await fetch(`${this.url}/_cluster/health?wait_for_status=yellow&timeout=10s`).catch(
        () => undefined,
      )
      if (health?.ok === true) return
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /** Ends the server at once, as a power loss would. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child?.pid === undefined || child.exitCode !== null) return
    const ended = once(child, "exit")
    process.kill(-child.pid, "SIGKILL")
    await ended
  }

  async stop(): Promise<void> {
    await this.kill()
    this.#remove()
  }

  #remove(): void {
    const pid = this.#process?.pid
    this.#process = undefined
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL")
    } catch {
      // it has ended
    }
    rmSync(this.#home, { recursive: true, force: true })
  }

  /** Asks the server directly, as an administrator would. */
  async ask(method: string, path: string, body?: object | string): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      ...(body !== undefined && {
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    })
    return { status: answer.status, body: await answer.json() }
  }

  /** Makes an index with this many shards. */
  async createIndex(name: string, { shards = 1, properties = {} }: { shards?: number; properties?: object } = {}) {
    const settings = { number_of_shards: shards, number_of_replicas: 0 }
    const { status } = await this.ask("PUT", `/${name}`, { settings, mappings: { properties } })
    if (status !== 200) throw new Error(`the index was not made: ${status}`)
  }

  /** Adds documents to an index; they can be searched at once. */
  async addDocuments(index: string, documents: readonly object[]): Promise<void> {
    for (let at = 0; at < documents.length; at += 5000) {
      const lines = documents.slice(at, at + 5000).map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`)
      const { body } = await this.ask("POST", `/${index}/_bulk?refresh=true`, lines.join(""))
      if (JSON.stringify(body).includes('"errors":true')) throw new Error("documents were refused")
    }
  }

  /** Number of documents in an index. */
  async count(index: string): Promise<number> {
    await this.ask("POST", `/${index}/_refresh`)
    const { body } = await this.ask("GET", `/${index}/_count`)
    return Number((body as { count: number }).count)
  }

  /** Number of points in time and scrolls that are open. */
  async openContexts(): Promise<number> {
    const { body } = await this.ask("GET", "/_nodes/stats/indices/search")
    const open = [...JSON.stringify(body).matchAll(/"(?:point_in_time_current|open_contexts)":(\d+)/g)]
    return open.reduce((sum, [, count]) => sum + Number(count), 0)
  }
}

/** Writes a key and a certificate for loopback that no authority signed. */
export function makeCertificate(folder: string): { key: string; cert: string } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
  const out = ["-keyout", key, "-out", cert, "-days", "2", "-nodes", "-newkey", "ec", "-pkeyopt"]
  execFileSync("openssl", ["req", "-x509", ...out, "ec_paramgen_curve:prime256v1", ...subject], { stdio: "ignore" })
  return { key, cert }
}
