import { type Static, Type, Value } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import type { JsonObject } from "../../log/formats/json-record.ts"
import { CategoryCells } from "../../methods/swap/category-cells.ts"
import { GroupOrder } from "./group-order.ts"
import type { Kernel, KernelRun } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

const cellsOptions = Type.Object({
  k: Type.Integer({ minimum: 2 }),
  backlog: Type.Integer({ minimum: 1 }),
  minQueryUsers: Type.Integer({ minimum: 1 }),
  repeats: Type.Enum(["keep", "once", "never"]),
  cellTexts: Type.Enum(["distinct", "any"]),
  /** The version of the dealing secret. */
  version: Type.Integer({ minimum: 1 }),
})

/**
 * Swaps users among the searches of categories. A document of the input is a search: the path of its category (`c`),
 * seconds (`t`), user (`u`), query (`q`), the dealing key in hex (`k`), and its clicks (`p`, passed on unread).
 * Searches are sorted by category and time. The output has the searches that leave, with the user that each is shown
 * with (`v`), the time when the cell closed (`z`), the number of the cell in the category (`n`), the place in the
 * order of leaving (`o`) and how many users waited (`w`). After the searches of a category comes a document with its
 * totals (`totals`), and how long it took.
 */
export const cells: Kernel = {
  name: "cells",
  start: async (options, context) => {
    if (!Value.Check(cellsOptions, options)) throw brokenInput("cells")
    return new CellsRun(options, context)
  },
}

class CellsRun implements KernelRun {
  readonly #settings: Static<typeof cellsOptions>
  readonly #context: RunContext
  #path: string | undefined
  #begun = 0
  #category: CategoryCells<unknown> | undefined
  #out: object[] = []
  readonly #order = new GroupOrder("cells")

  constructor(settings: Static<typeof cellsOptions>, context: RunContext) {
    this.#settings = settings
    this.#context = context
  }

  take(documents: readonly JsonObject[]): object[] {
    for (const { c: path, t: time, u: user, q: query, k: key, p: payload } of documents) {
      if (typeof path !== "string" || typeof time !== "number" || typeof key !== "string") throw brokenInput("cells")
      if (typeof user !== "string" || typeof query !== "string") throw brokenInput("cells")
      this.#order.check(path, time)
      if (this.#category === undefined || path !== this.#path) {
        this.#end()
        this.#path = path
        this.#category = this.#begin(path, key)
      }
      this.#category.take({ user, query, time, payload })
    }
    return this.#flush()
  }

  finish(): object[] {
    this.#end()
    return this.#flush()
  }

  #begin(path: string, key: string): CategoryCells<unknown> {
    const secret = { key: Buffer.from(key, "hex"), version: this.#settings.version }
    this.#begun = this.#context.now()
    return new CategoryCells(path, {
      settings: this.#settings,
      secret,
      random: this.#context.random,
      emit: ({ user, query, time, payload, as, closed, cell, place, users }) => {
        this.#out.push({
          ...{ c: path, u: user, q: query, t: time, p: payload },
          ...{ v: as, z: closed, n: cell, o: place, w: users },
        })
      },
    })
  }

  #end(): void {
    if (this.#category === undefined) return
    const totals = this.#category.end()
    this.#out.push({ c: this.#path, totals: { ...totals, milliseconds: this.#context.now() - this.#begun } })
  }

  #flush(): object[] {
    const out = this.#out
    this.#out = []
    return out
  }
}
