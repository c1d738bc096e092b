import { c, changeProblems, deploymentProblems, meta, metaPrefix, problems } from '../dsl.ts'
import { McpAnswer, McpMessage } from '../schemas/mcp.ts'
import { OfDeployment } from '../schemas/addresses.ts'

const description =
  'Answers one JSON-RPC message of the Model Context Protocol (Streamable HTTP, without sessions and streams). Its ' +
  'tools are the routes that read metadata, with the same credentials and problems; `tools/list` lists them. A ' +
  'message without an `id` is answered with 202.'

/** The address for agents. */
export const mcp = c.router({
  send: {
    method: 'POST',
    path: `${metaPrefix}/mcp`,
    pathParams: OfDeployment,
    body: McpMessage,
    responses: { 200: McpAnswer, 202: c.noBody(), ...problems(...deploymentProblems, ...changeProblems) },
    summary: 'Answer an agent (Model Context Protocol)',
    description,
    metadata: meta({
      tag: 'mcp',
      access: 'reader',
      isInClient: false,
      ownErrors: { statuses: [400, 404], body: McpAnswer },
    }),
  },
})
