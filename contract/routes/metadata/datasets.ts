import { z } from 'zod'
import { c, deploymentProblems, meta, metaPrefix, problems } from '../../dsl.ts'
import { datasetPage } from '../../questions/views/dataset-page.ts'
import { dict } from '../../questions/views/dict.ts'
import { info } from '../../questions/views/info.ts'
import { keys } from '../../questions/views/keys.ts'
import { GroupPath, RefName, timeRule, TimeText } from '../../schemas/names.ts'
import { OfRepository } from '../../schemas/addresses.ts'

/** One dataset, in four representations. Each has two routes: for the root group, and for another one. */
export const datasets = c.router({
  ...info.routes,
  ...keys.routes,
  ...dict.routes,
  ...datasetPage.routes,
  choose: {
    method: 'GET',
    path: `${metaPrefix}/datasets/:repo`,
    pathParams: OfRepository,
    query: z.object({
      ref: RefName,
      at: TimeText.describe(`The time: ${timeRule}`).meta({ examples: ['2026-11-18'] }),
      group: GroupPath.optional().describe('The group. Without it, the address of the list of datasets'),
    }),
    responses: { 303: c.noBody(), ...problems(...deploymentProblems) },
    summary: 'Redirect to a dataset at a time',
    description: 'Answers 303 with the address of `{ref}@{at}`, for HTML forms, which can send names only as a query.',
    metadata: meta({ tag: 'datasets', access: 'reader', isInClient: false, headers: ['location'] }),
  },
})
