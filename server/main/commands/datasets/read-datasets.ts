// Reads the datasets that a command line chooses, from a location or from a service.
import { matchesSome } from '@floe/storage/globs'
import { openClient } from '../access/open-client.ts'
import { type CommandLine, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { type DatasetReader, type DatasetSource, LeftOutError } from './dataset-source.ts'
import { openLocationSource } from './read-location.ts'
import { openServiceSource } from './read-service.ts'

/** Time limit of a command that reads many datasets, in milliseconds. */
export const manyDatasetsMs = 600_000

/** Opens LOCATION, or with `--url` a service. */
export async function openSource<Value>(
  command: string,
  { values, operands: [location] }: CommandLine,
  terminal: Terminal,
  reader: DatasetReader<Value>,
  signal: AbortSignal,
): Promise<DatasetSource<Value>> {
  if ((location === undefined) === (values.url === undefined))
    throw new UsageError(`${command} needs LOCATION or --url`)
  if (location !== undefined) return openLocationSource(location, values, terminal, reader, signal)
  return openServiceSource(await openClient(command, values, terminal.environment), reader, signal)
}

/** Lists the repositories that `--repo` chooses; without it, all. */
export async function listChosen(
  source: DatasetSource<unknown>,
  { values: { repo: globs = ['**'] } }: CommandLine,
): Promise<readonly string[]> {
  return (await source.listRepositories()).filter((name) => matchesSome(globs, name))
}

/** What a command does while datasets are read. */
type Reading = {
  readonly begin: (repo: string, ref: string) => void
  /** Gets the names of what cannot be read, and why. */
  readonly leaveOut: (text: string) => void
}

/** Reads the datasets of repositories at `--ref`. */
export async function* readDatasets<Value>(
  source: DatasetSource<Value>,
  repositories: readonly string[],
  { values: { ref: refs = ['main'] } }: CommandLine,
  { begin, leaveOut }: Reading,
) {
  for (const repo of repositories) {
    for (const ref of new Set(refs)) {
      begin(repo, ref)
      try {
        for await (const read of source.readDatasets(repo, ref)) {
          if ('value' in read) yield { repo, ref, path: read.path, value: read.value }
          else leaveOut(`${repo} ${ref} ${read.path === '' ? '/' : read.path}: ${read.unreadable}`)
        }
      } catch (error) {
        if (!(error instanceof LeftOutError)) throw error
        leaveOut(`${repo} ${ref}: ${error.message}`)
      }
    }
  }
}
