import type { GroupFigures } from "../../stream/workers/group-figures.ts"
import { type LocalServer, listenLocally } from "../frame/listen-locally.ts"
import { localApp } from "../frame/local-app.ts"
import { builtPage, readPage } from "../frame/page-files.ts"
import { requireLoopback } from "../frame/require-loopback.ts"
import { refuse } from "../http/answers.ts"
import type { WorkerAdminOptions } from "./worker-admin.ts"

/** Serves the live page over all workers of a group, and what it shows as `/figures`, on this machine only. */
export async function openGroupAdmin(
  figures: () => GroupFigures,
  { host, port, token }: WorkerAdminOptions,
): Promise<LocalServer> {
  requireLoopback(host, "--admin")
  const page = await readPage(builtPage("workers"))
  const app = localApp({
    callers: "own page",
    token,
    page,
    open: ["/"],
    refusals: {
      foreign: "The admin address answers only under a name of this machine, and no page of another origin.",
      token: "The token is missing or wrong. Send Authorization: Bearer TOKEN, with the token of --admin-token-file.",
    },
    refuse: (reply, status, { code, message }) => refuse(reply, code === "token" ? 401 : status, message),
  })
  if (!page.has("/")) app.get("/", (_request, reply) => refuse(reply, 404, "The page was not built with this package."))
  app.get("/figures", (_request, reply) => reply.send(figures()))
  return listenLocally(app, { host, port })
}
