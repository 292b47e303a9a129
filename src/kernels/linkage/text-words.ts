/** The distinct content words of each text: those of text t are words[offsets[t], offsets[t + 1]), as numbers from 0. */
export interface TextWords {
  offsets: Uint32Array
  words: Int32Array
}
