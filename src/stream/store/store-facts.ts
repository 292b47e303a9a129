import { createHmac } from "node:crypto"
import { type Static, Type, Value } from "#typebox"
import { readWhole, type StoreFiles, writeWhole } from "../../files/folder-files.ts"
import { damaged } from "./damage.ts"

const whole = Type.Integer({ minimum: 0 })

const factsSchema = Type.Object(
  {
    queryveilStore: Type.Literal(1),
    mode: Type.Union([Type.Literal("strict"), Type.Literal("paper")]),
    taxonomy: Type.String(),
    key: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    /**
     * How its cells were dealt since it began: 2 if by `keyedCells` with positions under seeds of the dealing secret.
     * Absent in a store of an earlier version, whose first cells were dealt in another way.
     */
    dealing: Type.Optional(Type.Literal(2)),
    /**
     * The group of workers whose releases it counts, and the check value of the group's first secret. Absent in the
     * store of a stream.
     */
    follows: Type.Optional(Type.Object({ group: Type.String(), check: Type.String() })),
  },
  { additionalProperties: false },
)

/** The facts of a store, fixed when it is created. */
export type StoreFacts = Static<typeof factsSchema>

const answeredSchema = Type.Object({
  id: Type.String(),
  body: Type.String(),
  at: Type.Number(),
  answer: Type.Object({
    taken: whole,
    withheld: whole,
    rejected: Type.Array(Type.Object({ line: whole, reason: Type.String() })),
    rejectedTotal: whole,
  }),
})

const checkpointSchema = Type.Object(
  {
    number: whole,
    boundary: Type.Object({
      record: whole,
      output: Type.Object({ releases: whole, bytes: whole }),
      input: Type.String(),
      settings: Type.String(),
      totals: Type.Record(Type.String(), Type.Number()),
      cells: Type.Optional(Type.Array(Type.Tuple([whole, whole]))),
      answered: Type.Optional(Type.Array(answeredSchema)),
    }),
    snapshot: Type.Object({ name: Type.String(), bytes: whole, records: whole }),
    /** The first segment after the boundary. */
    segment: whole,
    /** Released pairs, oldest first, and how many of each file are valid. */
    released: Type.Array(Type.Object({ name: Type.String(), pairs: whole, crc: whole })),
    /** What was shown under users. Absent in a checkpoint of version 0.1. */
    profiles: Type.Optional(
      Type.Object({
        from: whole,
        runs: Type.Array(Type.Object({ name: Type.String(), bytes: whole, users: whole })),
      }),
    ),
  },
  { additionalProperties: false },
)

export type Checkpoint = Required<Static<typeof checkpointSchema>>

const sealedSchema = Type.Object({ checkpoint: checkpointSchema, seal: Type.String() }, { additionalProperties: false })

const factsName = "store.json"
const checkpointName = "checkpoint.json"

export const firstCheckpoint: Checkpoint = {
  number: 0,
  boundary: { record: 0, output: { releases: 0, bytes: 0 }, input: "", settings: "", totals: {} },
  snapshot: { name: "", bytes: 0, records: 0 },
  segment: 1,
  released: [],
  profiles: { from: 0, runs: [] },
}

/** The facts of a store; undefined if the folder has no store. */
export async function readStoreFacts(files: StoreFiles): Promise<StoreFacts | undefined> {
  const value = await readJson(files, factsName)
  if (value === undefined) return undefined
  if (!Value.Check(factsSchema, value))
    throw damaged(files.folder, factsName, "was written by another version of queryveil")
  return value
}

/** Reads the checkpoint. Throws if it is not as it was written, or not of the store with this key. */
export async function readCheckpoint(files: StoreFiles, { key }: StoreFacts): Promise<Checkpoint> {
  const value = await readJson(files, checkpointName)
  if (value === undefined) throw damaged(files.folder, checkpointName, "is missing")
  if (!Value.Check(sealedSchema, value)) throw damaged(files.folder, checkpointName, "is not a checkpoint")
  if (value.seal !== sealOf(value.checkpoint, key))
    throw damaged(files.folder, checkpointName, "was altered, or belongs to another store")
  const { boundary, profiles = { from: boundary.output.releases, runs: [] } } = value.checkpoint
  return { ...value.checkpoint, profiles }
}

export function writeStoreFacts(files: StoreFiles, facts: StoreFacts): Promise<void> {
  return writeWhole(files, factsName, `${JSON.stringify(facts)}\n`)
}

export async function writeCheckpoint(files: StoreFiles, checkpoint: Checkpoint, { key }: StoreFacts): Promise<void> {
  const text = JSON.stringify({ checkpoint, seal: sealOf(checkpoint, key) })
  if (!Value.Check(sealedSchema, JSON.parse(text))) throw new Error("A checkpoint would not be readable.")
  await writeWhole(files, checkpointName, `${text}\n`)
}

/**
 * A seal that only a holder of the key can make. With another key every frame of the journal would look incomplete, and
 * be cut off.
 */
function sealOf(checkpoint: Static<typeof checkpointSchema>, key: string): string {
  return createHmac("sha256", Buffer.from(key, "hex")).update(JSON.stringify(checkpoint)).digest("hex")
}

async function readJson(files: StoreFiles, name: string): Promise<unknown> {
  const text = await readWhole(files, name)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(files.folder, name, "is not JSON")
  }
}
