import {
  addContract,
  applyDeclaredContracts,
  deleteContract,
  findWantedSelection,
  listAudit,
  listContracts,
  listWantedSelections,
  mainAlone,
  maxContracts,
  readContractDocument,
  updateContract,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { nameOutcomes, optionsAt } from '../receivers/edit-receivers.ts'
import { at, by, repositoryWith } from '../recorded.ts'

const test = await testOnEngines(t)

const maps = { name: 'maps', branch: 'main', document: '{"version":1,"datasets":{}}' }
const declared = { org: 'acme', repos: 'wea*', ...maps }

test('a change is recorded with its audit entry, and only for the version that was read', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const { id } = await addContract(db, repository, maps, optionsAt(0))
  const address = { repository, id }
  t.match(await listContracts(db, repository), [{ id, name: 'maps', version: 1, isDeclared: false, findings: null }])
  await updateContract(db, address, { document: '{}' }, { ...optionsAt(1), versions: [1] })
  t.equal(await updateContract(db, address, { document: '{}' }, optionsAt(2)), undefined)
  t.match(await listContracts(db, repository), [{ version: 2, updatedAt: at(1) }])
  t.equal(await readContractDocument(db, { id, version: 2 }), '{}')
  t.equal(await readContractDocument(db, { id, version: 1 }), undefined)
  t.strictSame(
    await nameOutcomes([
      updateContract(db, address, { branch: 'dev' }, { ...optionsAt(3), versions: [1] }),
      deleteContract(db, address, { ...optionsAt(3), versions: [1] }),
      deleteContract(db, { repository: { ...repository, id: 'another' }, id }, optionsAt(3)),
    ]),
    ['ContractChangedError', 'ContractChangedError', 'ContractNotFoundError'],
  )
  await deleteContract(db, address, { ...optionsAt(4), versions: [2] })
  t.strictSame(await listContracts(db, repository), [])
  const [first, second, third] = await listAudit(db, { repoId, limit: 10 })
  t.match(first, { action: 'contract.delete', subjectId: id, before: { name: 'maps' }, after: null })
  t.match(third, { action: 'contract.create', keyId: by.id, after: { name: 'maps', branch: 'main' } })
  t.equal(second?.action, 'contract.update')
  t.not(second?.before?.['document_sha256'], second?.after?.['document_sha256'])
})

// Proves: a repository has at most 20 contracts
test('a repository has a limited number of contracts', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const processes = [db, await connect(), await connect()]
  const additions = Array.from({ length: maxContracts + 3 }, (_, index) =>
    addContract(processes[index % processes.length] ?? db, repository, maps, optionsAt(index)),
  )
  const outcomes = await Promise.allSettled(additions)
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, maxContracts)
  t.equal((await listContracts(db, repository)).length, maxContracts)
})

// Proves: contracts in `floe.yaml` keep their state when the service starts again
test('declared contracts are those of the file, and one that stays keeps its state', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const apply = (...contracts: (typeof declared)[]) => applyDeclaredContracts(db, contracts, at(0))
  await apply(declared, { ...declared, name: 'tiles' }, { ...declared, repos: 'ocean' })
  t.strictSame((await listContracts(db, repository)).map(({ name }) => name).sort(), ['maps', 'tiles'])
  const id = (await listContracts(db, repository)).find(({ name }) => name === 'maps')?.id ?? ''
  const columns = { head_id: 'A', contract_version: 1, state: 'broken' as const, broken_since: 1, breaks: '[]' }
  const findings = { contract_id: id, repo_id: repoId, ...columns, breaking_changes: 1, unknown_reason: null }
  await db.insertInto('contract_findings').values(findings).execute()
  await apply(declared)
  t.match(await listContracts(db, repository), [{ id, version: 1, findings: { state: 'broken' } }])
  await apply({ ...declared, document: '{}' })
  t.match(await listContracts(db, repository), [{ id, version: 2, findings: { state: 'broken' } }])
  await apply({ ...declared, branch: 'dev' })
  t.match(await listContracts(db, repository), [{ id, version: 3, branch: 'dev', findings: null }])
  await apply()
  t.strictSame(await listContracts(db, repository), [])
})

test('its branch is watched from now on', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const find = async () => findWantedSelection(await listWantedSelections(db, mainAlone, at(0)), repository)
  const { id } = await addContract(db, repository, { ...maps, branch: 'dev' }, optionsAt(0))
  const first = await find()
  t.strictSame(first.selection.branches, ['dev'])
  await updateContract(db, { repository, id }, { document: '{}' }, optionsAt(1))
  t.not((await find()).judged, first.judged, 'whoever polls the repository notices a change')
})
