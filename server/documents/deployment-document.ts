import { z } from 'zod'
import type { Deployment } from '../deployment.ts'
import { makeKeptBody } from '../http/kept-bodies.ts'
import { type OpenApiDocument, buildOpenApiDocument } from './openapi/openapi-document.ts'

/** The OpenAPI document of one deployment. */
export type DeploymentDocument = {
  readonly deployment: Deployment
  /** With `/` as the address of the service. */
  readonly document: OpenApiDocument
  /** Makes the body to send, with the public address of the service. Call it only after the service has begun to listen. */
  readonly body: () => Record<string, unknown>
}

/**
 * Describes one deployment.
 *
 * @param baseUrl public address of the service, ending in `/v1`
 */
export function describeDeployment(deployment: Deployment, baseUrl: () => string): DeploymentDocument {
  const document = buildOpenApiDocument('/', deployment)
  let body: Record<string, unknown> | undefined
  return {
    deployment,
    document,
    body: () => {
      const servers = [{ url: baseUrl().replace(/\/v1$/, '') }]
      body ??= makeKeptBody(z.record(z.string(), z.unknown()), JSON.stringify({ ...document, servers }))
      return body
    },
  }
}
