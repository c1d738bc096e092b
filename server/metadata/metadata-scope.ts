// The metadata as one Fastify scope: who may read, and the routes that answer.
import { contract } from '@floe/contract'
import type { FastifyPluginAsync } from 'fastify'
import { admitReaders } from '../access/access-hook.ts'
import { limitCallers } from '../access/rate-limits.ts'
import type { Authenticator } from '../access/authenticate.ts'
import type { Deployment } from '../deployment.ts'
import { register } from '../http/contract.ts'
import { makeDatasetRoutes } from './dataset-routes.ts'
import { makeDiscoveryRoutes } from './discovery-routes.ts'
import type { MetadataContext } from './metadata-context.ts'

/** What the scope needs. */
type MetadataParts = {
  readonly context: MetadataContext
  readonly authenticator: Authenticator
  readonly deployments: readonly Deployment[]
  /** Most requests a minute for each API key, or for each address without a key; null for no limit. */
  readonly perMinute: number | null
}

/** Makes the scope of discovery and datasets. Its routes check an answer when they build it, so that cached ones are not checked again. */
export function makeMetadataScope({
  context,
  authenticator,
  deployments,
  perMinute,
}: MetadataParts): FastifyPluginAsync {
  const { discovery, datasets } = contract
  return async (scope) => {
    const limit = perMinute === null ? undefined : await limitCallers(scope, perMinute, context.timing.elapsed)
    scope.addHook('onRequest', admitReaders(authenticator, deployments, limit))
    await register(
      scope,
      { discovery, datasets },
      { discovery: makeDiscoveryRoutes(context), datasets: makeDatasetRoutes(context) },
    )
  }
}
