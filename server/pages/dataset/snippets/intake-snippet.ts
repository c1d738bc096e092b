// An entry of a catalog of Intake. Source of its form: `intake/readers/datatypes.py` and `readers.py`, version 2.0.9.
import { findPublicAddress } from '../../open-address.ts'
import type { PageSubject } from '../../page-subject.ts'
import { callStorage, type KnownStorage } from './known-storage.ts'

/**
 * Writes a catalog with an entry that opens the group with xarray; null if Intake cannot: it opens branches only, and
 * authorizes no virtual chunk containers.
 */
export function writeIntakeSnippet(at: PageSubject, storage: KnownStorage, group: string): string | null {
  if (at.ref.kind !== 'branch' || at.containers.length > 0) return null
  const address = findPublicAddress(at)
  const { name, values } = address === null ? callStorage(storage) : { name: 'redirect', values: { base_url: address } }
  // JSON is YAML.
  const quote = (value: unknown) => JSON.stringify(value)
  const options = Object.entries(values).filter(([, value]) => value !== null && value !== false)
  return [
    `# Intake 2: intake.Catalog.from_yaml_file("catalog.yaml")[${quote(at.repository)}].read()`,
    'version: 2',
    'data:',
    '  repository:',
    '    datatype: intake.readers.datatypes:IcechunkRepo',
    '    kwargs:',
    `      url: ${name}`,
    '      storage_options:',
    ...options.map(([option, value]) => `        ${option}: ${quote(value)}`),
    `      ref: ${quote(at.ref.name)}`,
    `      root: ${quote(group)}`,
    '    metadata: {}',
    '    user_parameters: {}',
    'entries:',
    `  ${quote(at.repository)}:`,
    '    reader: intake.readers.readers:XArrayDatasetReader',
    '    output_instance: xarray:Dataset',
    "    kwargs: { args: ['{data(repository)}'] }",
    '    metadata: {}',
    '    user_parameters: {}',
    'user_parameters: {}',
    'aliases: {}',
    'metadata: {}',
  ].join('\n')
}
