import { type ClusterAddress, isPlainRemote } from "../../cluster/cluster-address.ts"
import { ClusterClient } from "../../cluster/cluster-client.ts"
import { errorType, memberOf, refusedError } from "../../cluster/cluster-errors.ts"
import { readClusterSecrets } from "../../cluster/credentials.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { StreamOutput, WrittenRecords } from "../live/transport.ts"
import { type BulkItem, type BulkOptions, BulkQueue } from "./bulk-queue.ts"
import { releaseMappings } from "./index-mappings.ts"

export interface IndexOutputOptions extends Pick<BulkOptions, "warn" | "wait" | "patience"> {
  /** With a new store: the index may have documents already. They stay. */
  force: boolean
}

/**
 * An index that gets every release exactly once. The id of a document is made of the store and the number of the
 * release, and it is only ever created: what is written again after a crash is there already. A record must be a JSON
 * object on a line.
 */
export function indexOutput(address: ClusterAddress, options: IndexOutputOptions): StreamOutput {
  const { force, ...sending } = options
  const { warn } = sending
  let client: ClusterClient | undefined
  let queue: BulkQueue | undefined
  let store = ""
  return {
    exact: true,
    async open(position) {
      store = position.store
      client = new ClusterClient(address, await readClusterSecrets(address))
      if (isPlainRemote(address))
        warn(`${address.name}: releases travel in plain text, because the address says +http.`)
      const index = new ReleaseIndex(client, warn)
      try {
        if (!(await index.exists())) await index.create()
        else if (position.isNew) await index.refuseForeign({ force })
        else await index.refuseAhead(`${store}-${position.releases + position.due}`)
      } catch (error) {
        client.close()
        throw error
      }
      queue = new BulkQueue({ client, path: `/${index.path}/_bulk`, ...sending })
    },
    async write(bytes, records) {
      if (queue === undefined) throw new Error("the output is not open")
      await queue.add(itemsOf(bytes, records, store))
    },
    async settle() {
      await queue?.settle()
    },
    async close() {
      await queue?.settle()
      client?.close()
    },
  }
}

function itemsOf(bytes: Uint8Array, { ends, last }: WrittenRecords, store: string): BulkItem[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return Array.from(ends, (end, i) => {
    const seq = last - ends.length + 1 + i
    const record = text.toString("utf8", ends[i - 1] ?? 0, end).trimEnd()
    return { seq, lines: `{"create":{"_id":"${store}-${seq}"}}\n${record}\n` }
  })
}

/** What is asked of the index before anything is written. */
class ReleaseIndex {
  readonly path: string
  readonly #client: ClusterClient
  readonly #warn: (text: string) => void

  constructor(client: ClusterClient, warn: (text: string) => void) {
    this.#client = client
    this.#warn = warn
    this.path = encodeURIComponent(client.address.index)
  }

  get #name(): string {
    return this.#client.address.name
  }

  /** True also if the account may not look: then the first write will tell. */
  async exists(): Promise<boolean> {
    const { status } = await this.#client.ask({ method: "GET", path: `/${this.path}/_count`, accepts: [403, 404] })
    if (status === 403) this.#warn(`${this.#name}: this account may not read it, so what it has was not checked.`)
    return status !== 404
  }

  /** Creates the index with the mappings of releases. Another run may do so at the same time. */
  async create(): Promise<void> {
    const body = { mappings: releaseMappings }
    const answer = await this.#client.ask({ method: "PUT", path: `/${this.path}`, body, accepts: [400] })
    if (answer.status === 400 && errorType(answer.body) !== "resource_already_exists_exception")
      throw refusedError(this.#client.address, answer)
  }

  /**
   * Refuses documents of others in a new stream's index. If they are of an earlier store over the same searches, two
   * dealings of the same searches together reveal who is who.
   */
  async refuseForeign({ force }: { force: boolean }): Promise<void> {
    const path = `/${this.path}/_count`
    const { body } = await this.#client.ask({ method: "GET", path, accepts: [403] })
    const count = memberOf(body, "count")
    if (force || typeof count !== "number" || count === 0) return
    throw new QueryveilError(
      "output-exists",
      `${this.#name}: has documents that are not from this store. Choose another index, or add to it with --force.`,
      { file: this.#name },
    )
  }

  /** Refuses an index that has the release after the last one that the store knows. */
  async refuseAhead(id: string): Promise<void> {
    const path = `/${this.path}/_doc/${encodeURIComponent(id)}?_source=false`
    const { status } = await this.#client.ask({ method: "GET", path, accepts: [400, 403, 404] })
    if (status !== 200) return
    throw new QueryveilError(
      "output-ahead",
      [
        `${this.#name}: has more releases than the store knows. Releasing them again would reveal who is who.`,
        "The index was not changed. Restore the store that belongs to it, or start with a new store and a new index.",
      ].join(" "),
      { file: this.#name },
    )
  }
}
