import { QueryveilError } from "../../kernels/error.ts"
import type { SearchEngine } from "../engines/engine.ts"
import { type EngineAddress, makeEngine } from "../engines/parse-engine.ts"
import type { Settings } from "../personal-store.ts"

/** Maximum number of engines that a person can add on the page. */
const mostAdded = 20

interface AddedEngine extends EngineAddress {
  engine: SearchEngine
}

/**
 * The engines of a proxy: those it was started with, and those that the person added on the page. The added ones are
 * kept in the profile's settings as lines `KIND=URL`, and are therefore encrypted. Their addresses are never returned.
 */
export class EngineList {
  readonly #started: readonly SearchEngine[]
  readonly #options: { timeout?: number }
  #added: readonly AddedEngine[]

  constructor(started: readonly SearchEngine[], options: { settings: Settings; timeout?: number }) {
    const { settings, ...rest } = options
    this.#started = started
    this.#options = rest
    this.#added = readAdded(settings, rest)
  }

  /** The initial engines first. An added engine with the same name is not listed twice. */
  get all(): readonly SearchEngine[] {
    const names = new Set(this.#started.map(({ name }) => name))
    return [...this.#started, ...this.#added.map(({ engine }) => engine).filter(({ name }) => !names.has(name))]
  }

  /** True if the person added it on the page and can remove it there. */
  isAdded(name: string): boolean {
    return (
      !this.#started.some((engine) => engine.name === name) && this.#added.some(({ engine }) => engine.name === name)
    )
  }

  /** Adds an engine, with the checks of the command line. Returns its name. */
  add(address: EngineAddress): string {
    const engine = makeEngine(address, this.#options)
    if (this.all.some(({ name }) => name === engine.name))
      throw new QueryveilError("option-value", "This engine is already in the list. To change it, remove it first.")
    if (this.#added.length >= mostAdded)
      throw new QueryveilError("option-value", `${mostAdded} engines were added, which is the limit. Remove one first.`)
    this.#added = [...this.#added, { ...address, engine }]
    return engine.name
  }

  /** Removes an engine that was added on the page. */
  remove(name: string): void {
    if (!this.isAdded(name))
      throw new QueryveilError("unknown-name", "No engine with this name was added on the page. Nothing was removed.")
    this.#added = this.#added.filter(({ engine }) => engine.name !== name)
  }

  /** The added engines in the form kept in the settings. */
  get kept(): string {
    return this.#added.map(({ kind, url }) => `${kind}=${new URL(url).href}`).join("\n")
  }
}

/** The added engines in a profile's settings. Those that this version refuses are left out. */
function readAdded(settings: Settings, options: { timeout?: number }): AddedEngine[] {
  const lines = typeof settings.engines === "string" ? settings.engines.split("\n") : []
  return lines.flatMap((line) => {
    const [, kind = "", url = ""] = /^([a-z]+)=(.*)$/.exec(line) ?? []
    try {
      return [{ kind, url, engine: makeEngine({ kind, url }, options) }]
    } catch (error) {
      if (error instanceof QueryveilError) return []
      throw error
    }
  })
}
