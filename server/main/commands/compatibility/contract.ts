// `floe contract`: writes what readers of the datasets of a repository rely on.
import type { DatasetContract } from '@floe/contract'
import { nameLocation } from '@floe/storage/objects'
import { writeContract } from '../../../compatibility/contract-state.ts'
import { findGroup } from '../../../reading/group-documents.ts'
import { StateReader } from '../../../reading/compatibility/read-state.ts'
import type { CommandLine } from '../command.ts'
import { showProgress, type Terminal } from '../terminal.ts'
import { writeContractText } from './contract-file.ts'
import { openLocation } from './open-location.ts'

/** `floe contract LOCATION [REF]`. Datasets that cannot be opened are left out, and named. */
export async function contract({ values, operands }: CommandLine, terminal: Terminal): Promise<void> {
  const [location = '', ref = 'main'] = operands
  const { text, unreadable } = await showProgress(terminal, async (show) => {
    show(`reading ${nameLocation(location)}`)
    const { repository, signal, group = '' } = await openLocation(location, values, terminal)
    const { snapshotId } = await repository.resolve(ref, signal)
    const snapshot = await repository.readSnapshot(snapshotId, signal)
    if (group !== '') findGroup(snapshot, group)
    const datasets: [string, DatasetContract['datasets'][string]][] = []
    const unreadable: string[] = []
    const states = new StateReader(snapshot, signal)
    for (const path of snapshot.nodes.listParentsOfArrays()) {
      if (group !== '' && path !== group && !path.startsWith(`${group}/`)) continue
      signal.throwIfAborted()
      const state = states.read(path)
      if ('unreadable' in state) unreadable.push(`${path === '' ? '/' : path}: ${state.unreadable}`)
      else datasets.push([path, writeContract(state)])
    }
    return { text: writeContractText({ version: 1, datasets: Object.fromEntries(datasets) }), unreadable }
  })
  for (const line of unreadable) terminal.err(`floe: warning: left out ${line}\n`)
  terminal.out(text)
}
