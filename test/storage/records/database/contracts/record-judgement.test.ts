import {
  addContract,
  addReceiver,
  type ContractJudgement,
  type ContractStateChange,
  type Database,
  listContracts,
  listJudgedContracts,
  readEvents,
  readHead,
  recordHeadMove,
  recordJudgement,
  updateContract,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { newWebhook, optionsAt } from '../receivers/edit-receivers.ts'
import { at, commit, repositoryWith, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

const maps = { name: 'maps', branch: 'main', document: '{}' }
const kept: ContractJudgement = { verdict: 'kept' }
const broken: ContractJudgement = { verdict: 'broken', breaks: ['a is gone'], breakingChanges: 3 }
const unknown: ContractJudgement = { verdict: 'unknown', reason: 'it is too large', mayPass: false }

const describe = ({ name, contract, findings, brokenSince }: ContractStateChange) => {
  const details = { headId: findings.headId, brokenSince }
  return { payload: JSON.stringify({ event: name, details }), line: `${name} ${contract.name}` }
}

/** A repository with a contract, whose events all go to one webhook. */
async function attach(db: Database) {
  const events = ['NewCommit', 'ContractBroken', 'ContractKept'] as const
  const { repoId } = await repositoryWith(db, [webhook('hook', { events, branches: ['**'] })])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const move = async (snapshotId: string, ms: number) => {
    const previous = await readHead(db, repoId, 'main')
    const event = { payload: JSON.stringify({ event: 'NewCommit', details: { snapshotId } }), line: 'moved' }
    await recordHeadMove(db, { repoId, branch: 'main', snapshotId, commit, previous, event }, at(ms))
  }
  const { id } = await addContract(db, repository, maps, optionsAt(0))
  const find = async (of: Database = db) => {
    const [contract] = await listContracts(of, repository)
    if (contract === undefined) throw new Error('it is gone')
    return contract
  }
  const judge = async (judgement: ContractJudgement, ms: number, from = find()) =>
    recordJudgement(db, repository, { from: await from, judgement }, describe, at(ms))
  const listEvents = async () => {
    const rows = await db.selectFrom('events').select(['name', 'sequence']).orderBy('position').execute()
    return rows.map(({ name, sequence }) => `${name} #${sequence}`)
  }
  return { repository, id, move, find, judge, listEvents }
}

test('each change of state is told once, in the order of the commits', async (t, { db }) => {
  const { repository, move, find, judge, listEvents } = await attach(db)
  await move('A', 1)
  t.strictSame(await judge(kept, 1), { hasEvent: false, isCurrent: true })
  await move('B', 2)
  t.strictSame(await judge(broken, 3), { hasEvent: true, isCurrent: true })
  t.match(await find(), { findings: { headId: 'B', state: 'broken', brokenSince: at(3), breaks: ['a is gone'] } })
  await move('C', 4)
  t.strictSame(await judge(broken, 5), { hasEvent: false, isCurrent: true })
  t.match(await listJudgedContracts(db, repository), [{ name: 'maps', findings: { brokenSince: at(3) } }])
  await move('D', 6)
  t.strictSame(await judge(kept, 7), { hasEvent: true, isCurrent: true })
  t.strictSame(await listEvents(), [
    'NewCommit #1',
    'NewCommit #2',
    'ContractBroken #1',
    'NewCommit #3',
    'NewCommit #4',
    'ContractKept #2',
  ])
  const { events } = await readEvents(db, { org: 'acme', repos: null, after: 0, through: 6, limit: 10 })
  t.match(events[2], { name: 'ContractBroken', branch: 'main' })
  t.match(events[5], {
    payload: JSON.stringify({ event: 'ContractKept', details: { headId: 'D', brokenSince: at(3) } }),
  })
})

// Proves: a head that cannot be judged changes no state of a contract
test('a head that cannot be judged changes no state, and the reason is shown', async (t, { db }) => {
  const { move, find, judge, listEvents } = await attach(db)
  await move('A', 1)
  t.strictSame(await judge(unknown, 1), { hasEvent: false, isCurrent: true })
  t.match(await find(), { findings: { headId: 'A', state: null, unknownReason: 'it is too large' } })
  await move('B', 2)
  t.strictSame(
    await judge({ ...unknown, mayPass: true }, 2),
    { hasEvent: false, isCurrent: false },
    'it is judged again',
  )
  await judge(broken, 3)
  await move('C', 4)
  await judge(unknown, 5)
  t.match(await find(), {
    findings: {
      headId: 'C',
      state: 'broken',
      brokenSince: at(3),
      breaks: ['a is gone'],
      unknownReason: 'it is too large',
    },
  })
  await move('D', 6)
  await judge(broken, 7)
  t.match(await find(), { findings: { state: 'broken', brokenSince: at(3), unknownReason: null } })
  t.strictSame(
    (await listEvents()).filter((event) => event.startsWith('Contract')),
    ['ContractBroken #1'],
  )
})

test('of several processes that judge the same head, one tells it', async (t, { db, connect }) => {
  const { repository, move, find, listEvents } = await attach(db)
  await move('A', 1)
  const processes = [db, await connect(), await connect()]
  const from = await find()
  const recorded = await Promise.all(
    processes.map((one) => recordJudgement(one, repository, { from, judgement: broken }, describe, at(2))),
  )
  t.equal(recorded.filter(({ hasEvent }) => hasEvent).length, 1)
  t.strictSame(await listEvents(), ['NewCommit #1', 'ContractBroken #1'])
})

// Proves: a judgement of a contract that another process overtook is ignored
test('a judgement that another overtook is ignored, and one of an older head is followed by another', async (t, {
  db,
}) => {
  const { repository, id, move, find, judge, listEvents } = await attach(db)
  await move('A', 1)
  const early = find()
  await early
  await move('B', 2)
  t.strictSame(await judge(kept, 3), { hasEvent: false, isCurrent: true })
  t.strictSame(await judge(broken, 4, early), { hasEvent: false, isCurrent: false }, 'B was judged meanwhile')
  const late = find()
  await late
  await move('C', 5)
  t.strictSame(await judge(broken, 6, late), { hasEvent: true, isCurrent: false }, 'C must be judged next')
  const before = find()
  await before
  await updateContract(db, { repository, id }, { document: '[]' }, optionsAt(7))
  t.strictSame(await judge(kept, 8, before), { hasEvent: false, isCurrent: false }, 'the contract is another')
  t.strictSame(
    (await listEvents()).filter((event) => event.startsWith('Contract')),
    ['ContractBroken #1'],
  )
})

test('receivers select the events, also by the branch of the contract', async (t, { db }) => {
  const { repository, move, judge } = await attach(db)
  const add = (alias: string, changes: object) =>
    addReceiver(db, { ...newWebhook(repository.id, alias), ...changes }, optionsAt(1))
  await add('both', { events: ['ContractBroken', 'ContractKept'] })
  await add('kept', { events: ['ContractKept'] })
  await add('dev', { events: ['ContractBroken'], branches: ['dev'] })
  await move('A', 2)
  await judge(broken, 3)
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select('alias')
    .where('events.name', '=', 'ContractBroken')
    .orderBy('alias')
    .execute()
  t.strictSame(rows, [{ alias: 'both' }, { alias: 'hook' }])
})
