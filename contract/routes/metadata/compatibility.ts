import { c, meta, metaPrefix, problems, snapshotProblems } from '../../dsl.ts'
import { compatibility as comparison } from '../../questions/compatibility.ts'
import { ContractVerdict } from '../../schemas/metadata/compatibility.ts'
import { DatasetContract } from '../../schemas/metadata/dataset-contract.ts'
import { OfRef } from '../../schemas/addresses.ts'

/** Whether readers of one snapshot can read another. */
export const compatibility = c.router({
  ...comparison.routes,
  check: {
    method: 'POST',
    path: `${metaPrefix}/compatibility/:repo/:ref`,
    pathParams: OfRef,
    body: DatasetContract,
    responses: { 200: ContractVerdict, ...problems(...snapshotProblems, 'body-too-large', 'unsupported-media-type') },
    summary: 'Tell whether a snapshot keeps a contract',
    description:
      'Compares the datasets that a contract names with those of a snapshot, by the rules of a comparison of two ' +
      'snapshots. `identical` and `compatible` keep the contract. What the contract leaves out is not compared. ' +
      'Changes nothing. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, ' +
      'is answered with 413.',
    metadata: meta({ tag: 'diff', access: 'reader', headers: ['snapshot', 'behind'] }),
  },
})
