// Path parameters, and the query parameters and headers that several routes share. Examples are names of the sample
// repositories that `npm start` serves, so that the API documentation can be tried out.
import { z } from 'zod'
import { responseHeaders } from '../http/headers.ts'
import { ExpectationId } from './metadata/expectations/expectation-forms.ts'
import { ReceiverId } from './administration/receivers/receiver-members.ts'
import { CheckName } from './metadata/checks.ts'
import { RemarkId } from './metadata/remarks.ts'
import { DeploymentName, GroupPath, OrgName, RefName, RepoName, SnapshotId } from './names.ts'

/** A deployment of an organisation. */
export const OfDeployment = z.object({ deployment: DeploymentName, org: OrgName })
/** A repository, as readers address it. */
export const OfRepository = OfDeployment.extend({ repo: RepoName })
/** A ref of a repository. */
export const OfRef = OfRepository.extend({ ref: RefName })
/** A snapshot of a repository, by its id: a branch could move while it is checked. */
export const OfSnapshot = OfRepository.extend({
  ref: SnapshotId.describe('Id of the snapshot').meta({ examples: ['3CMADCGEX6RP24Y4H640'] }),
})
/** A check of a snapshot. */
export const OfCheck = OfSnapshot.extend({ name: CheckName })
/** What changed from one ref to another. */
export const OfChange = OfRepository.extend({ from: RefName.meta({ examples: ['v1.0'] }), to: RefName })
/** A group at a ref. */
export const OfGroup = OfRef.extend({
  group: GroupPath.describe(
    'Path of the group, as the list of datasets has it. A slash at its beginning or end is ignored; `/` or nothing ' +
      'is the root group. An empty segment inside it is answered with 404. In a URL, write `/` as it is or as `%2F`.',
  ),
})

/** An organisation. */
export const OfOrg = z.object({ org: OrgName })
/** A repository, as administrators address it. */
export const OfAdministeredRepository = OfOrg.extend({ repo: RepoName })
/** A webhook or a chat of a repository. */
export const OfReceiver = OfAdministeredRepository.extend({ id: ReceiverId })

/** A webhook or a chat of an organisation. */
export const OfOrgReceiver = OfOrg.extend({ id: ReceiverId })

/** An expectation of a repository. */
export const OfExpectation = OfAdministeredRepository.extend({ id: ExpectationId })

/** A remark of a repository. */
export const OfRemark = OfAdministeredRepository.extend({ id: RemarkId })

/** An expectation of an organisation. */
export const OfOrgExpectation = OfOrg.extend({ id: ExpectationId })

/** Repositories and organisations have some routes alike. This says which of both a route is about. */
export type RouteScope = {
  readonly noun: 'repository' | 'organisation'
  /** Path parameters of the routes for all its records. */
  readonly collection: z.ZodType
  /** Path parameters of the routes for one of them. */
  readonly item: z.ZodType
}

/** The header that makes a change fail if somebody else has changed the resource since it was read. */
export const IfMatch = z.object({
  'if-match': z
    .string()
    .max(1_024)
    .optional()
    .describe(
      `The \`${responseHeaders.etag.title}\` of the version to change; the answer is 412 when it is no longer current`,
    )
    .meta({ examples: ['"1"'] }),
})

/** A whole number from 1 to `maximum` in an address, where it comes as text. */
export function wholeNumber(maximum: number, example: number) {
  const rule = `must be a whole number from 1 to ${maximum}`
  return z.preprocess(
    (given) => (typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given) ? Number(given) : given),
    // zod leaves out examples of what it transforms.
    z
      .int(rule)
      .min(1, rule)
      .max(maximum, rule)
      .meta({ examples: [example] }),
  )
}

/** Maximum number of entries of a page. */
export const pageLimit = wholeNumber(200, 20)
  .optional()
  .describe('Maximum number of entries to return, 1 to 200; default 50')

/** Maximum number of entries of a page of a long list. */
export const entriesLimit = wholeNumber(1000, 10).optional()

/** A query parameter that can be given several times, as `?units=K&units=degC`. One value comes as text. */
export function repeatable<Value extends z.ZodType<string>>(
  value: Value,
  description: string,
  example: z.output<Value>,
) {
  const values = z
    .array(value)
    .max(20)
    .meta({ examples: [[example]] })
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), values)
    .optional()
    .describe(description)
}
