import { createHmac } from "node:crypto"
import { gunzipSync, gzipSync } from "node:zlib"
import { QueryveilError } from "../../kernels/error.ts"
import type { DealingSecret } from "../../swapper/dealing-secret.ts"
import { taxonomyFingerprint } from "../../taxonomy/fingerprint.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { cutBySettings, type StreamSettings } from "../live/settings.ts"
import type { WorkerSecrets } from "./secret-file.ts"

/** How topics are kept. */
interface TopicKeeping {
  /** Copies of each topic (default: 3, or as many as there are brokers). */
  replicas?: number | undefined
  /** Hours within which what was released is gone from the changelog. */
  forgetHours: number
  /** Hours for which classified searches are kept. */
  keepHours: number
}

/** What all workers of a group must agree on. It is kept in a topic of its own. */
export interface WorkerPlan {
  /** The form of the plan. */
  version: 1
  /** Counts the plans of the group. The names of its topics end with it. */
  epoch: number
  /** The topic of searches that the group reads. */
  input: string
  partitions: number
  /** The settings with which partitions begin. */
  settings: StreamSettings
  backlog: number
  distinctTexts: boolean
  remember: number
  /** Seconds between checkpoints of a partition. */
  checkpoint: number
  keeping: TopicKeeping
  /** Fingerprint of the taxonomy: topics are numbers in it. */
  taxonomy: string
  /** By version: shows whether a worker has that secret of the group. The secrets do not follow from it. */
  secretChecks: readonly string[]
  /** The partition of each category, by path. */
  table: [path: string, partition: number][]
  /** The plan before, which hands over to this one. Absent in the first plan. */
  previous?: { partitions: number }
}

/** The names of a group's topics and consumer groups. */
export function namesOf(group: string, epoch: number) {
  return {
    plan: `${group}.plan`,
    released: `${group}.released`,
    figures: `${group}.figures`,
    classified: `${group}.classified.${epoch}`,
    changelog: `${group}.changelog.${epoch}`,
    classify: `${group}.classify`,
    swap: `${group}.swap`,
  }
}

const checkOf = ({ key }: DealingSecret) =>
  createHmac("sha256", key).update("queryveil check of a secret").digest("hex").slice(0, 32)

/** The check values of all versions of a secret. */
export const checksOf = (secrets: WorkerSecrets) =>
  Array.from({ length: secrets.latest }, (_, i) => checkOf(secrets.of(i + 1)))

/** The number of the plan that a topic of the group belongs to: its name ends with it. */
export const epochOfTopic = (topic: string) => Number(topic.slice(topic.lastIndexOf(".") + 1))

/** A plan names every category, and there are some ten thousand. No more is unpacked. */
const largestPlan = 256 << 20

export const encodePlan = (plan: WorkerPlan) => gzipSync(JSON.stringify(plan))

export function decodePlan(bytes: Buffer, topic: string): WorkerPlan {
  let plan: WorkerPlan
  try {
    plan = JSON.parse(gunzipSync(bytes, { maxOutputLength: largestPlan }).toString("utf8"))
  } catch (cause) {
    throw new QueryveilError("kafka-state", `kafka topic ${topic}: the plan of the workers cannot be read.`, { cause })
  }
  if (plan.version === 1) return plan
  throw new QueryveilError(
    "kafka-state",
    `kafka topic ${topic}: the plan was written by a later version of queryveil. Update this worker.`,
  )
}

/** The categories of topics under these settings, ascending. */
export function categoriesOf(taxonomy: Taxonomy, settings: StreamSettings): number[] {
  return [...new Set(cutBySettings(taxonomy, settings))].sort((a, b) => a - b)
}

/** By topic: the partition that its category belongs to. Refuses a taxonomy that is not the plan's. */
export function partitionOfTopics(plan: WorkerPlan, taxonomy: Taxonomy): Int32Array {
  if (taxonomyFingerprint(taxonomy) !== plan.taxonomy)
    throw new QueryveilError(
      "option-value",
      "--taxonomy: the group of workers was begun with another taxonomy. Give that one.",
      { flag: "--taxonomy" },
    )
  const byCategory = new Int32Array(taxonomy.size).fill(-1)
  for (const [path, partition] of plan.table) {
    const category = taxonomy.find(path)
    if (category >= 0) byCategory[category] = partition
  }
  return cutBySettings(taxonomy, plan.settings).map((category) => byCategory[category])
}

/** Refuses secrets that are not those of the group, or of which the last versions are missing. */
export function requireSecrets({ secretChecks }: Pick<WorkerPlan, "secretChecks">, secrets: WorkerSecrets): void {
  for (const [i, check] of secretChecks.entries()) {
    if (checkOf(secrets.of(i + 1)) === check) continue
    throw new QueryveilError(
      "kafka-state",
      `--secret: line ${i + 1} of the file is another secret than that of the group of workers. Give the group's file.`,
      { flag: "--secret" },
    )
  }
}
