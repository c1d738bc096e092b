import { type Database, listListeners, type Listener, listStatesWithReason } from '@floe/storage/database'
import {
  listNamedExpectations,
  type NamedExpectation,
  nameExpectation,
  nameUntold,
  nobodyIsTold,
} from '../../../expectations/find-untold.ts'
import type { Config } from '../../configuration/schema.ts'
import { type Finding, note, reportOn } from './finding.ts'

/** What a database has besides the declarations of the configuration. `listeners` is null if there are too many. */
export type RecordedTold = {
  readonly expected: readonly NamedExpectation[]
  readonly listeners: readonly Listener[] | null
}

export const nothingRecorded: RecordedTold = { expected: [], listeners: [] }

/** Maximum number of branches that are shown. */
const maxShown = 100

/** Tells of expectations that could not be judged, for example because their path matches nothing. */
export async function checkExpectations(db: Database): Promise<Finding[]> {
  const states = await listStatesWithReason(db, maxShown)
  return states.map(({ expectation, repo, branch, state }) => {
    const name = nameExpectation({ ...expectation, repos: [repo], branch })
    return reportOn('expectation', name)(state.verdict !== null, state.reason ?? '')
  })
}

export async function readRecordedTold(db: Database): Promise<RecordedTold> {
  const listeners = await listListeners(db)
  return {
    expected: await listNamedExpectations(db, false),
    listeners: listeners && listeners.filter(({ isDeclared }) => !isDeclared),
  }
}

/** Reports expectations whose events no receiver gets, also those that the next start adds. */
export function noteUntold(config: Config, recorded: RecordedTold): Finding[] {
  const expected = [...config.expectations, ...recorded.expected]
  return nameUntold(expected, addDeclared(config, recorded))
    .slice(0, maxShown)
    .map((name) => note('expectation', name, nobodyIsTold))
}

/** Tells that messages in chats have no links, if there are chats. */
export function noteUnlinked(config: Config, recorded: RecordedTold): Finding[] {
  const hasChats = config.notifications.chats.length > 0 || recorded.listeners?.some(({ kind }) => kind === 'chat')
  if (config.baseUrl !== null || !hasChats) return []
  return [note('configuration', 'baseUrl', 'is not set, so messages in chats have no link to this service')]
}

function addDeclared({ notifications }: Config, { listeners }: RecordedTold): readonly Listener[] | null {
  const { webhooks, chats } = notifications
  const declare = (kind: Listener['kind'], receivers: typeof webhooks | typeof chats): Listener[] =>
    receivers.map(({ org, repo, filter }) => ({ org, repo, kind, filter, isDeclared: true }))
  return listeners && [...listeners, ...declare('webhook', webhooks), ...declare('chat', chats)]
}
