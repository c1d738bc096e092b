// Filters by paths, and payloads with what changed, from the repository to the receiver.
import { SentChangedPaths } from '@floe/contract'
import { t } from 'tap'
import { startWithWebhooks } from './start-with-webhooks.ts'

// Proves: with `paths`, `NewCommit` is sent only if a node with such a path changed
t.test('a webhook gets the commits that changed its paths, and what changed if it asks', async (t) => {
  const { move } = await startWithWebhooks(t, 'repos/sea/receivers', {
    all: {},
    changes: { include_changes: true },
    depth: { paths: ['*/depth'] },
    time: { paths: ['time', 'nowhere/**'], include_changes: true },
  })
  const second = await move('main', 's2', 4)
  t.strictSame(second.aliases, ['all', 'changes', 'depth', 'time'])
  t.notOk('changes' in second.of('all') || 'changes' in second.of('depth'), 'who does not ask gets the bytes of before')
  const { changes } = second.of('changes')
  t.strictSame(changes, {
    created: ['', 'größe', 'sea', 'sea/depth', 'time'],
    deleted: [],
    updated: [],
    moved: [],
    counts: { created: 5, deleted: 0, updated: 0, moved: 0 },
  })
  t.strictSame(second.of('time')['changes'], changes, 'the list is the same, whatever the paths')
  const fourth = await move('main', 's4', 3)
  t.strictSame(fourth.aliases, ['all', 'changes', 'time'], 'nothing below sea has changed')
  t.match(SentChangedPaths.parse(fourth.of('time')['changes']), { created: [], deleted: ['größe'], updated: ['time'] })
})

// Proves: with `paths`, `NewCommit` is sent if it is unknown what changed
t.test('a move whose changes are unknown is sent to all, and says so', async (t) => {
  const { move } = await startWithWebhooks(t, 'repos/sea/receivers', {
    changes: { include_changes: true },
    time: { paths: ['nowhere'] },
  })
  await move('main', 's4', 1)
  const back = await move('main', 's1', 2)
  t.strictSame(back.aliases, ['changes', 'time'], 's1 does not follow s4')
  t.equal(back.of('changes')['changes'], null)
})

t.test('wrong patterns are refused, and the problem names the member', async (t) => {
  const { server } = await startWithWebhooks(t, 'repos/sea/receivers', {})
  const webhook = { kind: 'webhook', url: 'https://127.0.0.1:1/hook', alias: 'hook', events: ['NewCommit'] }
  const refused = {
    '/body/branches': { branches: [] },
    '/body/branches/1': { branches: ['main', ''] },
    '/body/paths/0': { paths: ['*/'.repeat(9)] },
    '/body/paths': { paths: Array<string>(21).fill('a') },
    '/body/events': { events: ['NewCommit', 'NewCommit'] },
    '/body/events/0': { events: ['Commit'] },
  }
  for (const [pointer, filter] of Object.entries(refused)) {
    const response = await server.administer('POST', 'repos/sea/receivers', { ...webhook, ...filter })
    t.equal(response.status, 400, pointer)
    t.match((await response.json()).errors, [{ pointer }])
  }
})
