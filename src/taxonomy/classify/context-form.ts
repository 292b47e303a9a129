import { baseForms } from "../../wordnet/base-forms.ts"

/** The form under which a word stands in the index of texts: its base if that names a topic, else as it is written. */
export function contextForm(word: string, isPhrase: (form: string) => boolean): string {
  if (isPhrase(word) && !word.endsWith("s")) return word
  for (const form of baseForms(word, "noun")) if (form !== word && isPhrase(form)) return form
  return word
}
