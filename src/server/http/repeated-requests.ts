import type { FastifyRequest } from "fastify"
import type { RequestIdentity } from "../../stream/live/answered-requests.ts"
import type { LiveStream } from "../../stream/live/live-stream.ts"
import type { RequestReceipt } from "../../stream/live/transport.ts"

/** The same key was used with another body. The request is refused with 422. */
export class OtherBody extends Error {}

/**
 * The key of a request; undefined if there is none, "bad key" if it is invalid. A key has 1 to 255 visible characters.
 */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"]
  if (key === undefined) return undefined
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key) ? key : "bad key"
}

/**
 * Accepts requests with an Idempotency-Key once. A repeated request gets the first answer, even while the first one is
 * in progress and after a restart. A request that was not accepted is not remembered.
 */
export class RepeatedRequests {
  readonly #stream: LiveStream
  readonly #underWay = new Map<string, { body: string; receipt: Promise<RequestReceipt> }>()

  constructor(stream: LiveStream) {
    this.#stream = stream
  }

  /** Accepts a request, or returns its earlier answer. Throws `OtherBody`. */
  async once(
    given: { sender: string; key: string; body: Uint8Array },
    take: (identity: RequestIdentity) => Promise<RequestReceipt>,
  ): Promise<RequestReceipt> {
    const identity = this.#stream.requests.identify(given)
    const { id, body } = identity
    const first = this.#underWay.get(id)
    const answered = first === undefined ? this.#stream.requests.find(id, Date.now()) : undefined
    if ((first ?? answered ?? identity).body !== body) throw new OtherBody()
    if (first !== undefined) return first.receipt
    if (answered !== undefined) return answered.answer
    const receipt = take(identity)
    this.#underWay.set(id, { body, receipt })
    try {
      return await receipt
    } finally {
      this.#underWay.delete(id)
    }
  }
}
