// The documents that are generated from the contract.
import { createNotificationSchema } from '@floe/contract'
import { buildOpenApiDocument } from '../../metadata/documentation/openapi/openapi-document.ts'
import type { CommandLine } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Prints the OpenAPI document with the deployment and organisation as parameters. */
export async function printOpenApi(_line: CommandLine, terminal: Terminal): Promise<void> {
  terminal.out(`${JSON.stringify(buildOpenApiDocument('http://127.0.0.1:8080'), null, 2)}\n`)
}

/** Prints the notification's JSON Schema. */
export async function printSchema(_line: CommandLine, terminal: Terminal): Promise<void> {
  terminal.out(`${JSON.stringify(createNotificationSchema(), null, 2)}\n`)
}
