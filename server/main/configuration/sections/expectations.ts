// The `expectations` section of `floe.yaml`. The kinds of the contract decide which keys the entries have.
import {
  DatasetContract,
  datasetContractLimits,
  ExpectationAlias,
  ExpectationSeverity,
  ExpectedBranch,
  expectationKinds,
  findDatasetContractExcess,
  findSettingFaults,
  Glob,
  Grace,
  OrgName,
  parseMaxAge,
  Reminder,
} from '@floe/contract'
import { defaultSeverity, type ExpectationKindName, expectationKindNames, severities } from '@floe/contract/lists'
import { type DeclaredExpectation, maxExpectations } from '@floe/storage/database'
import { z } from 'zod'

/** The document of a contract, as JSON. `loadConfig` has read it if the entry names a file. */
const Document = z
  .unknown()
  .superRefine((contract, context) => {
    const excess = findDatasetContractExcess(contract)
    if (excess !== undefined) context.addIssue({ code: 'custom', message: excess })
  })
  .pipe(DatasetContract)
  .transform((contract) => JSON.stringify(contract))
  .refine((text) => Buffer.byteLength(text) <= datasetContractLimits.bytes, 'has more than 1 MiB')

const documentKeys = { contract: Document, file: z.never('is not allowed together with "contract"').optional() }

const commonKeys = {
  org: OrgName,
  /** Patterns of the names of repositories. */
  repo: z.union([Glob.transform((glob) => [glob]), z.array(Glob).min(1).max(20)]),
  branch: ExpectedBranch.default('main'),
  alias: ExpectationAlias.nullable().default(null),
  severity: ExpectationSeverity.default(defaultSeverity),
  within: Grace.nullable().default(null),
  remind: Reminder.nullable().default(null),
}

/** What the entries of all kinds have in common, after their own schemas have checked them. */
const Common = z.object({
  org: z.string(),
  repo: z.array(z.string()),
  branch: z.string(),
  alias: z.string().nullable(),
  severity: z.enum(severities),
  within: z.string().nullable(),
  remind: z.string().nullable(),
  contract: z.string().nullable().default(null),
})

/** `max_age` of the contract is `maxAge` in the file. */
function nameKey(setting: string): string {
  return setting.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase())
}

function makeEntry(kind: ExpectationKindName) {
  const { required, optional, ...others } = expectationKinds[kind]
  const [requiredSettings, optionalSettings] = [
    Object.entries<z.ZodType>(required),
    Object.entries<z.ZodType>(optional),
  ]
  const keys = Object.fromEntries([
    ...requiredSettings.map(([name, schema]) => [nameKey(name), schema] as const),
    ...optionalSettings.map(([name, schema]) => [nameKey(name), schema.default(null)] as const),
  ])
  const names = [...requiredSettings, ...optionalSettings].map(([name]) => name)
  return z
    .strictObject({ kind: z.literal(kind), ...commonKeys, ...keys, ...('hasDocument' in others ? documentKeys : {}) })
    .transform((entry, context): DeclaredExpectation => {
      const { repo: repos, contract: document, ...common } = Common.parse(entry)
      const { within, remind } = common
      const values: Readonly<Record<string, unknown>> = entry
      const settings = Object.fromEntries(names.map((name) => [name, values[nameKey(name)]]))
      for (const { name, message } of findSettingFaults(expectationKinds[kind], settings, nameKey))
        context.addIssue({ code: 'custom', path: [nameKey(name)], message })
      const withinMs = within === null ? null : parseMaxAge(within)
      const remindMs = remind === null ? null : parseMaxAge(remind)
      return { ...common, repos, kind, withinMs, remindMs, settings, document }
    })
}

/** Refuses what only all entries together show. Runs when each of them is right. */
const Declared = z.custom<DeclaredExpectation[]>().superRefine((expectations, context) => {
  const add = (message: string) => context.addIssue({ code: 'custom', message })
  for (const [place, same] of Map.groupBy(expectations, ({ org, repos }) => `${org}/${repos.join()}`))
    if (same.length > maxExpectations) add(`has more than ${maxExpectations} expectations for ${place}`)
  const seen = new Set<string>()
  for (const { org, kind, alias } of expectations) {
    const name = JSON.stringify([org, kind, alias])
    if (alias !== null && seen.has(name))
      add(`has two expectations of ${org} of the kind ${kind} with the alias ${alias}`)
    seen.add(name)
  }
})

/** The `expectations` section. */
export const Expectations = z
  // An array cannot express that there is a kind.
  .array(z.discriminatedUnion('kind', expectationKindNames.map(makeEntry) as [ReturnType<typeof makeEntry>]))
  .max(1_000)
  .pipe(Declared)
  .default([])
