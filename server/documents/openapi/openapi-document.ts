// The contract as an OpenAPI document. @ts-rest/open-api finds the routes, parameters and bodies, as OpenAPI 3.0.2;
// raise-document.ts makes 3.1.0 of it.
import { contract, Problem } from '@floe/contract'
import { generateOpenApi } from '@ts-rest/open-api'
import { z } from 'zod'
import type { Deployment } from '../../deployment.ts'
import { ComponentSchemas, type JsonSchema } from './component-schemas.ts'
import { introduction } from './introduction.ts'
import { problemCodes } from './problem-bodies.ts'
import { type OpenApiDocument, raiseDocument, raiseOperation } from './raise-document.ts'

export type { OpenApiDocument }

/**
 * Generates the document. With a deployment, its paths show the real names, and it says what credentials that deployment asks
 * for; without, deployment and organisation are parameters.
 *
 * @param serverUrl address of the service without a trailing slash, such as `https://floe.example.org`
 */
export function buildOpenApiDocument(serverUrl: string, deployment?: Deployment): OpenApiDocument {
  const components = new ComponentSchemas()
  const { paths } = generateOpenApi(contract, introduction(deployment), {
    setOperationId: 'concatenated-path',
    schemaTransformer: ({ schema, type }) =>
      convertSchema(schema, type === 'response' ? 'output' : 'input', components),
    operationMapper: (operation, route) => raiseOperation(operation, route, components, deployment),
  })
  return raiseDocument({ ...introduction(deployment), servers: [{ url: serverUrl }], paths }, components, deployment)
}

/** ts-rest also asks for what has no schema: routes without a query, answers without a body. */
function convertSchema(
  schema: unknown,
  direction: 'input' | 'output',
  components: ComponentSchemas,
): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null
  return problemCodes(schema) ? components.reference(Problem, direction) : components.inline(schema, direction)
}
