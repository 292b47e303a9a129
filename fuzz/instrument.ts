import type { InitializeHook, LoadHook } from "node:module"
import { createInstrumenter } from "istanbul-lib-instrument"
import { countersName } from "./coverage.ts"

// Hooks of Node's module loader, in a thread of their own: modules under test get counters while they are loaded.

let starts: string[] = []
const instrumenter = createInstrumenter({
  esModules: true,
  compact: true,
  coverageVariable: countersName,
  produceSourceMap: false,
})

/** Takes the prefixes of the addresses of modules to instrument. */
export const initialize: InitializeHook<string[]> = (given) => {
  starts = given
}

/** Loads a module, with counters if it is under test. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context)
  if (loaded.format !== "module" || !starts.some((start) => url.startsWith(start))) return loaded
  return { ...loaded, source: instrumenter.instrumentSync(String(loaded.source), url) }
}
