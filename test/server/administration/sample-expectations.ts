// Expectations of each kind of the branch `main` of `satellite`, which official Icechunk wrote.
import { Expectation, ExpectationList, RepositorySummary, SentNotification } from '@floe/contract'
import { expectationEventNames, type ExpectationKindName, expectationKindNames } from '@floe/contract/lists'
import type { Test } from 'tap'
import { readHistory } from '../notifications/fixture-histories.ts'
import { basic, type ServerOptions } from '../start-server.ts'
import { startAdministration } from './start-administration.ts'

const satellite = await readHistory('satellite')
const writtenAt = Date.parse(satellite.snapshots[satellite.head]?.writtenAt ?? '')

type SampleKind = {
  /** Settings that `main` does not meet, and the change that makes it meet them. */
  readonly unmet: object
  readonly change: object
  /** What answers find while it is unmet, what pages say of it, and what the line for chats says. */
  readonly facts: object
  readonly words: RegExp
  readonly line: RegExp
}

const reflectance = (units: string) => {
  return { contract: { version: 1, datasets: { '': { variables: { reflectance: { units } } } } } }
}

/** The compiler demands one of each kind. */
export const sampleKinds: Readonly<Record<ExpectationKindName, SampleKind>> = {
  freshness: {
    unmet: { max_age: '1m' },
    change: { max_age: '3652d' },
    facts: { last_commit_at: new Date(Math.floor(writtenAt)).toISOString() },
    words: /updated 1 d ago, expected every 1 min: late/,
    line: /^LATE tile server: acme\/satellite main: last commit .* ago \(.*\), expected every 1 min$/,
  },
  written: {
    unmet: { share: 1, path: 'reflectance' },
    change: { share: 0.5 },
    facts: { arrays: [{ path: 'reflectance', chunks: { written: 1, total: 2 } }], incomplete_arrays: 1 },
    words: /reflectance 100% of the chunks expected: fewer written, reflectance 1 of 2/,
    line: /^INCOMPLETE tile server: acme\/satellite main \(reflectance\): reflectance has 1 of 2 chunks written/,
  },
  contract: {
    unmet: reflectance('furlong'),
    change: { contract: { version: 1, datasets: {} } },
    facts: { breaking_changes: 1, breaks: [/reflectance/], changes: [{ kind: 'units-changed', before: 'furlong' }] },
    words: /breaks its contract tile server: .*reflectance/,
    line: /^BREAKS tile server: acme\/satellite main: .*reflectance/,
  },
  protected: {
    unmet: {},
    change: { tags: 'v*' },
    facts: { violations: [/^was reset/] },
    words: /was reset/,
    line: /^acme\/satellite branch main was reset/,
  },
  good: {
    unmet: { expectations: ['nobody'] },
    change: { expectations: [] },
    facts: { last_good_snapshot_id: null, behind: null, lacks: ['nobody is not met: no expectation has this alias'] },
    words: /not good: nobody is not met: no expectation has this alias; no head is good/,
    line: /^NOT GOOD tile server: acme\/satellite main: nobody is not met: no expectation has this alias; no head is good/,
  },
}

/** The kinds that `main` can fail from the beginning. A branch is protected from the head that it had then. */
export const immediateKinds = expectationKindNames.filter((kind) => kind !== 'protected')

/** The body that adds an expectation of a kind. */
export function sampleBody(kind: ExpectationKindName, members: object = {}) {
  return { kind, branch: 'main', alias: 'tile server', ...sampleKinds[kind].unmet, ...members }
}

export const expectationsPath = 'repos/satellite/expectations'

/** A server a day after the last commit of `satellite`. Each look at the clock takes a millisecond. */
export async function startWithExpectations(t: Test, options: ServerOptions = {}) {
  let now = writtenAt + 86_400_000
  const server = await startAdministration(t, { now: () => now++, hasOperator: true, ...options })
  const readText = async (address: string) => {
    const page = await (await server.get(address, { accept: 'text/html' })).text()
    return page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  }
  return {
    server,
    create: async (body: object, list = expectationsPath) => {
      const response = await server.administer('POST', list, body)
      if (response.status !== 201) throw new Error(await response.text())
      return Expectation.parse(await response.json())
    },
    list: async (list = expectationsPath) =>
      ExpectationList.parse(await (await server.administer('GET', list)).json()).items,
    /** What readers of a repository see. */
    readSummary: async (repo = 'satellite') =>
      RepositorySummary.parse(await (await server.get(`repositories/${repo}`)).json()).expectations,
    /** The texts of the list of repositories and of the page of one. */
    readPages: async (repo = 'satellite') => [
      await readText(`${server.meta}/`),
      await readText(`${server.meta}/discovery/${repo}`),
    ],
    readGauges: async () => {
      const authorization = basic('acme', server.adminKey)
      const text = await (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
      return text.split('\n').filter((line) => line.startsWith('floe_expectation_'))
    },
    listEvents: async () => {
      const rows = await server.db
        .selectFrom('events')
        .select(['payload', 'line', 'sequence'])
        .where('name', 'in', expectationEventNames)
        .orderBy('number')
        .execute()
      return rows.map(({ payload, ...row }) => ({ ...row, ...SentNotification.parse(JSON.parse(payload)) }))
    },
    passTime: (ms: number) => {
      now += ms
    },
  }
}
