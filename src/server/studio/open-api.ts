import { packageVersion } from "../../release/package-version.ts"
import { routes } from "./routes.ts"

const problem = {
  description: "why it was refused; codes are those of the command line (docs/errors.md)",
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["message", "code"],
        properties: { message: { type: "string" }, code: { type: "string" } },
      },
    },
  },
}

/** The description of the API in the form of OpenAPI 3.1. It holds nothing of a project. */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {
    "/api/events": {
      get: {
        summary: "changes as they happen, one JSON object a line, until the caller goes",
        responses: { 200: { description: "a stream", content: { "application/x-ndjson": {} } }, default: problem },
      },
    },
  }
  for (const { method, path, summary, body, answer } of routes) {
    const name = path.replace(":id", "{id}")
    paths[name] = {
      ...paths[name],
      [method.toLowerCase()]: {
        summary,
        ...(name !== path && { parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }] }),
        ...(body && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
        responses: {
          200: { description: "done", content: { "application/json": { schema: answer } } },
          default: problem,
        },
      },
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "queryveil studio", version: packageVersion() },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
    paths,
  }
}
