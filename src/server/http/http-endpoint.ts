import { join } from "node:path"
import { QueryveilError } from "../../kernels/error.ts"
import { urlOf } from "../../stream/address.ts"
import type { LiveInput } from "../../stream/inputs/live-input.ts"
import type { Endpoint, Transport, TransportMessages } from "../../stream/transports/transport.ts"
import { Subscription } from "../subscription/subscription.ts"
import type { HttpOptions, HttpServer } from "./http-server.ts"

type Speech = Pick<TransportMessages, "note">

/**
 * The transport `http` of one run. Input and output share one server: what is sent to it is the input, and its
 * subscribers are the output. `listen` loads and opens the server, once it is known which of the two are used.
 */
export class HttpEndpoint {
  readonly transport: Transport
  #onTaking: (() => void) | undefined
  #subscription: Subscription | undefined
  #server: HttpServer | undefined
  #url = ""

  /** `retain`: bytes of releases that are kept for subscribers. */
  constructor({ retain }: { retain: number }) {
    const endpoint: Endpoint = {
      name: "http",
      input: ({ note }) => {
        this.#onTaking = () => note(`listening on ${this.#url}`)
        return this.#input
      },
      output: ({ folder, onFull }) => {
        if (folder === undefined) throw new Error("subscribers need a store")
        this.#subscription = new Subscription({ folder: join(folder, "output"), retain, onFull })
        return this.#subscription
      },
    }
    this.transport = {
      name: "http",
      form: "http",
      allowsBareScheme: true,
      find(rest, flag) {
        if (rest === "") return endpoint
        throw new QueryveilError(
          "option-value",
          `${flag} http:${rest}: http takes no address here. Give http alone, and its address with --http.`,
          { flag },
        )
      },
    }
  }

  readonly #input: LiveInput = {
    run: (stream, signal) => {
      if (this.#server === undefined) throw new Error("the server is not listening")
      const taking = this.#server.input.run(stream, signal)
      this.#onTaking?.()
      return taking
    },
  }

  /**
   * Opens the server if a place of this run is `http`. From then on subscribers are answered. Their address is reported
   * at once, because the stream may wait for them before it accepts records.
   */
  async listen({ note, ...options }: Omit<HttpOptions, "takes" | "subscription"> & Speech): Promise<void> {
    const subscription = this.#subscription
    const takes = this.#onTaking !== undefined
    if (!takes && subscription === undefined) return
    const { httpServer } = await import("./http-server.ts")
    this.#server = httpServer({ ...options, takes, ...(subscription !== undefined && { subscription }) })
    this.#url = urlOf(await this.#server.listen())
    if (subscription !== undefined) note(`subscribers connect to ${this.#url}`)
  }

  /** Call when the stream is about to end: the rest is then written, however far behind the subscribers are. */
  release(): void {
    this.#subscription?.release()
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }
}
