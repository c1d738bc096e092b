import { c, changeProblems, deploymentProblems, meta, metaPrefix, problems } from '../../dsl.ts'
import { McpAnswer, McpMessage } from '../../schemas/metadata/mcp.ts'
import { OfDeployment } from '../addresses.ts'

const description =
  'The Model Context Protocol over Streamable HTTP, without sessions and streams. Its tools are the routes that read: they take the ' +
  'same credentials and refuse with the same problems. An agent finds them with `tools/list`.'

/** The address for agents. */
export const mcp = c.router(
  {
    send: {
      method: 'POST',
      path: `${metaPrefix}/mcp`,
      pathParams: OfDeployment,
      body: McpMessage,
      responses: { 200: McpAnswer, 202: c.noBody(), ...problems(...deploymentProblems, ...changeProblems) },
      summary: 'Send a message of an agent',
      description,
      metadata: meta({
        tag: 'mcp',
        access: 'reader',
        isInClient: false,
        refusals: { statuses: [400, 404], body: McpAnswer },
      }),
    },
  },
  { strictStatusCodes: true },
)
