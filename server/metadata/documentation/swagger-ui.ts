// Swagger UI as @fastify/swagger-ui serves it: one page for all deployments, and the files that the page loads.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { contract } from '@floe/contract'
import type { FastifyPluginAsync, onSendAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { treatAs } from '../../http/contract.ts'
import { cacheFiles } from '../../http/cache-files.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { permitCaching } from '../answering/answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { readThisHost } from './read-this-host.ts'
import { apiViews, documentationPolicy } from './api-views.ts'

const { docs, redoc, openapi } = contract.documents

/** The package requires a document, and would serve it at the {@link unserved} addresses. */
const stub = { openapi: '3.1.0', info: { title: 'Floe', version: '' }, paths: {} }

/** Routes of the package that the contract does not have; the page reads `openapi.json` instead. */
const unserved: ReadonlySet<string> = new Set(
  ['json', 'yaml', 'static/index.html'].map((name) => `${docs.path}/${name}`),
)

/**
 * Makes the scope of Swagger UI. Its routes count as the contract's `documents.docs`, so addresses below the page ask
 * for credentials under every name, and callers without credentials cannot find out which deployments exist.
 *
 * @param root path of the service; empty unless a proxy adds one
 */
export function makeSwaggerUiScope(root: string, context: Pick<MetadataContext, 'cachedRefs'>): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...treatAs(docs) }
    })
    scope.addHook('onSend', makeCompletePage(root, context))
    scope.addHook('onSend', cacheFiles())
    await scope.register(swagger, { mode: 'static', specification: { document: stub } })
    await scope.register(swaggerUi, {
      routePrefix: docs.path,
      indexPrefix: root,
      theme: { title: ':org/:deployment API' },
      staticCSP: documentationPolicy,
      // The standard layout asks for the address of a document.
      uiConfig: { layout: 'BaseLayout', plugins: [readThisHost] },
      uiHooks: {
        onRequest: ({ routeOptions: { url = '' } }, _reply, done) =>
          done(unserved.has(url) ? explainMissing() : undefined),
      },
    })
    scope.get(`${docs.path}/*`, async () => {
      throw explainMissing()
    })
  }
}

function explainMissing(): RequestProblem {
  return new RequestProblem('route-not-found', 'The documentation has no such file')
}

const Names = z.record(z.string(), z.string())

/** What the page of the package lacks on phones. */
const forPhones = `<meta name="viewport" content="width=device-width, initial-scale=1">
<style>.swagger-ui .info .link { overflow-wrap: anywhere }</style>`

/**
 * Makes a hook that adds what the page and its headers lack, and replaces the parameters of its path, which the package
 * writes into the title, by the names of the deployment.
 */
function makeCompletePage(root: string, context: Pick<MetadataContext, 'cachedRefs'>): onSendAsyncHookHandler {
  const links = { docs: root + docs.path, redoc: root + redoc.path, openapi: root + openapi.path }
  const views = apiViews('docs', links).toString()
  return async (request, reply, payload) => {
    if (request.routeOptions.url !== docs.path || reply.statusCode !== 200 || typeof payload !== 'string')
      return payload
    permitCaching({ request, reply }, context)
    const names = Names.parse(request.params)
    return payload
      .replace('<head>', `<head>\n${forPhones}`)
      .replace('<div id="swagger-ui">', (start) => `${views}${start}`)
      .replace(/:(org|deployment)\b/g, (_, name: string) => names[name] ?? '')
  }
}
