import { Type } from "#typebox"
import { readOptions } from "../../../log/read-log.ts"
import { swapOptions } from "../../../methods/swap/options.ts"
import { liveOptions, outputFormats } from "../../../stream/live/options.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"

const { format, columns, jsonPath, unit, encoding } = readOptions.properties

export const storeFlag = Type.Optional(
  Type.String({ placeholder: "dir", description: "folder that keeps what waits and what was released (private)" }),
)

/** Where records come from and go to. */
const transportFlags = Type.Object({
  store: storeFlag,
  preset: Type.Optional(Type.Enum(["paper"], { description: "take every default from the paper" })),
  input: Type.Optional(
    Type.Array(Type.String(), {
      words: true,
      placeholder: "place",
      description:
        "where records come from: - (default), a file, tcp://HOST:PORT or unix:PATH to listen on, http; several together",
    }),
  ),
  output: Type.Optional(
    Type.String({
      short: "o",
      placeholder: "place",
      description:
        "where releases go: - (default), a file, tcp://HOST:PORT or unix:PATH to connect to, http for subscribers",
    }),
  ),
  to: Type.Optional(
    Type.Enum([...outputFormats], { description: "format of the releases (default: tsv; jsonl with --output http)" }),
  ),
  audit: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "folder that keeps which search each release was, for stream seal (private: it undoes the releases)",
    }),
  ),
  follow: Type.Boolean({ default: false, description: "go on when the files of --input grow" }),
  force: Type.Boolean({ default: false, description: "with a new store: replace a file of --output that has content" }),
  http: Type.String({
    default: "127.0.0.1:8080",
    placeholder: "host:port",
    description: "address of the endpoint, with --input http or --output http",
  }),
  maxBody: Type.Integer({
    default: 16 << 20,
    minimum: 1024,
    maximum: 1 << 30,
    placeholder: "bytes",
    description: "largest body that is taken",
  }),
  allowOrigin: Type.Optional(
    Type.Array(Type.String(), {
      words: true,
      placeholder: "url",
      description: "origins of the pages that may send, for example https://shop.example (default: none)",
    }),
  ),
  ingestTokenFile: Type.Optional(
    Type.String({ placeholder: "file", description: "token that those who send must know (default: none is asked)" }),
  ),
  subscribeTokenFile: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "token that subscribers must know (default: the admin token; none on loopback)",
    }),
  ),
  retain: Type.Integer({
    default: 256 << 20,
    minimum: 1 << 16,
    maximum: Number.MAX_SAFE_INTEGER,
    placeholder: "bytes",
    description: "with --output http: releases that are kept, and that the slowest subscriber may be behind",
  }),
  admin: Type.String({
    default: "127.0.0.1:7777",
    placeholder: "host:port",
    description: "address of figures, settings and the live page, on loopback",
  }),
  noAdmin: Type.Boolean({ description: "no admin address" }),
  format,
  columns,
  jsonPath,
  unit,
  encoding,
  cache: taxonomyFlags.properties.cache,
})

/** How deep topics are cut: everywhere alike, or by branch. */
const depthFlags = Type.Object({
  depth: Type.String({
    default: "6",
    placeholder: "n|auto",
    description:
      "level of the topics within which users are swapped; auto: by branch, as deep as --max-delay allowed in --first-period",
  }),
  firstPeriod: Type.Optional(
    Type.String({
      placeholder: "log",
      description:
        "with --depth auto: a log of this stream from before, read like --input (default: what the store has)",
    }),
  ),
  maxDelay: swapOptions.properties.maxDelay,
})

export const runFlags = Type.Object({
  ...liveOptions.properties,
  ...depthFlags.properties,
  ...transportFlags.properties,
})
