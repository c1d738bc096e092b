// Redirects from HTML forms, which can send names only as a query.
import { contract, responseHeaders } from '@floe/contract'
import { implement } from '../http/contract.ts'
import type { MetadataContext } from './metadata-context.ts'

const routes = { datasets: { choose: contract.datasets.choose }, diff: { choose: contract.diff.choose } }

/** Implements the redirects to a dataset at a time, and to a comparison. */
export function makeRedirectRoutes({ buildLinks }: Pick<MetadataContext, 'buildLinks'>) {
  return implement(routes, {
    datasets: {
      choose: async ({ params: { deployment, org, repo }, query: { ref, at, group }, reply }) => {
        const links = buildLinks(deployment, org)
        const refAtTime = `${ref}@${at.trim()}`
        const address = group === undefined ? links.ref(repo, refAtTime) : links.dataset(repo, refAtTime, group)
        reply.header(responseHeaders.location.name, address)
        return { status: 303, body: undefined }
      },
    },
    diff: {
      choose: async ({ params: { deployment, org, repo }, query: { from, to }, reply }) => {
        // Copied names often have spaces around them.
        const address = buildLinks(deployment, org).diff(repo, from.trim(), to.trim())
        reply.header(responseHeaders.location.name, address)
        return { status: 303, body: undefined }
      },
    },
  })
}
