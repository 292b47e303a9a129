import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** A folder of the XDG Base Directory Specification; a relative path in the variable does not count. */
function baseFolder(variable: "XDG_DATA_HOME" | "XDG_CACHE_HOME", usual: string): string {
  const given = process.env[variable]
  return join(given !== undefined && isAbsolute(given) ? given : join(homedir(), usual), "queryveil")
}

/** Where the profile is unless one is named. */
export const standardProfile = (): string => join(baseFolder("XDG_DATA_HOME", ".local/share"), "profile.qvp")

/** What can be made anew. */
export const cacheFolder = (): string => baseFolder("XDG_CACHE_HOME", ".cache")
