import { z } from 'zod'
import { c, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { Compatibility, ContractVerdict, writeRules } from '../../schemas/metadata/compatibility.ts'
import { DatasetContract } from '../../schemas/metadata/dataset-contract.ts'
import { GroupPath, RefName } from '../../schemas/names.ts'
import { OfRef, OfRepository } from '../addresses.ts'

/** Whether readers of one snapshot can read another. */
export const compatibility = c.router(
  {
    get: {
      method: 'GET',
      path: '/:repo/:from/:to',
      pathParams: OfRepository.extend({ from: RefName.meta({ examples: ['v1.0'] }), to: RefName }),
      query: z.object({
        group: GroupPath.optional()
          .describe('Only this group and the groups below it; a slash at its beginning or end is ignored')
          .meta({ examples: ['wind'] }),
      }),
      responses: { 200: Compatibility, ...notModified, ...problems(...snapshotProblems, 'range-too-long') },
      summary: 'Tell whether a change breaks readers',
      description:
        'Compares what readers see of the datasets of two snapshots: dimensions, variables and attributes as ' +
        'xarray decodes them, and how values are decoded. `compatible` means that those who could read `from` can ' +
        'read `to`. The values of coordinates are not metadata, so they are not compared. A moved dataset or ' +
        'variable is listed as removed and as added, with `moved_from`. If `from` is not an ancestor of `to`, it ' +
        'is unknown which chunks were written. If lists were cut, `truncated` is true and `counts` has the full ' +
        'numbers. Too many commits in ' +
        `between are answered with 413.\n\n${writeRules()}`,
      metadata: meta({ tag: 'diff', access: 'reader', headers: ['etag', 'snapshot'] }),
    },
    check: {
      method: 'POST',
      path: '/:repo/:ref',
      pathParams: OfRef,
      body: DatasetContract,
      responses: { 200: ContractVerdict, ...problems(...snapshotProblems, 'body-too-large', 'unsupported-media-type') },
      summary: 'Tell whether a snapshot keeps a contract',
      description:
        'Compares the datasets that a contract names with those of a snapshot, by the rules of a comparison of two ' +
        'snapshots. `identical` and `compatible` keep the contract. What the contract leaves out is not compared. ' +
        'Changes nothing. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, ' +
        'is answered with 413.',
      metadata: meta({ tag: 'diff', access: 'reader', headers: ['snapshot'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/compatibility` },
)
