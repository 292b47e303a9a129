import { realpath } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

/** Where a path leads: links in the part of it that exists are followed. The rest need not exist yet. */
export async function realPlace(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(await realPlace(above), basename(whole))
  }
}
