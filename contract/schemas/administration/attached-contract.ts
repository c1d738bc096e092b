// Contracts that administrators attach to a branch: every head of the branch must keep what readers rely on.
import { z } from 'zod'
import { contractStateExample, contractStateFields } from '../contract-state.ts'
import { DatasetContract } from '../metadata/dataset-contract.ts'
import { noControls } from '../names.ts'
import { Instant, listOf } from '../values.ts'
import { ExpectedBranch } from './expectation.ts'

export const ContractId = z
  .uuid('must be a UUID')
  .describe('Id of the contract')
  .meta({ examples: ['8a54c1b2-4f0e-4c7d-9a51-0f2d3c6b7e10'] })

export const ContractName = z
  .string()
  .regex(noControls, 'must not contain control characters')
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .describe('Name for people, such as that of the readers')
  .meta({ examples: ['tile server'] })

const members = {
  name: ContractName,
  branch: ExpectedBranch.describe('The branch that must keep it. Floe watches it from now on. It need not exist yet'),
  contract: DatasetContract.describe('What readers rely on'),
}

const id = '8a54c1b2-4f0e-4c7d-9a51-0f2d3c6b7e10'

const document = {
  version: 1 as const,
  datasets: { forecast: { variables: { temperature: { type: 'float32', dimensions: ['time'], units: 'degC' } } } },
}

const example = {
  id,
  ...contractStateExample,
  declared: false,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
}

const attached = {
  id: ContractId,
  ...contractStateFields,
  declared: z
    .boolean()
    .describe("Whether it is declared in the service's configuration file, and can only be changed there"),
  created_at: Instant.describe('When it was attached'),
  updated_at: Instant.describe('When it was last changed'),
}

/** Without the document, which can have a megabyte. */
export const AttachedContract = z
  .object(attached)
  .meta({ id: 'AttachedContract', description: 'A contract of a branch, and whether it is kept', examples: [example] })
export type AttachedContract = z.infer<typeof AttachedContract>

export const AttachedContractDocument = z
  .object({ ...attached, contract: members.contract })
  .meta({
    id: 'AttachedContractDocument',
    description: 'A contract of a branch, whether it is kept, and what readers rely on',
    examples: [{ ...example, contract: document }],
  })
export type AttachedContractDocument = z.infer<typeof AttachedContractDocument>

export const AttachedContractList = listOf(AttachedContract, {
  id: 'AttachedContractList',
  description: 'The contracts of a repository',
})

export const AttachedContractCreation = z
  .strictObject(members)
  .meta({
    id: 'AttachedContractCreation',
    description: 'A contract to attach',
    examples: [{ name: 'tile server', branch: 'main', contract: document }],
  })
export type AttachedContractCreation = z.infer<typeof AttachedContractCreation>

export const AttachedContractChange = z
  .strictObject({
    name: members.name.optional(),
    branch: members.branch.optional(),
    contract: members.contract.optional(),
  })
  .meta({
    id: 'AttachedContractChange',
    description: 'The fields to change. `contract` replaces the whole document',
    examples: [{ contract: document }],
  })
export type AttachedContractChange = z.infer<typeof AttachedContractChange>
