import { homedir } from "node:os"
import { join } from "node:path"

/** Where the scripts in `.ci/` put the servers for tests, so that they are downloaded once. */
export const serverFolder = process.env.QUERYVEIL_SERVERS ?? join(homedir(), ".cache", "queryveil-servers")

/** Passes on why a server is missing. Where servers are required, that is an error. */
export function reasonToSkip(reason: string | undefined): string | undefined {
  if (reason !== undefined && process.env.REQUIRE_SERVERS === "1") throw new Error(reason)
  return reason
}
