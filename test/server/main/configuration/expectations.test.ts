import { join } from 'node:path'
import { t } from 'tap'
import { loadConfig } from '../../../../server/main/configuration/load-config.ts'

function load(...expectations: object[]) {
  const variable = JSON.stringify(expectations.map((one) => ({ org: 'acme', repo: 'forecast-*', ...one })))
  return loadConfig(undefined, { FLOE_ORGS: '{ acme: {} }', FLOE_EXPECTATIONS: variable }, {})
}

const contract = { version: 1, datasets: { sea: { variables: { depth: { units: 'm' } } } } }
const document = JSON.stringify(contract)
const fresh = { kind: 'freshness', maxAge: '6h' }
const kept = { kind: 'contract', contract }

t.test('expectations are read with the defaults of their kinds', async (t) => {
  const lost = { first: 3, last: 4, note: 'lost' }
  const loaded = await load(
    fresh,
    {
      kind: 'freshness',
      maxAge: '1m',
      branch: 'dev*',
      path: 'a/**',
      alias: 'maps',
      severity: 'critical',
      within: '30m',
      remind: '4h',
    },
    { kind: 'freshness', due: '07:30', days: ['mon', 'fri'] },
    { kind: 'written', share: 0.99, repo: ['a', 'b*'] },
    { kind: 'written', share: 1, along: 'time', exceptLast: 2, accepted: [lost] },
    kept,
  )
  const where = { org: 'acme', repos: ['forecast-*'], branch: 'main' }
  const times = { within: null, withinMs: null, remind: null, remindMs: null }
  const common = { ...where, alias: null, severity: 'warning', ...times }
  const ofAll = { path: null, along: null, except_last: null, ignore: null, accepted: null }
  t.strictSame(loaded.expectations, [
    { ...common, kind: 'freshness', settings: { max_age: '6h', due: null, days: null, path: null }, document: null },
    {
      ...common,
      kind: 'freshness',
      branch: 'dev*',
      alias: 'maps',
      severity: 'critical',
      within: '30m',
      withinMs: 1_800_000,
      remind: '4h',
      remindMs: 14_400_000,
      settings: { max_age: '1m', due: null, days: null, path: 'a/**' },
      document: null,
    },
    {
      ...common,
      kind: 'freshness',
      settings: { max_age: null, due: '07:30', days: ['mon', 'fri'], path: null },
      document: null,
    },
    { ...common, kind: 'written', repos: ['a', 'b*'], settings: { share: 0.99, ...ofAll }, document: null },
    {
      ...common,
      kind: 'written',
      settings: { ...ofAll, share: 1, along: 'time', except_last: 2, accepted: [lost] },
      document: null,
    },
    { ...common, kind: 'contract', settings: {}, document },
  ])
})

t.test('a contract is read from its file, and a file that cannot be read is named', async (t) => {
  const directory = t.testdir({ 'maps.json': JSON.stringify(contract, null, 2), 'bad.json': '{ "version": 2 }' })
  const read = (file: string, more: object = {}) =>
    load(fresh, { kind: 'contract', file: join(directory, file), ...more })
  t.match((await read('maps.json')).expectations[1], { kind: 'contract', document })
  await t.rejects(read('missing.json'), { name: 'ConfigError', message: /expectations\.1\.file: .*cannot be read/ })
  await t.rejects(read('bad.json'), { name: 'ConfigError', message: /expectations\.1\.file: .*version: must be 1/ })
  const both = /expectations\.1\.file: is not allowed together with "contract"/
  await t.rejects(read('maps.json', { contract }), { message: both })
})

t.test('wrong expectations are refused', async (t) => {
  const variables = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`v${index}`, {}]))
  const refused: readonly (readonly [message: RegExp, expectations: readonly object[]])[] = [
    [/expectations\.0\.kind: /, [{ maxAge: '6h' }]],
    [/expectations\.0\.kind: /, [{ kind: 'speed' }]],
    [/expectations\.0\.maxAge: is needed: exactly one of maxAge and due/, [{ kind: 'freshness' }]],
    [/expectations\.0\.due: is not allowed together with maxAge/, [{ ...fresh, due: '07:30' }]],
    [/expectations\.0\.maxAge: must be at least one minute/, [{ ...fresh, maxAge: '59s' }]],
    [/expectations\.0\.within: must be a whole number and/, [{ ...fresh, within: '6 hours' }]],
    [/expectations\.0\.severity: /, [{ ...fresh, severity: 'fatal' }]],
    [/expectations\.0\.share: must be at most 1/, [{ kind: 'written', share: 99 }]],
    [
      /expectations\.0\.exceptLast: is only allowed together with along/,
      [{ kind: 'written', share: 1, exceptLast: 1 }],
    ],
    [/expectations\.0: has unknown members: share/, [{ ...fresh, share: 0.5 }]],
    [
      /expectations\.1: has unknown members: max_age; did you mean maxAge/,
      [fresh, { kind: 'freshness', max_age: '6h' }],
    ],
    [/expectations\.0: has unknown members: file/, [{ ...fresh, file: 'maps.json' }]],
    [/expectations\.0\.repo: /, [{ ...fresh, repo: [] }]],
    [/expectations\.0\.org: names the organisation other/, [{ ...fresh, org: 'other' }]],
    [/expectations\.0\.contract\.version: must be 1/, [{ kind: 'contract', contract: { version: 2, datasets: {} } }]],
    [
      /expectations\.0\.contract: has more than 10,000 variables/,
      [{ kind: 'contract', contract: { version: 1, datasets: { a: { variables } } } }],
    ],
    [
      /expectations: has two expectations of acme of the kind contract with the alias maps/,
      [
        { ...kept, alias: 'maps' },
        { ...kept, alias: 'maps', branch: 'dev' },
      ],
    ],
    [/expectations: has more than 50 expectations for acme\/forecast-\*/, Array.from({ length: 51 }, () => fresh)],
  ]
  for (const [message, expectations] of refused) await t.rejects(load(...expectations), { message }, String(message))
})
