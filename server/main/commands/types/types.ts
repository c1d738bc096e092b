// `floe types`: writes TypeScript types of datasets, with what their readers rely on, for `createClient` of the client.
import { writeFile } from 'node:fs/promises'
import { matchesSome } from '@floe/storage/globs'
import { type CommandLine, UsageError } from '../command.ts'
import { limitSignal } from '../access/limit-signal.ts'
import { openClient } from '../access/open-client.ts'
import { showProgress, type Terminal } from '../terminal.ts'
import { DatasetCollection, DatasetTypesError } from './dataset-collection.ts'
import { type DatasetSource, LeftOutError } from './dataset-source.ts'
import { openLocationSource } from './read-location.ts'
import { openServiceSource } from './read-service.ts'
import { maxConstants, writeContracts, writeModule } from './write-module.ts'

/** Time limit of the whole command, in milliseconds. */
const timeoutMs = 600_000

/** `floe types LOCATION`, or with `--url` for the datasets of a service. What cannot be read is left out, and named. */
export async function types(line: CommandLine, terminal: Terminal): Promise<void> {
  const file = line.values.contracts
  const signal = limitSignal(terminal.stop, timeoutMs, '; choose fewer repositories with --repo')
  const { collection, leftOut } = await showProgress(terminal, async (show) => collect(line, terminal, signal, show))
  for (const text of leftOut) terminal.err(`floe: warning: left out ${text}\n`)
  if (collection.count === 0) throw new DatasetTypesError('there are no datasets to write types of')
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
  const { repo: globs = ['**'], ref: refs = ['main'] } = line.values
  const source = await openSource(line, terminal, signal)
  const collection = new DatasetCollection()
  const leftOut: string[] = []
  const names = (await source.listRepositories()).filter((name) => matchesSome(globs, name))
  collection.checkRepositories(names)
  for (const repo of names) {
    for (const ref of new Set(refs)) {
      show(`${collection.count} datasets; reading ${repo} ${ref}`)
      try {
        for await (const read of source.readDatasets(repo, ref)) {
          if ('contract' in read) collection.add(repo, ref, read.path, read.contract)
          else leftOut.push(`${repo} ${ref} ${read.path === '' ? '/' : read.path}: ${read.unreadable}`)
        }
      } catch (error) {
        if (!(error instanceof LeftOutError)) throw error
        leftOut.push(`${repo} ${ref}: ${error.message}`)
      }
    }
  }
  return { collection, leftOut }
}

async function openSource(
  { values, operands: [location] }: CommandLine,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<DatasetSource> {
  if ((location === undefined) === (values.url === undefined)) throw new UsageError('types needs LOCATION or --url')
  if (location !== undefined) return openLocationSource(location, values, terminal, signal)
  return openServiceSource(openClient('types', values, terminal.environment), signal)
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
