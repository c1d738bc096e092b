// The `contracts` section of `floe.yaml`: what readers of branches rely on.
import {
  ContractName,
  datasetContractLimits,
  DatasetContract,
  ExpectedBranch,
  findDatasetContractExcess,
  Glob,
  OrgName,
} from '@floe/contract'
import { maxContracts } from '@floe/storage/database'
import { z } from 'zod'

/** The document, as JSON. */
const Document = z
  .unknown()
  .superRefine((contract, context) => {
    const excess = findDatasetContractExcess(contract)
    if (excess !== undefined) context.addIssue({ code: 'custom', message: excess })
  })
  .pipe(DatasetContract)
  .transform((contract) => JSON.stringify(contract))
  .refine((text) => Buffer.byteLength(text) <= datasetContractLimits.bytes, 'has more than 1 MiB')

const Contract = z
  .strictObject({
    org: OrgName,
    /** A pattern of the names of repositories. */
    repo: Glob,
    name: ContractName,
    branch: ExpectedBranch.default('main'),
    contract: Document,
  })
  .transform(({ repo: repos, contract: document, ...others }) => ({ ...others, repos, document }))

/** The `contracts` section. */
export const Contracts = z
  .array(Contract)
  .max(1_000)
  .superRefine((contracts, context) => {
    for (const [place, same] of Map.groupBy(contracts, ({ org, repos }) => `${org}/${repos}`)) {
      if (same.length > maxContracts)
        context.addIssue({ code: 'custom', message: `has more than ${maxContracts} contracts for ${place}` })
      if (new Set(same.map(({ name }) => name)).size < same.length)
        context.addIssue({ code: 'custom', message: `has two contracts of one name for ${place}` })
    }
  })
  .default([])
