import { Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { findInputs } from "../../log/inputs.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { Classifier } from "./classifier.ts"
import { readLexiconFile } from "./lexicon-file.ts"
import { phraseClassifier } from "./phrase-classifier.ts"
import { readQueryPaths } from "./query-paths.ts"
import { serviceAddress, serviceClassifier } from "./service-classifier.ts"
import { tableClassifier } from "./table-classifier.ts"

/** The flag of every command that needs the topics of queries. */
export const classifierOption = Type.Object({
  classifier: Type.Optional(
    Type.String({
      placeholder: "file|url",
      place: true,
      description:
        "find topics with a lexicon of classify train, a file of query<TAB>path, or a service (which receives queries)",
    }),
  ),
})

/**
 * A warning that query text leaves this process, and where it goes. Show it before opening the classifier. Undefined if
 * the text stays here.
 */
export function serviceWarning(choice: string | undefined): string | undefined {
  if (choice === undefined || !isAddress(choice)) return undefined
  const { origin } = serviceAddress(choice)
  return `The text of the queries is sent to ${origin} unchanged. The operator of that service can read it.`
}

const isAddress = (choice: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(choice)

/**
 * The classifier that a person chose: a lexicon on top of the built-in classifier, or a table or a service instead of
 * it. `warn` is called before query text leaves this process.
 */
export async function openClassifier(
  choice: string | undefined,
  options: { taxonomy: Taxonomy; warn?: (text: string) => void },
  context: RunContext,
): Promise<Classifier> {
  const { taxonomy, warn } = options
  if (choice === undefined) return phraseClassifier(taxonomy)
  const warning = serviceWarning(choice)
  if (warning !== undefined) {
    warn?.(warning)
    return serviceClassifier(taxonomy, serviceAddress(choice))
  }
  const [input] = await findInputs([choice])
  const lexicon = input.size === undefined ? undefined : await readLexiconFile(input.path, taxonomy)
  if (lexicon !== undefined) return phraseClassifier(taxonomy, lexicon)
  return tableClassifier(taxonomy, await readQueryPaths(choice, { taxonomy, repeated: "error" }, context))
}
