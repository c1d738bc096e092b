// Discovery: lists for programs, browse pages for people, at the same addresses.
import { contract } from '@floe/contract'
import { initServer } from '@ts-rest/fastify'
import { mayRead } from '../access/access-hook.ts'
import { prefersHtml } from '../prefers-html.ts'
import { answerPage, answerTagged } from './answers.ts'
import { refPageOf, repositoriesPageOf, repositoryPageOf } from './browse.ts'
import { listDatasets } from './list-datasets.ts'
import { catalogOf, findRepository, type MetadataContext } from './metadata-context.ts'

/** Implements `contract.discovery`. */
export function discoveryRoutes(context: MetadataContext) {
  const { reading } = context
  return initServer().router(contract.discovery, {
    repositories: async ({ params, request, reply }) => {
      const names = await catalogOf(context, params.org).names(reading.newSignal())
      const readable = names.filter((name) => mayRead(request.apiKey, name))
      if (prefersHtml(request)) return answerPage(reply, await repositoriesPageOf(context, params, readable))
      return answerTagged(request, reply, readable)
    },
    refs: async ({ params, request, reply }) => {
      const { repository } = await findRepository(context, params.org, params.repo)
      if (prefersHtml(request)) return answerPage(reply, await repositoryPageOf(context, params, repository))
      const { branches, tags } = await reading.refs(repository)
      return answerTagged(request, reply, { branches: [...branches.keys()], tags: [...tags.keys()] })
    },
    datasets: async ({ params, query, request, reply }) => {
      const { repository } = await findRepository(context, params.org, params.repo)
      const resolved = await reading.resolve(repository, params.ref)
      const snapshot = await reading.snapshot(repository, resolved)
      const datasets = listDatasets(snapshot, query.group)
      if (prefersHtml(request)) {
        return answerPage(reply, refPageOf(context, params, { repository, resolved, snapshot }))
      }
      return answerTagged(request, reply, datasets)
    },
  })
}
