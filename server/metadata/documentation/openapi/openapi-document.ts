// Builds the OpenAPI document from the contract. @ts-rest/open-api lists the routes, parameters and bodies as OpenAPI 3.0.2;
// raise-document.ts turns that into 3.1.0.
import { contract, Problem } from '@floe/contract'
import { generateOpenApi } from '@ts-rest/open-api'
import { z } from 'zod'
import type { Deployment } from '../../../http/access/deployment.ts'
import { ComponentSchemas, type JsonSchema } from './component-schemas.ts'
import { describeService } from './introduction.ts'
import { listProblemCodes } from './problem-bodies.ts'
import { type OpenApiDocument, raiseDocument, raiseOperation } from './raise-document.ts'

export type { OpenApiDocument }

/**
 * Builds the document. With a deployment, paths have the real names, and the document says which credentials the deployment needs.
 * Without one, deployment and organisation are path parameters.
 *
 * @param serverUrl address of the service without a trailing slash, such as `https://floe.example.org`
 */
export function buildOpenApiDocument(serverUrl: string, deployment?: Deployment): OpenApiDocument {
  const components = new ComponentSchemas()
  const { paths } = generateOpenApi(contract, describeService(deployment), {
    setOperationId: 'concatenated-path',
    schemaTransformer: ({ schema, type }) =>
      convertSchema(schema, type === 'response' ? 'output' : 'input', components),
    operationMapper: (operation, route) => raiseOperation(operation, route, components, deployment),
  })
  return raiseDocument({ ...describeService(deployment), servers: [{ url: serverUrl }], paths }, components, deployment)
}

/** Converts a schema. ts-rest also calls this for a missing query or body, which stays null. */
function convertSchema(
  schema: unknown,
  direction: 'input' | 'output',
  components: ComponentSchemas,
): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null
  return listProblemCodes(schema) ? components.refer(Problem, direction) : components.inline(schema, direction)
}
