import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { Registry } from "../kernels/registry.ts"
import type { Engine, RemoteLog } from "./remote-log.ts"

const engines = new Registry<Engine>("engine", [])

/** Adds an engine. Its scheme must be new. */
export function registerEngine(engine: Engine): void {
  engines.add(engine)
}

/** Opens a remote log with the engine for the scheme of the address: `openRemoteLog("sc://HOST:15002", "searches")`. */
export async function openRemoteLog(
  address: string,
  log: string,
  context: RunContext = createContext(),
): Promise<RemoteLog> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  const engine = scheme === undefined ? undefined : engines.findAdded(scheme)
  if (engine !== undefined) return engine.open(address, log, context)
  const known = engines.added.map(({ name }) => `${name}:`).join(", ") || "none"
  throw new QueryveilError("unknown-name", `No engine has the scheme of this address. Known engines: ${known}.`, {
    flag: "--engine",
  })
}
