import { z } from 'zod'
import { c, deploymentProblems, meta, metaPrefix, problems } from '../../dsl.ts'
import { diff as changes } from '../../questions/diff.ts'
import { Diff } from '../../schemas/metadata/diff.ts'
import { RefName } from '../../schemas/names.ts'
import { OfRepository } from '../../schemas/addresses.ts'

/** What changed from one snapshot to another. */
export const diff = c.router({
  ...changes.routes,
  choose: {
    method: 'GET',
    path: `${metaPrefix}/diff/:repo`,
    pathParams: OfRepository,
    query: z.object({ from: RefName.meta({ examples: ['v1.0'] }), to: RefName }),
    responses: { 200: Diff, 303: c.noBody(), ...problems(...deploymentProblems) },
    summary: 'Redirect to a comparison',
    description:
      'Answers 303 with the address of the comparison, for HTML forms, which can send names only as a query. ' +
      'Clients that follow redirects get the comparison itself.',
    metadata: meta({ tag: 'diff', access: 'reader', isInClient: false, headers: ['location'] }),
  },
})
