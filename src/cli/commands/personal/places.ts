import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** A folder of the XDG Base Directory Specification. A relative path in the variable is ignored. */
function baseFolder(variable: "XDG_DATA_HOME" | "XDG_CACHE_HOME", usual: string): string {
  const given = process.env[variable]
  return join(given !== undefined && isAbsolute(given) ? given : join(homedir(), usual), "queryveil")
}

/** The default path of the profile. */
export const standardProfile = (): string => join(baseFolder("XDG_DATA_HOME", ".local/share"), "profile.qvp")

/** The folder of files that can be rebuilt. */
export const cacheFolder = (): string => baseFolder("XDG_CACHE_HOME", ".cache")
