// What an address of the metadata half names.
import { z } from 'zod'
import { DeploymentName, GroupPath, OrgName, RefName, RepoName } from '../schemas/names.ts'

export const OfDeployment = z.object({ deployment: DeploymentName, org: OrgName })
export const OfRepository = OfDeployment.extend({ repo: RepoName })
export const OfRef = OfRepository.extend({ ref: RefName })
export const OfGroup = OfRef.extend({ group: GroupPath })
