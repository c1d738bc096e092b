// `floe types`: writes TypeScript types of datasets, with what their readers rely on, for `createClient` of the client.
import { writeFile } from 'node:fs/promises'
import type { CommandLine } from '../command.ts'
import { limitSignal } from '../access/limit-signal.ts'
import { showProgress, type Terminal } from '../terminal.ts'
import { listChosen, manyDatasetsMs, openSource, readDatasets } from '../datasets/read-datasets.ts'
import { contractReader } from './contract-reader.ts'
import { DatasetCollection, DatasetTypesError } from './dataset-collection.ts'
import { maxConstants, writeContracts, writeModule } from './write-module.ts'

/** `floe types LOCATION`, or with `--url` for the datasets of a service. What cannot be read is left out, and named. */
export async function types(line: CommandLine, terminal: Terminal): Promise<void> {
  const file = line.values.contracts
  const signal = limitSignal(terminal.stop, manyDatasetsMs, '; choose fewer repositories with --repo')
  const { collection, leftOut } = await showProgress(terminal, async (show) => collect(line, terminal, signal, show))
  for (const text of leftOut) terminal.err(`floe: warning: left out ${text}\n`)
  if (collection.count === 0) throw new DatasetTypesError('there are no datasets to write types for')
  const { text, hasConstants } = writeModule(collection.datasets, file === undefined)
  if (file !== undefined) await writeJson(file, writeContracts(collection.datasets))
  else if (!hasConstants)
    terminal.err(
      `floe: warning: wrote types without constants, because there are more than ${maxConstants} distinct datasets; ` +
        'use --contracts FILE for what verify needs\n',
    )
  terminal.out(text)
}

/** Reads the datasets, and lists what is left out. */
async function collect(line: CommandLine, terminal: Terminal, signal: AbortSignal, show: (text: string) => void) {
  const source = await openSource('types', line, terminal, contractReader, signal)
  const collection = new DatasetCollection()
  const leftOut: string[] = []
  const repositories = await listChosen(source, line)
  collection.checkRepositories(repositories)
  const datasets = readDatasets(source, repositories, line, {
    begin: (repo, ref) => show(`${collection.count} datasets; reading ${repo} ${ref}`),
    leaveOut: (text) => leftOut.push(text),
  })
  for await (const { repo, ref, path, value } of datasets) collection.add(repo, ref, path, value)
  return { collection, leftOut }
}

async function writeJson(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new DatasetTypesError(
      `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
