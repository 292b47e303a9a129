import { Type } from "#typebox"
import { attackStates } from "../../study/report/attack-verdict.ts"
import { keptStates } from "../../study/report/promise-verdict.ts"
import { count, flag, number, text, texts } from "./parts.ts"

/** The verdict on the promise of a release. */
export const promiseVerdict = Type.Object({
  kept: Type.Enum([...keptStates], { description: "in part: nothing failed, but something could not be checked" }),
  sentence: text(),
  open: texts("promises whose check failed, otherwise those that could not be checked"),
  empty: flag("the release shows nothing"),
})

/** The verdict on what attacks found despite the promise. */
export const attackVerdict = Type.Object({
  state: Type.Enum([...attackStates], {
    description: "nothing above chance: the interval of every score of every attack that ran reaches chance",
  }),
  sentence: text(),
  caveats: texts("which attacks did not run, or that the log is another one"),
  meanings: texts("what the worst attacks mean for a person in the log, the worst first"),
  acceptedRisk: number("the gain above which the state is over the accepted risk"),
  ran: count("attacks that ran and could be judged"),
  above: count("attacks that gained more than chance"),
  known: count("number of attacks"),
  worst: Type.Optional(
    Type.Object({
      attack: text(),
      name: text("the score, for people"),
      value: number(),
      chance: number("what a guess scores"),
      gain: number("(value - chance) / (1 - chance)"),
      low: number("of the gain, 95 % interval"),
      high: number("of the gain, 95 % interval"),
    }),
  ),
})
