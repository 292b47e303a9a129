/** The optional client. Its own types are not needed, and are there only where it is installed. */
declare module "@confluentinc/kafka-javascript" {
  const library: import("./kafka-library.ts").KafkaLibrary
  // biome-ignore lint/style/noDefaultExport: a CommonJS module is imported as a default
  export default library
}
