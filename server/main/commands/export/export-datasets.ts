// `floe export`: writes datasets as JSON for a catalogue that reads files, each as soon as it is read.
import { readJsonBytes, writeBody } from '@floe/storage/json'
import type { DataHubProposals, OpenMetadataContainer } from '@floe/contract'
import { writeMetadata } from '../../../groups/repository-metadata.ts'
import { dataHubProposals } from '../../../pages/catalogues/datahub.ts'
import type { DatasetRecord } from '../../../pages/catalogues/dataset-record.ts'
import { openMetadataContainer } from '../../../pages/catalogues/openmetadata.ts'
import { listDatasets } from '../../../reading/datasets/list-datasets.ts'
import { recordDataset } from '../../../reading/datasets/record-dataset.ts'
import { limitSignal } from '../access/limit-signal.ts'
import { type CommandLine, FailedChecksError, UsageError } from '../command.ts'
import type { DatasetReader } from '../datasets/dataset-source.ts'
import { listChosen, manyDatasetsMs, openSource, readDatasets } from '../datasets/read-datasets.ts'
import type { Terminal } from '../terminal.ts'

/** How a catalogue gets a dataset: as entries of one list. */
type Catalogue = {
  readonly write: (record: DatasetRecord) => object
  readonly ask: DatasetReader<object>['fromService']
}

const catalogues = new Map<string, Catalogue>([
  [
    'datahub',
    {
      write: (record) => readJsonBytes(writeBody<DataHubProposals>(dataHubProposals(record, null))),
      ask: (floe, { repo, ref, group }, signal) => floe.datahub({ repo, ref, group }, { signal }),
    },
  ],
  [
    'openmetadata',
    {
      write: (record) => readJsonBytes(writeBody<OpenMetadataContainer>(openMetadataContainer(record, null))),
      ask: (floe, { repo, ref, group }, signal) => floe.openmetadata({ repo, ref, group }, { signal }),
    },
  ],
])

/** `floe export CATALOGUE LOCATION`, or with `--url` for the datasets of a service. */
export async function exportDatasets({ values, operands }: CommandLine, terminal: Terminal): Promise<void> {
  const [name = '', ...locations] = operands
  const catalogue = catalogues.get(name)
  if (catalogue === undefined) throw new UsageError(`CATALOGUE is ${[...catalogues.keys()].join(' or ')}`)
  const line = { values, operands: locations }
  const signal = limitSignal(terminal.stop, manyDatasetsMs, '; choose fewer repositories with --repo')
  const reader = makeReader(catalogue, values.org)
  const source = await openSource(`export ${name}`, line, terminal, reader, signal)
  const datasets = readDatasets(source, await listChosen(source, line), line, {
    begin: () => undefined,
    leaveOut: (text) => terminal.err(`floe: warning: left out ${text}\n`),
  })
  let separator = '[\n'
  for await (const { value } of datasets) {
    for (const entry of [value].flat()) {
      terminal.out(`${separator}${JSON.stringify(entry)}`)
      separator = ',\n'
    }
  }
  if (separator === '[\n') throw new FailedChecksError('there are no datasets to export')
  terminal.out('\n]\n')
}

/** @param org the organisation that names of datasets in a location begin with */
function makeReader({ write, ask }: Catalogue, org = 'local'): DatasetReader<object> {
  const deployment = { name: 'local', org, baseUrl: '', hasSearch: false, isPublic: false }
  return {
    *fromSnapshot({ repo, state, ref: { kind, name }, snapshot }, signal) {
      const described = { deployment, repo, ref: { kind, name }, published: null, remarks: [] }
      const facts = { ...described, metadata: writeMetadata(state) }
      for (const path of listDatasets(snapshot, ''))
        yield { path, value: write(recordDataset(snapshot, path, facts, signal)) }
    },
    fromService: ask,
  }
}
