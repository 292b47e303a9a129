import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { cutBySettings, type StreamSettings } from "./settings.ts"

/** How the current settings treat topics: the category of each, and which topics are withheld. */
export class TopicCut {
  /** By topic: the category within which its users are swapped. */
  readonly category: Int32Array
  /** By topic: 1 if it is withheld, or below a withheld one. */
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

  /**
   * The category in which a record of the topic waits. In a withheld topic that is the topic itself: nothing arrives
   * there, so nothing leaves.
   */
  waitingPlace(topic: number): number {
    return this.isWithheld(topic) ? topic : this.category[topic]
  }
}
