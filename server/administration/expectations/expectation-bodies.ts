// What the bodies of requests say of expectations. The kinds of the contract decide which members they have.
import { expectationForms, expectationKinds, parseMaxAge } from '@floe/contract'
import { defaultSeverity, expectationKindNames, severities } from '@floe/contract/lists'
import type { NewExpectation } from '@floe/storage/database'
import { z } from 'zod'
import { readDocument } from '../../contract-document.ts'
import { CheckedContract } from '../../http/take-contracts.ts'

/** What the bodies of all kinds have. The other members are settings of the kind. */
const common = z.looseObject({
  kind: z.enum(expectationKindNames),
  branch: z.string().optional(),
  alias: z.string().nullable().optional(),
  severity: z.enum(severities).optional(),
  within: z.string().nullable().optional(),
  remind: z.string().nullable().optional(),
  repos: z.array(z.string()).optional(),
  contract: CheckedContract.optional(),
})

/** The forms of all kinds for a body whose contract, if it has one, `takeContracts` has checked. */
function listForms(form: 'creation' | 'change') {
  const forms = expectationKindNames.map((kind) => {
    const schema: z.ZodObject = expectationForms[kind][form]
    if (schema.shape['contract'] === undefined) return schema
    return schema.extend({ contract: form === 'creation' ? CheckedContract : CheckedContract.optional() })
  })
  // An array cannot express that there is a form.
  return z.discriminatedUnion('kind', forms as [z.ZodObject])
}

export const CreationBody = listForms('creation').pipe(common.extend({ branch: z.string() }))
export const ChangeBody = listForms('change').pipe(common)

/** Reads what an expectation of a body is. */
export function readCreation(body: z.output<typeof CreationBody>): Omit<NewExpectation, 'repos'> {
  const { kind, branch } = body
  const { settings, ...others } = readChange(body)
  const absent = Object.fromEntries(Object.keys(expectationKinds[kind].optional).map((name) => [name, null]))
  return {
    alias: null,
    severity: defaultSeverity,
    within: null,
    withinMs: null,
    remind: null,
    remindMs: null,
    document: null,
    ...others,
    kind,
    branch,
    settings: { ...absent, ...settings },
  }
}

/** Reads the members of a body that are sent. Of the settings, too, it has only these. */
export function readChange({
  kind: _,
  branch,
  alias,
  severity,
  within,
  remind,
  repos,
  contract,
  ...settings
}: z.output<typeof ChangeBody>): Partial<Omit<NewExpectation, 'kind'>> {
  return {
    ...(branch !== undefined && { branch }),
    ...(alias !== undefined && { alias }),
    ...(severity !== undefined && { severity }),
    ...(within !== undefined && { within, withinMs: within === null ? null : parseMaxAge(within) }),
    ...(remind !== undefined && { remind, remindMs: remind === null ? null : parseMaxAge(remind) }),
    ...(repos !== undefined && { repos }),
    ...(contract !== undefined && { document: readDocument(contract) }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}
