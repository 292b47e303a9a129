/** The distinct content words of each text t: words[offsets[t], offsets[t + 1]), numbered from 0. */
export interface TextWords {
  offsets: Uint32Array
  words: Int32Array
}
