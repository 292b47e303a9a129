import { Type } from "#typebox"

/** Flags of every command. */
export const commonFlags = Type.Object({
  workers: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: "use this many threads (default all cores)" }),
  ),
  config: Type.Optional(
    Type.String({ placeholder: "file", description: "read flags from a JSON file with the same keys" }),
  ),
  json: Type.Boolean({ description: "print the answer in JSON" }),
  quiet: Type.Boolean({ description: "print no progress and no warnings" }),
  debug: Type.Boolean({ description: "show stack traces" }),
})

export const logArgument = {
  syntax: "<log...>",
  description: "search log: files, globs, - for standard input, or an index: opensearch://HOST:9200/INDEX",
}
export const releaseArgument = { syntax: "<release>", description: "folder that anonymize wrote" }
