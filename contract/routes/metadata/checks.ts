import { c, changeProblems, meta, metaPrefix, notModified, problems, repositoryProblems } from '../../dsl.ts'
import { OfCheck, OfRef, OfSnapshot } from '../../schemas/addresses.ts'
import { Check, CheckList, CheckReport, CheckResult } from '../../schemas/metadata/checks.ts'

const posting = problems(...repositoryProblems, 'ref-not-found', 'too-many-checks', ...changeProblems)
const metadata = meta({ tag: 'checks', access: 'checker' })

/** What pipelines say of snapshots. */
export const checks = c.router(
  {
    list: {
      method: 'GET',
      path: '/checks/:repo/:ref',
      pathParams: OfRef,
      responses: { 200: CheckList, ...notModified, ...problems(...repositoryProblems, 'ref-not-found') },
      summary: 'List the checks of a snapshot',
      description: 'Returns what pipelines have said of a snapshot.',
      metadata: meta({ tag: 'checks', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
    },
    postAll: {
      method: 'PUT',
      path: '/checks/:repo/:ref',
      pathParams: OfSnapshot,
      body: CheckReport,
      responses: { 200: CheckList, ...posting },
      summary: 'Post a report of checks',
      description:
        'Posts several checks of a snapshot together: all of them, or none if one is refused. Returns all checks of ' +
        'the snapshot; those that the report does not name stay.',
      metadata,
    },
    post: {
      method: 'PUT',
      path: '/checks/:repo/:ref/:name',
      pathParams: OfCheck,
      body: CheckResult,
      responses: { 200: Check, ...posting },
      summary: 'Post a check',
      description:
        'Posts what a check has found about a snapshot. Replaces what it said before under this name. Needs an API ' +
        'key with the role `checker` or `admin`, also on a public deployment. When the state changes, the event ' +
        '`CheckPosted` is recorded. Changes nothing if the check says the same already.',
      metadata,
    },
  },
  { pathPrefix: metaPrefix },
)
