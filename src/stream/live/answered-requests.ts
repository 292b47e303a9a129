import { createHmac } from "node:crypto"
import type { RequestReceipt } from "./transport.ts"

/** Keyed hashes of the sender of a request and of its body. Neither can be read from them. */
export interface RequestIdentity {
  /** Hash of the sender and their Idempotency-Key. */
  id: string
  body: string
}

/** A request that was answered, and when, in milliseconds since 1970. */
export interface AnsweredRequest extends RequestIdentity {
  at: number
  answer: RequestReceipt
}

/** How many requests are remembered, how many bytes of answers, and for how long. */
export const remembered = { requests: 10_000, bytes: 4 << 20, milliseconds: 24 * 3600 * 1000 }

/** The last requests that had an Idempotency-Key. A request that is sent again gets its first answer. */
export class AnsweredRequests {
  readonly #key: Uint8Array
  readonly #known = new Map<string, AnsweredRequest>()
  #bytes = 0

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Two requests have the same id if sender and key are the same. */
  identify({ sender, key, body }: { sender: string; key: string; body: Uint8Array }): RequestIdentity {
    const hash = (...parts: (string | Uint8Array)[]) => {
      const hmac = createHmac("sha256", this.#key)
      for (const part of parts) hmac.update(`${part.length}:`).update(part)
      return hmac.digest("base64url")
    }
    return { id: hash("id", sender, key), body: hash("body", body) }
  }

  /** The request with this id, unless it has expired. */
  find(id: string, now: number): AnsweredRequest | undefined {
    this.#dropOld(now)
    return this.#known.get(id)
  }

  /** Remembers the answers to the requests of a batch that have a key. Returns them in the journal's form. */
  answer(
    requests: readonly (RequestIdentity | undefined)[],
    { answers, at }: { answers: readonly RequestReceipt[]; at: number },
  ): string {
    const answered = requests.flatMap((identity, i) => {
      const answer = answers[i]
      return identity === undefined || answer === undefined ? [] : [{ ...identity, at, answer }]
    })
    for (const request of answered) this.add(request)
    return answered.length === 0 ? "" : JSON.stringify(answered)
  }

  /** Remembers a request. If there are too many, the oldest are forgotten. */
  add(request: AnsweredRequest): void {
    this.#remove(request.id)
    this.#known.set(request.id, request)
    this.#bytes += sizeOf(request)
    this.#dropOld(request.at)
  }

  /** All remembered requests, oldest first. */
  list(): AnsweredRequest[] {
    return [...this.#known.values()]
  }

  /** Forgets a request that was not accepted after all. */
  forget(id: string): void {
    this.#remove(id)
  }

  #dropOld(now: number): void {
    for (const { id, at } of this.#known.values()) {
      const isTooMuch = this.#known.size > remembered.requests || this.#bytes > remembered.bytes
      if (!isTooMuch && now - at < remembered.milliseconds) return
      this.#remove(id)
    }
  }

  #remove(id: string): void {
    const known = this.#known.get(id)
    if (known === undefined) return
    this.#bytes -= sizeOf(known)
    this.#known.delete(id)
  }
}

const sizeOf = ({ answer }: AnsweredRequest) => 150 + 60 * answer.rejected.length
