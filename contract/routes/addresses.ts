// Path parameters, and the query parameters and headers that several routes share.
import { z } from 'zod'
import { ReceiverId } from '../schemas/receiver.ts'
import { DeploymentName, GroupPath, OrgName, RefName, RepoName } from '../schemas/names.ts'

export const OfDeployment = z.object({ deployment: DeploymentName, org: OrgName })
export const OfRepository = OfDeployment.extend({ repo: RepoName })
export const OfRef = OfRepository.extend({ ref: RefName })
export const OfGroup = OfRef.extend({ group: GroupPath })

export const OfOrg = z.object({ org: OrgName })
export const OfAdministeredRepository = OfOrg.extend({ repo: RepoName })
export const OfReceiver = OfAdministeredRepository.extend({ id: ReceiverId })

/** Makes a change conditional on the version that the caller has seen. */
export const IfMatch = z.object({
  'if-match': z
    .string()
    .max(1_024)
    .optional()
    .describe('The `ETag` of the version to change; the answer is 412 when it is no longer current'),
})

/** How many records one page of a list holds. Query parameters come as text. */
export const pageLimit = z
  .string()
  .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'must be a whole number from 1 to 200')
  .optional()
  .describe('Most records of one page, 1 to 200; default 50')
