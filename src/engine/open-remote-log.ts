import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Engine, RemoteLog } from "./remote-log.ts"

const engines = new Map<string, Engine>()

/** Adds an engine. Its scheme must be new. */
export function registerEngine(engine: Engine): void {
  const { name } = engine
  if (!/^[a-z][a-z0-9+.-]*$/.test(name) || engines.has(name))
    throw new QueryveilError("usage", `engine ${name}: the scheme is taken or malformed. Choose another.`)
  engines.set(name, engine)
}

/** Opens a log where it is, with the engine of the address's scheme: `openRemoteLog("sc://HOST:15002", "searches")`. */
export async function openRemoteLog(
  address: string,
  log: string,
  context: RunContext = createContext(),
): Promise<RemoteLog> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  const engine = scheme === undefined ? undefined : engines.get(scheme)
  if (engine !== undefined) return engine.open(address, log, context)
  const known = [...engines.keys()].map((name) => `${name}:`).join(", ") || "none"
  throw new QueryveilError("unknown-name", `No engine has the scheme of this address. Known engines: ${known}.`, {
    flag: "--engine",
  })
}
