// What an address names.
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

/** The condition of a change: what the caller has seen is still so. */
export const IfMatch = z.object({
  'if-match': z
    .string()
    .max(1_024)
    .optional()
    .describe('The `ETag` that was seen; 412 when it is not current any more'),
})

/** How many records one page of a list holds. Query parameters come as text. */
export const pageLimit = z
  .string()
  .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'must be a whole number from 1 to 200')
  .optional()
  .describe('The most records of one page, 1 to 200; 50 by default')
