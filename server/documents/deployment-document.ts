import type { Deployment } from '../deployment.ts'
import { keepBytes } from '../http/kept-bodies.ts'
import { type OpenApiDocument, buildOpenApiDocument } from './openapi/openapi-document.ts'

/** The OpenAPI document of one deployment. */
export type DeploymentDocument = {
  readonly deployment: Deployment
  /** With `/` as the address of the service. */
  readonly document: OpenApiDocument
  /** The body to send, with the public address of the service. Call it once the service listens. */
  readonly body: () => Buffer
}

/**
 * Describes one deployment.
 *
 * @param baseUrl public address of the service, ending in `/v1`
 */
export function describeDeployment(deployment: Deployment, baseUrl: () => string): DeploymentDocument {
  const document = buildOpenApiDocument('/', deployment)
  let body: Buffer | undefined
  return {
    deployment,
    document,
    body: () => {
      const servers = [{ url: baseUrl().replace(/\/v1$/, '') }]
      body ??= keepBytes(Buffer.from(JSON.stringify({ ...document, servers })))
      return body
    },
  }
}
