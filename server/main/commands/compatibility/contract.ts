// `floe contract`: writes what readers of the datasets of a repository rely on.
import type { DatasetContract } from '@floe/contract'
import { nameLocation } from '@floe/storage/objects'
import { readContracts } from '../../../reading/compatibility/read-contracts.ts'
import { type CommandLine, UsageError } from '../command.ts'
import { showProgress, type Terminal } from '../terminal.ts'
import { writeContractText } from './contract-file.ts'
import { openLocation } from '../access/open-location.ts'
import { writePandera } from './write-pandera.ts'

const formats = new Map([
  ['json', writeContractText],
  ['pandera', writePandera],
])

/** `floe contract LOCATION [REF]`. Datasets that cannot be opened are left out, and named. */
export async function contract({ values, operands }: CommandLine, terminal: Terminal): Promise<void> {
  const [location = '', ref = 'main'] = operands
  const write = formats.get(values.format ?? 'json')
  if (write === undefined) throw new UsageError(`--format must be ${[...formats.keys()].join(' or ')}`)
  const { text, unreadable } = await showProgress(terminal, async (show) => {
    show(`reading ${nameLocation(location)}`)
    const { repository, signal, group = '' } = await openLocation(location, values, terminal)
    const { snapshotId } = await repository.resolve(ref, signal)
    const snapshot = await repository.readSnapshot(snapshotId, signal)
    const datasets: [string, DatasetContract['datasets'][string]][] = []
    const unreadable: string[] = []
    for (const read of readContracts(snapshot, group, signal)) {
      if ('unreadable' in read) unreadable.push(`${read.path === '' ? '/' : read.path}: ${read.unreadable}`)
      else datasets.push([read.path, read.contract])
    }
    return { text: write({ version: 1, datasets: Object.fromEntries(datasets) }), unreadable }
  })
  for (const line of unreadable) terminal.err(`floe: warning: left out ${line}\n`)
  terminal.out(text)
}
