// `floe export datahub`: writes datasets as a file that DataHub ingests.
import { readJsonBytes, writeBody } from '@floe/storage/json'
import type { DataHubProposals } from '@floe/contract'
import { writeMetadata } from '../../../groups/repository-metadata.ts'
import { dataHubProposals } from '../../../pages/catalogues/datahub.ts'
import { listDatasets } from '../../../reading/datasets/list-datasets.ts'
import { recordDataset } from '../../../reading/datasets/record-dataset.ts'
import { limitSignal } from '../access/limit-signal.ts'
import { type CommandLine, FailedChecksError } from '../command.ts'
import type { DatasetReader } from '../datasets/dataset-source.ts'
import { listChosen, manyDatasetsMs, openSource, readDatasets } from '../datasets/read-datasets.ts'
import type { Terminal } from '../terminal.ts'

/** `floe export datahub LOCATION`, or with `--url` for the datasets of a service. Prints each as soon as it is read. */
export async function exportDatahub(line: CommandLine, terminal: Terminal): Promise<void> {
  const signal = limitSignal(terminal.stop, manyDatasetsMs, '; choose fewer repositories with --repo')
  const source = await openSource('export datahub', line, terminal, proposalReader(line.values.org), signal)
  const datasets = readDatasets(source, await listChosen(source, line), line, {
    begin: () => undefined,
    leaveOut: (text) => terminal.err(`floe: warning: left out ${text}\n`),
  })
  let separator = '[\n'
  for await (const { value } of datasets) {
    for (const proposal of value) {
      terminal.out(`${separator}${JSON.stringify(proposal)}`)
      separator = ',\n'
    }
  }
  if (separator === '[\n') throw new FailedChecksError('there are no datasets to export')
  terminal.out('\n]\n')
}

/** @param org the organisation that URNs of datasets in a location name */
function proposalReader(org = 'local'): DatasetReader<readonly object[]> {
  const deployment = { name: 'local', org, baseUrl: '', hasSearch: false, isPublic: false }
  return {
    *fromSnapshot({ repo, state, ref: { kind, name }, snapshot }, signal) {
      const described = { deployment, repo, ref: { kind, name }, published: null, remarks: [] }
      const facts = { ...described, metadata: writeMetadata(state) }
      for (const path of listDatasets(snapshot, '')) {
        const proposals = dataHubProposals(recordDataset(snapshot, path, facts, signal), null)
        yield { path, value: readJsonBytes(writeBody<DataHubProposals>(proposals)) }
      }
    },
    fromService: (floe, { repo, ref, group }, signal) => floe.datahub({ repo, ref, group }, { signal }),
  }
}
