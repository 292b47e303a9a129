import type { Command } from "commander"
import { Type } from "#typebox"
import { outputOption } from "../../app/options.ts"
import { defineCommand } from "../define-command.ts"
import { runDemo } from "../demo/run-demo.ts"

/** `demo`: a made-up log, from the raw attack to all releases, a frontier, a stream and an exposure, in one folder of pages. */
export function demoCommand(): Command {
  return defineCommand({
    name: "demo",
    summary: "make up a log, release it by every method, verify, attack, measure and compare, and show it on a page",
    flags: Type.Object({
      output: outputOption("dir", "folder of the demo (default: demo)"),
      rows: Type.Integer({ default: 200_000, minimum: 2000, maximum: 10_000_000, description: "rows of the log" }),
    }),
    run: (session, { output = "demo", rows = 200_000 }) =>
      runDemo(session, { folder: output, rows, users: Math.ceil(rows / 50) }),
  })
}
