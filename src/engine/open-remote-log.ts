import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { Registry } from "../kernels/registry.ts"
import type { Engine, RemoteLog, RemoteLogOptions } from "./remote-log.ts"

/** The engines that come with the package, by scheme. Each is loaded when it is named. */
const builtIn: Readonly<Record<string, () => Promise<Engine>>> = {
  sc: async () => (await import("./spark/spark-engine.ts")).sparkEngine,
}

const engines = new Registry<Engine>("engine", Object.keys(builtIn))

/** Adds an engine. Its scheme must be new. */
export function registerEngine(engine: Engine): void {
  engines.add(engine)
}

/**
 * Opens a remote log with the engine for the scheme of the address: `openRemoteLog("sc://HOST:15002", "searches")`.
 * Close it when it was released.
 */
export async function openRemoteLog(
  address: string,
  log: string,
  options: RemoteLogOptions = {},
  context: RunContext = createContext(),
): Promise<RemoteLog> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? ""
  const engine = Object.hasOwn(builtIn, scheme) ? await builtIn[scheme]?.() : engines.findAdded(scheme)
  if (engine !== undefined) return engine.open(address, log, options, context)
  const known = [...Object.keys(builtIn), ...engines.added.map(({ name }) => name)].map((name) => `${name}:`).join(", ")
  throw new QueryveilError("unknown-name", `No engine has the scheme of this address. Known engines: ${known}.`, {
    flag: "--engine",
  })
}
