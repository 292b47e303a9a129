export { englishFunctionWords, markFunctionWords, parseFunctionWords } from "./function-words.ts"
export * from "./identifiers/index.ts"
export { normaliseQuery } from "./normalise.ts"
export { type TokenisedQueries, type TokenOptions, tokeniseQueries, tokenOptions } from "./tokens.ts"
