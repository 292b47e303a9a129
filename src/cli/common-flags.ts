import { Type } from "#typebox"

/** Flags that every command has. */
export const commonFlags = Type.Object({
  workers: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: "threads to use (default: all cores)" }),
  ),
  config: Type.Optional(Type.String({ placeholder: "file", description: "JSON file with the same keys as the flags" })),
  json: Type.Boolean({ description: "answer in JSON" }),
  quiet: Type.Boolean({ description: "no progress, no warnings" }),
  debug: Type.Boolean({ description: "show stack traces" }),
})

export const logArgument = { syntax: "<log...>", description: "search log: files, globs, or - for the standard input" }
export const releaseArgument = { syntax: "<release>", description: "folder that anonymize wrote" }
