import { Type } from "#typebox"
import { requireLoopback } from "../../../../server/frame/require-loopback.ts"
import { readOrWriteToken } from "../../../../server/frame/tokens.ts"
import { parseHost, urlOf } from "../../../../stream/address.ts"
import type { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { reportFigures } from "../../../../stream/workers/figures-topic.ts"
import type { WorkerFigures } from "../../../../stream/workers/worker-figures.ts"
import { type Given, required } from "../../../flags.ts"
import type { Session } from "../../../session.ts"

export const adminFlags = Type.Object({
  admin: Type.Optional(
    Type.String({
      placeholder: "host:port",
      description: "serve figures at this loopback address (default none)",
    }),
  ),
  adminTokenFile: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "with --admin: require the token in this file; it is made if there is none",
    }),
  ),
})

/** Where a worker serves its figures, and the token that requests need. */
export interface AdminPlace {
  host: string
  port: number
  token: string
}

/** The place that the flags name; undefined without `--admin`. Refuses an address that other machines can reach. */
export async function adminPlace(given: Given<typeof adminFlags>): Promise<AdminPlace | undefined> {
  if (given.admin === undefined) return undefined
  const { host, port } = parseHost(given.admin, "--admin")
  requireLoopback(host, "--admin")
  const file = required(given.adminTokenFile, "adminTokenFile")
  return { host, port, token: await readOrWriteToken(file, "--admin-token-file") }
}

interface Shown {
  session: Session
  link: KafkaLink
  group: string
  figures: () => WorkerFigures
}

/** Shows the figures of a worker while the work runs: to its group, and at the admin address if there is one. */
export function withFigures(place: AdminPlace | undefined, shown: Shown, work: () => Promise<void>): Promise<void> {
  const { session, link, group, figures } = shown
  const warn = (text: string) => session.warn(text)
  return reportFigures({ link, group, figures, warn }, () => withAdmin(place, shown, work))
}

async function withAdmin(
  place: AdminPlace | undefined,
  { session, figures }: Shown,
  work: () => Promise<void>,
): Promise<void> {
  if (place === undefined) return work()
  const { openWorkerAdmin } = await import("../../../../server/admin/worker-admin.ts") // slow to load
  const server = await openWorkerAdmin(figures, place)
  session.note(`figures: ${urlOf(server.address)}/figures`)
  try {
    await work()
  } finally {
    await server.close()
  }
}
