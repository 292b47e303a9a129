import type { Command } from "commander"
import { Type } from "#typebox"
import { urlOf } from "../../../stream/address.ts"
import { topicSearcher } from "../../../taxonomy/classify/topic-searcher.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"
import { cacheFolder } from "./places.ts"
import { ended, openBuiltIn } from "./serve.ts"

/** `personal engine --port N` */
export function engineCommand(): Command {
  return defineCommand({
    name: "engine",
    summary: "run an engine that accepts exposures, for personal serve --engine queryveil=URL",
    flags: Type.Object({
      port: Type.Integer({
        minimum: 0,
        maximum: 65_535,
        default: 7779,
        description: "listen on this port of 127.0.0.1; 0: any free port",
      }),
      ...taxonomyFlags.properties,
    }),
    help: "The protocol is described in docs/personal-proxy.md. The engine stores and logs nothing.",
    async run(session, flags) {
      const { cache = cacheFolder(), taxonomy } = flags
      const searcher = topicSearcher(await openTaxonomy(taxonomy, { cache }, session.context))
      const { openEngineServer } = await import("../../../server/personal/engine-server.ts") // slow to load
      const server = await openEngineServer(await openBuiltIn(searcher, taxonomy, cache), { port: flags.port ?? 7779 })
      const url = urlOf(server.address)
      session.answer("personal-engine", { url })
      session.say(`queryveil personal serve --engine queryveil=${url}`)
      await ended(session.context.signal)
      await server.close()
      return 0
    },
  })
}
