// What all messages of the Model Context Protocol have in common. The library of the protocol checks the rest.
import { z } from 'zod'

const Id = z
  .union([z.string(), z.number()])
  .describe('Repeated in the answer. Messages without an id are not answered.')

export const McpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of JSON-RPC'),
    id: Id.optional(),
    method: z
      .string()
      .optional()
      .describe('Absent in responses of the agent to requests of the service, which sends none'),
    params: z.looseObject({}).optional().describe('Arguments of the method'),
  })
  .describe('A JSON-RPC message of the Model Context Protocol. Send one at a time.')
  .meta({
    id: 'McpMessage',
    examples: [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'discovery_refs', arguments: { repo: 'weather' } },
      },
    ],
  })

export const McpAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of JSON-RPC'),
    id: Id.nullable().optional(),
    result: z.looseObject({}).optional().describe('Result of the method; absent when it failed'),
    error: z
      .looseObject({
        code: z.int().describe('Error code of JSON-RPC'),
        message: z.string().describe('What happened, for people'),
      })
      .optional()
      .describe('Why the method failed; absent when it succeeded'),
  })
  .describe('A JSON-RPC answer of the Model Context Protocol: a result, or an error')
  .meta({
    id: 'McpAnswer',
    examples: [
      {
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: '{"branches":["dev","main"],"tags":["v1.0"]}' }] },
      },
    ],
  })
export type McpAnswer = z.infer<typeof McpAnswer>
