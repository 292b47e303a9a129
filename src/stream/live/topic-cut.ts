import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { cutBySettings, type StreamSettings } from "./settings.ts"

/** Where topics go under the settings in force: the category of each, and which of them are withheld. */
export class TopicCut {
  /** By topic: the category within which its users are swapped. */
  readonly category: Int32Array
  /** By topic: 1 if it is withheld, or below one that is. */
  readonly #withheld: Uint8Array

  constructor(taxonomy: Taxonomy, settings: StreamSettings) {
    this.category = cutBySettings(taxonomy, settings)
    this.#withheld = new Uint8Array(taxonomy.size)
    for (const path of settings.gated) {
      const node = taxonomy.find(path)
      if (node >= 0) this.#withheld.fill(1, node, taxonomy.end[node])
    }
  }

  isWithheld(topic: number): boolean {
    return this.#withheld[topic] === 1
  }

  /** Where a record of the topic waits. In a withheld topic it stays with its own, where nothing comes and so nothing leaves. */
  waitingPlace(topic: number): number {
    return this.isWithheld(topic) ? topic : this.category[topic]
  }
}
