import { Type } from "#typebox"
import { classifierOption, openClassifier } from "../../../taxonomy/classify/open-classifier.ts"
import { openTaxonomy, taxonomyOption } from "../../../taxonomy/open-taxonomy.ts"
import type { Given } from "../../flags.ts"
import type { Session } from "../../session.ts"

/** Flags of a command that needs the topics of queries. */
export const topicFlags = Type.Object({ ...taxonomyOption.properties, ...classifierOption.properties })

export async function openTopics(session: Session, flags: Given<typeof topicFlags> & { cache?: string | undefined }) {
  const taxonomy = await openTaxonomy(
    flags.taxonomy,
    flags.cache === undefined ? {} : { cache: flags.cache },
    session.context,
  )
  const warn = (text: string) => session.warn(text)
  return openClassifier(flags.classifier, { taxonomy, warn }, session.context)
}
