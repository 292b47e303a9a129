import { Type } from "#typebox"
import { readOptions } from "../../../log/read-log.ts"
import { swapOptions } from "../../../methods/swap/options.ts"
import { liveOptions, outputFormats } from "../../../stream/live/options.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"

const { format, columns, jsonPath, unit, encoding } = readOptions.properties

export const storeFlag = Type.Optional(
  Type.String({ placeholder: "dir", description: "keep what waits and what was released in this folder (private)" }),
)

/** Where records come from and go to. */
const transportFlags = Type.Object({
  store: storeFlag,
  preset: Type.Optional(Type.Enum(["paper"], { description: "use the paper's defaults" })),
  input: Type.Optional(
    Type.Array(Type.String(), {
      words: true,
      placeholder: "place",
      description: [
        "read records from -, a file, tcp://HOST:PORT or unix:PATH to listen on, http,",
        "or kafka://HOST:PORT/TOPIC; several together (default -)",
      ].join(" "),
    }),
  ),
  output: Type.Optional(
    Type.String({
      short: "o",
      placeholder: "place",
      description: [
        "write releases to -, a file, tcp://HOST:PORT or unix:PATH to connect to, http for subscribers,",
        "or kafka://HOST:PORT/TOPIC (default -)",
      ].join(" "),
    }),
  ),
  to: Type.Optional(
    Type.Enum([...outputFormats], {
      description: "write releases in this format (default tsv; jsonl with --output http, kafka or an index)",
    }),
  ),
  audit: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "record which search each release was, for stream seal (private: it undoes the releases)",
    }),
  ),
  follow: Type.Boolean({ default: false, description: "keep reading as the files of --input grow" }),
  force: Type.Boolean({ default: false, description: "with a new store: replace an existing file of --output" }),
  http: Type.String({
    default: "127.0.0.1:8080",
    placeholder: "host:port",
    description: "serve --input http and --output http at this address",
  }),
  maxBody: Type.Integer({
    default: 16 << 20,
    minimum: 1024,
    maximum: 1 << 30,
    placeholder: "bytes",
    description: "accept bodies up to this size",
  }),
  allowOrigin: Type.Optional(
    Type.Array(Type.String(), {
      words: true,
      placeholder: "url",
      description: "let pages of these origins send, for example https://shop.example (default none)",
    }),
  ),
  ingestTokenFile: Type.Optional(
    Type.String({ placeholder: "file", description: "require this token of senders (default none)" }),
  ),
  subscribeTokenFile: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "require this token of subscribers (default the admin token; none on loopback)",
    }),
  ),
  retain: Type.Integer({
    default: 256 << 20,
    minimum: 1 << 16,
    maximum: Number.MAX_SAFE_INTEGER,
    placeholder: "bytes",
    description: "with --output http: keep this many bytes of releases for slow subscribers",
  }),
  admin: Type.String({
    default: "127.0.0.1:7777",
    placeholder: "host:port",
    description: "serve figures, settings and the live page at this loopback address",
  }),
  noAdmin: Type.Boolean({ description: "serve no admin address" }),
  format,
  columns,
  jsonPath,
  unit,
  encoding,
  cache: taxonomyFlags.properties.cache,
})

/** The depth at which topics are cut: the same everywhere, or by branch. */
const depthFlags = Type.Object({
  depth: Type.String({
    default: "6",
    placeholder: "n|auto",
    description:
      "swap users within topics of this level; auto: by branch, as deep as --max-delay allowed in --first-period",
  }),
  firstPeriod: Type.Optional(
    Type.String({
      placeholder: "log",
      description:
        "with --depth auto: read an earlier log of this stream, in the format of --input (default the store's topics)",
    }),
  ),
  maxDelay: swapOptions.properties.maxDelay,
})

export const runFlags = Type.Object({
  ...liveOptions.properties,
  ...depthFlags.properties,
  ...transportFlags.properties,
})
