import { Type } from "#typebox"
import { reserveFile } from "../files/reserve.ts"
import { writeChunksWhole } from "../files/write-file.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { writeClassified } from "../release/write-classified.ts"
import { refusePrivate } from "../release/write-release.ts"
import { type Coverage, measureCoverage } from "../taxonomy/classify/coverage.ts"
import { encodeLexicon } from "../taxonomy/classify/lexicon-file.ts"
import { classifierOption, openClassifier } from "../taxonomy/classify/open-classifier.ts"
import { trainLexicon, trainOptions } from "../taxonomy/classify/train/train-lexicon.ts"
import { openTaxonomy, taxonomyOption } from "../taxonomy/open-taxonomy.ts"
import { listWarnings, openLog, warn } from "./open-log.ts"
import { checkOptions, forceOption, type GivenOptions, logOptions, outputOption } from "./options.ts"

/** Where the topics of queries come from. */
export const topicOptions = Type.Object({ ...taxonomyOption.properties, ...classifierOption.properties })

export const classifyOptions = Type.Object({
  output: outputOption("file", "write the log's rows with a column for the topic (private)"),
  ...topicOptions.properties,
  force: forceOption("file"),
  ...logOptions.properties,
})

/** The taxonomy and classifier, where to write the classified rows, and how to read the log. */
export interface ClassifyOptions extends GivenOptions<typeof classifyOptions> {}

/** How much of a log has a topic. */
export interface Classified extends Coverage {
  /** The file of the rows, if one was requested. */
  output?: string
  warnings: string[]
}

/** Opens a taxonomy and a classifier for it. Warnings go to the context. */
export async function openTopics(
  choice: GivenOptions<typeof topicOptions> & { cache?: string | undefined },
  context: RunContext,
) {
  const { taxonomy: name, classifier, cache } = choice
  const taxonomy = await openTaxonomy(name, cache === undefined ? {} : { cache }, context)
  return openClassifier(classifier, { taxonomy, warn: (text) => warn(context, text) }, context)
}

/** Finds the topic of every query of a log, as `queryveil classify` does. */
export async function classifyLog(
  log: string | readonly string[],
  options: ClassifyOptions = {},
  given: RunContext = createContext(),
): Promise<Classified> {
  const { output, force = false, ...rest } = checkOptions("classifyLog", classifyOptions, options)
  const { context, warnings } = listWarnings(given)
  if (output !== undefined) await reservePrivate(output, force)
  const classifier = await openTopics(rest, context)
  const read = await openLog(log, rest, context)
  const topicOf = await classifier.classify(read.log.queries, context)
  const { taxonomy } = classifier
  const coverage = measureCoverage(read.log, topicOf, taxonomy)
  stopIfCancelled(context)
  if (output !== undefined) await writeClassified(output, { log: read.log, topicOf, taxonomy }, context)
  return { ...coverage, ...(output !== undefined && { output }), warnings }
}

export const trainLogOptions = Type.Object({
  output: outputOption("file", "write the lexicon to this file, for --classifier (private)"),
  ...taxonomyOption.properties,
  ...trainOptions.properties,
  force: forceOption("file"),
  ...logOptions.properties,
})

/** A lexicon that was written. */
export interface Trained {
  file: string
  words: number
  topics: number
  warnings: string[]
}

/** Learns a lexicon from a log's clicks and sessions and writes it, as `queryveil classify train` does. */
export async function trainClassifier(
  log: string | readonly string[],
  options: GivenOptions<typeof trainLogOptions>,
  given: RunContext,
): Promise<Trained> {
  const checked = checkOptions("trainClassifier", trainLogOptions, options)
  const { output: file, taxonomy: choice, minUsers, rounds, force = false, ...reading } = checked
  if (file === undefined) throw new QueryveilError("usage", "trainClassifier: output is missing.", { flag: "--output" })
  const { context, warnings } = listWarnings(given)
  await reservePrivate(file, force)
  const { cache } = reading
  const taxonomy = await openTaxonomy(choice, cache === undefined ? {} : { cache }, context)
  const read = await openLog(log, reading, context)
  const training = { ...(minUsers !== undefined && { minUsers }), ...(rounds !== undefined && { rounds }) }
  const lexicon = await trainLexicon(read.log, taxonomy, training, context)
  stopIfCancelled(context)
  await writeChunksWhole(file, encodeLexicon(lexicon, taxonomy), { mode: 0o600, replace: force })
  return { file, words: lexicon.wordOffsets.length - 1, topics: lexicon.topics.length, warnings }
}

async function reservePrivate(file: string, force: boolean): Promise<void> {
  await refusePrivate(file)
  await reserveFile(file, { force })
}
