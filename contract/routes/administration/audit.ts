import { z } from 'zod'
import { administrationProblems, c, meta, orgPrefix, problems } from '../../dsl.ts'
import { AuditPage } from '../../schemas/administration/audit.ts'
import { OfOrg, pageLimit } from '../../schemas/addresses.ts'

/** Selects a page of the audit log. */
export const AuditSelection = z.object({
  before: z
    .uuid()
    .optional()
    .describe('Only entries older than this one: `next` of the previous page')
    .meta({ examples: ['0198c0de-0000-7000-8000-000000000003'] }),
  limit: pageLimit,
})

/** Who changed what in an organisation. */
export const audit = c.router({
  list: {
    method: 'GET',
    path: `${orgPrefix}/audit`,
    pathParams: OfOrg,
    query: AuditSelection,
    responses: { 200: AuditPage, ...problems(...administrationProblems) },
    summary: 'List changes in the organisation, newest first',
    description:
      'Returns who changed what in the repositories that the API key covers, with the records before and after, ' +
      'without secrets, in pages: send `next` as `before` until it is null. Changes that concern no repository, ' +
      'such as those of API keys, are only returned to keys that cover the whole organisation.',
    metadata: meta({ tag: 'audit', access: 'admin' }),
  },
})
