import type { PromiseSection } from '../proven-promise.ts'

/** Whether those who read one state of a dataset can read another. */
export const compatibility: PromiseSection = {
  title: 'Compatibility',
  introduction:
    '`npm run compare -- compatibility` compares random histories with official libraries: see ' +
    '[measurements](measurements.md).',
  promises: {
    'what breaks readers is what xarray makes of both snapshots, by the table of rules': [
      'server/reading/compatibility/compare-snapshots.ts',
      "return 'replaced'",
      "return 'untouched'",
    ],
    'a comparison of a group leaves out the changes elsewhere': [
      'server/reading/compatibility/find-changed-groups.ts',
      "below === '' || path === below",
      'true || path === below',
    ],
    'each change of a dataset has the verdict of the table of rules': [
      'server/compatibility/compare-dimensions.ts',
      "makeChange('size-shrunk', 'breaking', details)",
      "makeChange('size-grown', 'compatible', details)",
    ],
    'units are equal whatever their spelling, as UDUNITS-2 says': [
      'server/self-description/units.ts',
      'powers.set(base, (powers.get(base) ?? 0) + power * exponent)',
      'powers.set(base, (powers.get(base) ?? 0) + power)',
    ],
    'breaking changes are listed beside however many unknown ones': [
      'server/reading/compatibility/kept-changes.ts',
      'this.#room[change.verdict]',
      "this.#room[change.verdict === 'breaking' ? 'unknown' : change.verdict]",
    ],
    'a dimension that grew because its coordinate was rewritten is not called compatible': [
      'server/compatibility/compare-dimensions.ts',
      "=== 'replaced')",
      "=== 'written')",
    ],
    'a dataset is identical with itself, also one that cannot be opened': [
      'server/compatibility/compare-states.ts',
      'before.documents === documents',
      'before.documents !== documents',
    ],
    'a range of commits breaks readers only if one of its commits does': [
      'server/compatibility/compare-dimensions.ts',
      'if (current.size < old.size)',
      'if (current.size + 1n < old.size)',
    ],
    'a range of commits does not hide a break of structure or meaning that a later one leaves as it is': [
      'server/compatibility/compare-states.ts',
      'return left.length === right.length && left',
      'return left.length !== right.length || left',
    ],
    '`floe diff` fails if a change breaks readers, with a line for each break': [
      'server/main/commands/compatibility/diff.ts',
      "['breaking', ['breaking']]",
      "['breaking', []]",
    ],
    'a contract in a POST is judged by the rules of a comparison': [
      'server/compatibility/contract-state.ts',
      'expectedVariables.get(variable.name)',
      'expectedVariables.get(variable.name + variable.name)',
    ],
    'a mistake in a contract is refused with its place': [
      'server/reading/compatibility/check-contract.ts',
      "explainRefusedValue(error, 'body', path)",
      "explainRefusedValue(error, 'path', path)",
    ],
    'a contract that is too large is refused with the limit': [
      'contract/schemas/metadata/dataset-contract.ts',
      'counts[kind] > datasetContractLimits[kind]',
      'counts[kind] > datasetContractLimits[kind] + 1',
    ],
    '`floe diff` compares a ref with a contract': [
      'server/reading/compatibility/compare-contract.ts',
      'compareWithContract(datasets[path] ?? {}, state)',
      'compareWithContract({}, state)',
    ],
    'every repository keeps the contract that `floe contract` writes of it': [
      'server/compatibility/contract-state.ts',
      '([name]) => wanted.has(name)',
      '([name]) => !wanted.has(name)',
    ],
    'a name in a repository never becomes code of the module that `floe types` writes': [
      'server/main/commands/types/write-literals.ts',
      'JSON.stringify(text).replace(',
      '`"${text}"`.replace(',
    ],
    '`floe types` writes the same about a location and about a service that serves it': [
      'server/main/commands/types/contract-reader.ts',
      "role: 'data' as const",
      "role: 'coordinate' as const",
    ],
    '`verify` of the client rejects unless every ref keeps the contracts of its datasets': [
      'client/datasets/verify-datasets.ts',
      "['identical', 'compatible']",
      "['identical', 'compatible', 'breaking']",
    ],
    'a size that a contract fixes may neither shrink nor grow': [
      'server/compatibility/contract-state.ts',
      'isFixed: true',
      'isFixed: false',
    ],
  },
}
