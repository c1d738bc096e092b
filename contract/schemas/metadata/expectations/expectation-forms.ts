// The forms of expectations of each kind in requests and answers. They follow from the kinds.
import { z } from 'zod'
import {
  defaultSeverity,
  type ExpectationKindName,
  expectationKindNames,
  expectationStates,
  severities,
} from '../../../lists.ts'
import { MaxAge } from '../../max-age.ts'
import { DatasetContract } from '../dataset-contract.ts'
import { Glob, globRule, nameForPeople, RepoName, SnapshotId } from '../../names.ts'
import { Count, Instant } from '../../values.ts'
import type { ExpectationKind } from './expectation-kind.ts'
import { type ExpectationKinds, expectationKinds } from './kinds.ts'

export const ExpectationId = z
  .uuid('must be a UUID')
  .describe('Id of the expectation')
  .meta({ examples: ['3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17'] })

/** The name of an expectation, for people. */
export const ExpectationAlias = nameForPeople(100)
  .describe('Name for people, such as that of the readers who rely on it')
  .meta({ examples: ['tile server'] })

export const ExpectedBranch = Glob.describe(
  `The branches that must meet it: a name, or a pattern, in which ${globRule}. Floe watches them from now on. A ` +
    'branch with this name need not exist yet',
).meta({ examples: ['main'] })

/** How long a branch may fail to meet an expectation before it is unmet. */
export const Grace = MaxAge.describe(
  'A grace, such as `30m`: a branch is unmet only after it has failed for that long. Null, the default, is no grace',
).meta({ examples: ['30m'] })

export const ExpectationSeverity = z
  .enum(severities)
  .describe(
    `How much it matters that a branch does not meet it. Default for a new one: \`${defaultSeverity}\`. Lines for ` +
      'chats about a critical one begin with `CRITICAL`',
  )
  .meta({ examples: ['critical'] })

/** After how long a branch that still fails an expectation is told again. */
export const Reminder = MaxAge.describe(
  'A period, such as `4h`: while a branch is unmet, `ExpectationUnmet` is sent again each time the last one is that ' +
    'old. Null, the default, is never',
).meta({ examples: ['4h'] })

const reposMeaning = `Patterns of the repositories that must meet it, also of those that are added later: ${globRule}`

/** Patterns of repositories, for an expectation of an organisation. */
export const ExpectedRepos = z
  .array(Glob)
  .min(1, 'must not be empty')
  .max(20, 'must have at most 20 patterns')
  .describe(reposMeaning)
  .meta({ examples: [['weather-*']] })

const common = {
  branch: ExpectedBranch,
  alias: ExpectationAlias.nullable(),
  severity: ExpectationSeverity,
  within: Grace.nullable(),
  remind: Reminder.nullable(),
}

/** What is known about a branch, besides the facts of the kind. */
const stateFields = {
  state: z
    .enum(expectationStates)
    .describe(
      'Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches',
    ),
  since: Instant.nullable().describe('Since when it is unmet; null while it is not'),
  snapshot_id: SnapshotId.nullable().describe(
    'The last head that was judged; null before the first, and after a change of the expectation until the next',
  ),
  due_at: Instant.nullable().describe(
    'When the branch becomes unmet unless something changes before; null if that does not depend on time alone',
  ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what ' +
        'else the facts do not say. Null otherwise',
    ),
}

/** Only for administrators: it changes with time, and readers' answers stay the same while nothing changes. */
const summary = z.string().describe('What is known about the branch, in words')

const unmetExample = {
  state: 'unmet',
  since: '2026-11-21T18:00:00.000Z',
  snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
  due_at: null,
  reason: null,
}

const ids = {
  id: ExpectationId,
  declared: z
    .boolean()
    .describe("Whether it is declared in the service's configuration file, and can only be changed there"),
  repos: ExpectedRepos.nullable().describe(
    'Patterns of the repositories that must meet it, for one of an organisation; null for one of a repository',
  ),
  created_at: Instant.describe('When it was created'),
  updated_at: Instant.describe('When it was last changed'),
  unmet: Count.describe('Number of the branches that do not meet it'),
  told: z
    .boolean()
    .describe('Whether an enabled webhook or chat selects its events. If not, nobody is told, except by streams'),
}

const exampleIds = {
  id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
  declared: false,
  repos: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  unmet: 1,
  told: true,
}

/** Maximum number of branches whose state an answer about one expectation lists. */
export const maxListedStates = 100

/** In requests, a kind with a document has it as `contract`. */
type DocumentOf<Kind extends ExpectationKind> = Kind extends { readonly hasDocument: true }
  ? { readonly contract: typeof DatasetContract }
  : object

const contractExample = {
  version: 1,
  datasets: { forecast: { variables: { temperature: { type: 'float32', dimensions: ['time'], units: 'degC' } } } },
}

/** The names of a kind in ids of schemas, such as `FreshnessExpectation`, and the members that all its forms have. */
function makeMembers<Name extends ExpectationKindName, Kind extends ExpectationKind>(name: Name, kind: Kind) {
  // A property of a type parameter gets its type explicitly. Otherwise, its type would be that of the constraint.
  const required: Kind['required'] = kind.required
  const optional: Kind['optional'] = kind.optional
  return {
    title: `${name[0]?.toUpperCase()}${name.slice(1)}`,
    tag: { kind: z.literal(name).describe(`What is expected. ${kind.meaning}`) },
    required,
    optional,
  }
}

function makeRequestForms<Name extends ExpectationKindName, Kind extends ExpectationKind>(name: Name, kind: Kind) {
  const { title, tag, required, optional } = makeMembers(name, kind)
  const { branch, ...optionalCommon } = common
  const inRequests = z.object({ ...optionalCommon, ...optional }).partial().shape
  const repos = ExpectedRepos.optional().describe(`${reposMeaning}. Only for an expectation of an organisation`)
  // The compiler does not follow the condition.
  const document = (kind.hasDocument ? { contract: DatasetContract } : {}) as DocumentOf<Kind>
  const example = {
    kind: name,
    branch: 'main',
    ...kind.example.settings,
    ...(kind.hasDocument && { contract: contractExample }),
  }
  return {
    creation: z
      .strictObject({ ...tag, ...inRequests, ...required, ...document, branch, repos })
      .meta({ id: `${title}Creation`, description: kind.meaning, examples: [example] }),
    change: z
      .strictObject({ ...tag, ...inRequests, ...z.object({ branch, ...required, ...document }).partial().shape, repos })
      .meta({ id: `${title}Change`, description: kind.meaning, examples: [example] }),
  }
}

function makeAnswerForms<Name extends ExpectationKindName, Kind extends ExpectationKind>(name: Name, kind: Kind) {
  const { title, tag, required, optional } = makeMembers(name, kind)
  const shape: Kind['facts'] = kind.facts
  const facts = z
    .object(shape)
    .meta({ id: `${title}Facts`, description: 'What the last judgement found', examples: [kind.example.unmet] })
  const expected = { ...tag, ...common, ...required, ...optional }
  const known = { ...stateFields, facts: facts.nullable().describe('Null before the first judgement') }
  const branch = z.string().describe('Name of the branch')
  const example = {
    kind: name,
    branch: 'main',
    alias: 'tile server',
    severity: 'warning',
    within: null,
    remind: null,
    ...kind.example.settings,
  }
  const knownExample = { ...unmetExample, facts: kind.example.unmet }
  const branchExample = { repo: 'weather', branch: 'main', ...knownExample, summary: kind.example.summary }
  const BranchState = z
    .object({ repo: RepoName, branch, ...known, summary })
    .meta({
      id: `${title}BranchState`,
      description: 'Whether a branch meets an expectation',
      examples: [branchExample],
    })
  const states = z
    .array(BranchState)
    .describe(`The branches that match, unmet ones first: the first ${maxListedStates}`)
  return {
    expected,
    facts,
    /** What answers of the administration show. */
    shown: z
      .object({ ...ids, ...expected, states })
      .meta({
        id: `${title}Expectation`,
        description: kind.meaning,
        examples: [{ ...exampleIds, ...example, states: [branchExample] }],
      }),
    /** What readers of a repository see of one branch. */
    state: z
      .object({ ...expected, branch, ...known })
      .meta({
        id: `${title}State`,
        description: `${kind.meaning}; and whether a branch meets it`,
        examples: [{ ...example, ...knownExample }],
      }),
  }
}

function makeForms<Name extends ExpectationKindName, Kind extends ExpectationKind>(name: Name, kind: Kind) {
  return { ...makeRequestForms(name, kind), ...makeAnswerForms(name, kind) }
}

type Forms = { [Name in ExpectationKindName]: ReturnType<typeof makeForms<Name, ExpectationKinds[Name]>> }

/** The schemas of all kinds. */
export const expectationForms = Object.fromEntries(
  expectationKindNames.map((name) => [name, makeForms(name, expectationKinds[name])]),
) as Forms // Object.fromEntries cannot express that each name has the forms of its kind.

/** Lists one form of all kinds, for a union of them. */
export function listForms<Form extends keyof Forms[ExpectationKindName]>(form: Form) {
  // Object.values only promises that the values are forms, and not that there is one.
  return expectationKindNames.map((name) => expectationForms[name][form]) as [Forms[ExpectationKindName][Form]]
}
