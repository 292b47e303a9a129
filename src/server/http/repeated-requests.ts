import type { FastifyRequest } from "fastify"
import type { RequestIdentity } from "../../stream/live/answered-requests.ts"
import type { LiveStream } from "../../stream/live/live-stream.ts"
import type { RequestReceipt } from "../../stream/live/transport.ts"

/** The same key came with another body: the request is refused with 422. */
export class OtherBody extends Error {}

/** The key of a request, undefined where there is none, "bad" where it is no key: 1 to 255 visible characters. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"]
  if (key === undefined) return undefined
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key) ? key : "bad key"
}

/**
 * Requests with an Idempotency-Key are taken once. One that comes again gets the first answer, also while the first is under way
 * and after a restart. Nothing is remembered of a request that was not taken.
 */
export class RepeatedRequests {
  readonly #stream: LiveStream
  readonly #underWay = new Map<string, { body: string; receipt: Promise<RequestReceipt> }>()

  constructor(stream: LiveStream) {
    this.#stream = stream
  }

  /** Takes a request, or gives the answer that it had. Throws `OtherBody`. */
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
