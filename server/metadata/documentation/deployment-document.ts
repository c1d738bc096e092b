import type { Deployment } from '../../http/access/deployment.ts'
import type { Written } from '@floe/storage/json'
import { writeDocument } from './write-document.ts'
import { registerEncodableBody } from '../../http/representation/content-encoding.ts'

/** Returns the OpenAPI document of one deployment as the body to send. */
export type DescribeDeployment = (address: {
  readonly deployment: string
  readonly org: string
}) => Promise<Written<Record<string, unknown>>>

/**
 * Describes deployments. The first request for a document makes it.
 *
 * @param baseUrl returns the public address of the service, ending in `/v1`. Not called before the service listens
 */
export function describeDeployments(deployments: readonly Deployment[], baseUrl: () => string): DescribeDeployment {
  const bodies = new Map<Deployment, Promise<Written<Record<string, unknown>>>>()
  return ({ deployment: name, org }) => {
    const deployment = deployments.find((known) => known.name === name && known.org === org)
    if (!deployment) throw new TypeError(`access let ${org}/${name} through, which is not described`)
    const known = bodies.get(deployment)
    if (known !== undefined) return known
    const body = buildBody(deployment, baseUrl().replace(/\/v1$/, ''))
    bodies.set(deployment, body)
    return body
  }
}

async function buildBody(deployment: Deployment, serverUrl: string): Promise<Written<Record<string, unknown>>> {
  // Loaded only here, because most services are asked for no document.
  const { buildOpenApiDocument } = await import('./openapi/openapi-document.ts')
  return registerEncodableBody(writeDocument(buildOpenApiDocument(serverUrl, deployment)))
}
