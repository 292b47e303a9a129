import type { WorkerFigures } from "../../stream/workers/worker-figures.ts"
import { type LocalServer, listenLocally } from "../frame/listen-locally.ts"
import { localApp } from "../frame/local-app.ts"
import { requireLoopback } from "../frame/require-loopback.ts"
import { refuse } from "../http/answers.ts"
import { workerMetricsText } from "../worker-metrics.ts"

/** Where the figures of a worker are served, and the token that every request needs. */
export interface WorkerAdminOptions {
  host: string
  port: number
  token: string
}

/** Serves the figures of one worker to programs on this machine: `/metrics` for Prometheus, and `/figures` as JSON. */
export async function openWorkerAdmin(
  figures: () => WorkerFigures,
  { host, port, token }: WorkerAdminOptions,
): Promise<LocalServer> {
  requireLoopback(host, "--admin")
  const app = localApp({
    callers: "programs",
    token,
    refusals: {
      foreign: "The admin address answers only under a name of this machine, and no page.",
      token: "The token is missing or wrong. Send Authorization: Bearer TOKEN, with the token of --admin-token-file.",
    },
    refuse: (reply, status, { code, message }) => refuse(reply, code === "token" ? 401 : status, message),
  })
  app.get("/metrics", (_request, reply) => {
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(workerMetricsText(figures()))
  })
  app.get("/figures", (_request, reply) => reply.send(figures()))
  return listenLocally(app, { host, port })
}
