/**
 * Methods of extensions, by name, with their options. Declare yours here (`declare module "queryveil/extend"`). Then
 * `release` and `anonymize` accept its name and check its options.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add their names
export interface ExtensionMethods {}
