import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { World } from "./drive/driver.ts"
import { ask } from "./drive/endpoint.ts"
import type { Life } from "./life.ts"
import type { Random } from "./random.ts"
import type { Settings } from "./sent.ts"

export const drawSettings = (random: Random): Settings => ({
  k: random.pick([2, 3, 4, 5]),
  depth: random.pick([1, 2, 3]),
})

/**
 * Changes k and depth of a running stream, a short time after it answers. An answered change is durable, and so is
 * everything that was counted before it was sent.
 */
export async function changeSettings({ folder, random, sent, findings }: World, life: Life): Promise<number> {
  const url = await life.says(/live page: (http:\S+)\/\n/)
  let changes = 0
  while (url !== undefined && !life.isOver()) {
    await wait(random.below(400))
    const token = await readFile(join(folder, "store", "admin-token"), "utf8")
    const authorization = `Bearer ${token.trim()}`
    const figures = await ask({ url }, "/figures", { headers: { authorization } })
    if (figures === undefined) continue
    const { lines }: { lines: number } = JSON.parse(figures.text)
    const { k, depth } = drawSettings(random)
    sent.propose({ k, depth })
    const headers = { authorization, "content-type": "application/json" }
    const reply = await ask({ url }, "/config", { method: "PUT", headers, body: JSON.stringify({ k, depth }) })
    if (reply === undefined) return changes
    if (reply.status === 200) {
      changes++
      sent.confirm()
      sent.durableLines = Math.max(sent.durableLines, lines)
      if (reply.text !== JSON.stringify({ k, depth })) findings.add("a change was not made", reply.text)
    } else if (reply.status !== 503) {
      // A stream that is being stopped accepts no changes.
      if (!/stopped/.test(reply.text)) findings.add("a change was refused", `${reply.status} ${reply.text}`)
      return changes
    }
  }
  return changes
}
