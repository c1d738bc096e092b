import { OfRef } from '../../schemas/addresses.ts'
import { c, HtmlPage, meta, metaPrefix, notModified, problems, repositoryProblems } from '../../dsl.ts'
import { GoodBranch } from '../../schemas/metadata/good.ts'

/** Which heads of branches are good. */
export const good = c.router(
  {
    get: {
      method: 'GET',
      path: '/good/:repo/:ref',
      pathParams: OfRef,
      responses: { 200: GoodBranch, ...notModified, ...problems(...repositoryProblems, 'ref-not-found') },
      summary: 'Show which heads of a branch are good',
      description:
        'Returns the newest heads of a branch as Floe saw them, what each lacks to be good, and the last good one, ' +
        'which `BRANCH@good` names wherever a ref is taken. What is required is said by expectations of the kind ' +
        '`good`. Without one, the lists are empty.',
      metadata: meta({ tag: 'checks', access: 'reader', html: HtmlPage, headers: ['etag'] }),
    },
  },
  { pathPrefix: metaPrefix },
)
