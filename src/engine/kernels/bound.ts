import { Type, Value } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import type { JsonObject } from "../../log/formats/json-record.ts"
import { BoundBatches } from "../../methods/counts/bound-batches.ts"
import { type CountsOptions, countsOptions, tableNames } from "../../methods/counts/options.ts"
import { type Plan, planApproximate } from "../../methods/counts/plan-mechanisms.ts"
import { GroupOrder } from "./group-order.ts"
import type { Kernel, KernelRun } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

const boundOptions = Type.Object({ counts: countsOptions })

/**
 * Bounds what each user adds to counts. A document of the input is a row: user (`u`), query (`q`), seconds (`t`), url
 * (`l`, if there is one), and a secret in hex (`k`, if keys of users are chosen at random). Rows are sorted by all of
 * these, and all rows of a user come together. A document of the output has a table (`g`, its number), a key (`a`,
 * `b`), how many users have the key (`u`) and what they add (`n`). The same key may come again, with other users.
 */
export const bound: Kernel = {
  name: "bound",
  start: async (options, context) => {
    if (!Value.Check(boundOptions, options)) throw brokenInput("bound")
    return new BoundRun(options.counts, context)
  },
}

class BoundRun implements KernelRun {
  readonly #settings: { options: CountsOptions; plan: Plan }
  readonly #context: RunContext
  #batches: BoundBatches | undefined
  readonly #order = new GroupOrder("bound")

  constructor(options: CountsOptions, context: RunContext) {
    this.#settings = { options, plan: planApproximate(options) }
    this.#context = context
  }

  async take(documents: readonly JsonObject[]): Promise<object[]> {
    const out: object[] = []
    for (const { u: user, q: query, t: time, l: url, k } of documents) {
      if (typeof user !== "string" || typeof query !== "string" || typeof time !== "number") throw brokenInput("bound")
      this.#order.check(user, time)
      const row = { user, query, time, ...(typeof url === "string" && { url }) }
      this.#batches ??= this.#begin(k)
      if (this.#batches.isDue(row)) out.push(...(await this.finish()))
      this.#batches.add(row)
    }
    return out
  }

  async finish(): Promise<object[]> {
    const keys = (await this.#batches?.flush()) ?? []
    return keys.map(({ table, first, second, users, total }) => {
      return { g: tableNames.indexOf(table), a: first, b: second, u: users, n: total }
    })
  }

  #begin(key: unknown): BoundBatches {
    const secret = typeof key === "string" ? Buffer.from(key, "hex") : undefined
    if (this.#settings.options.bound === "random" && secret === undefined) throw brokenInput("bound")
    return new BoundBatches({ ...this.#settings, secret }, { context: this.#context })
  }
}
