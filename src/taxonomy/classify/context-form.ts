import { baseForms } from "../../wordnet/base-forms.ts"

/** The form of a word in the index of texts: its base form if that names a topic, otherwise the word as written. */
export function contextForm(word: string, isPhrase: (form: string) => boolean): string {
  if (isPhrase(word) && !word.endsWith("s")) return word
  for (const form of baseForms(word, "noun")) if (form !== word && isPhrase(form)) return form
  return word
}
