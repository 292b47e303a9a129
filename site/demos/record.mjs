// Makes what the demos show as recorded: runs real commands on synthetic logs, and writes recorded/NAME.json.
// Usage, after npm run build: node site/demos/record.mjs [NAME…]; npx biome check --write site/demos/recorded
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { recordAffinity } from "./record/affinity.mjs"
import { recordFrontier } from "./record/frontier.mjs"
import { recordGroups } from "./record/groups.mjs"
import { makeLogs } from "./record/logs.mjs"
import { recordPersonal } from "./record/personal.mjs"
import { recordProfiles } from "./record/profiles.mjs"
import { createRunner } from "./record/runner.mjs"
import { recordStream } from "./record/stream.mjs"
import { recordWordnet } from "./record/wordnet.mjs"

const recorders = {
  affinity: recordAffinity,
  wordnet: recordWordnet,
  groups: recordGroups,
  profiles: recordProfiles,
  personal: recordPersonal,
  stream: recordStream,
  frontier: recordFrontier,
}

/** Makes these recordings anew, in a folder that is empty before. Returns them by name. */
export async function record(folder, names = Object.keys(recorders)) {
  const runner = createRunner(folder)
  await makeLogs(runner)
  const recorded = {}
  for (const name of names) recorded[name] = await recorders[name](runner)
  return recorded
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folder = await mkdtemp(join(tmpdir(), "queryveil-record-"))
  try {
    const names = process.argv.length > 2 ? process.argv.slice(2) : undefined
    for (const [name, recording] of Object.entries(await record(folder, names)))
      await writeFile(
        fileURLToPath(new URL(`recorded/${name}.json`, import.meta.url)),
        `${JSON.stringify(recording, null, 2)}\n`,
      )
  } finally {
    await rm(folder, { recursive: true })
  }
}
