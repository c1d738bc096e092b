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
      "return 'anew'",
      "return 'untouched'",
    ],
    'a comparison of a group leaves out the changes elsewhere': [
      'server/reading/compatibility/find-changed-groups.ts',
      "below === '' || path === below",
      'true || path === below',
    ],
    'each change of a dataset has the verdict of the table of rules': [
      'server/compatibility/compare-states.ts',
      "makeChange('size-shrunk', 'breaking', details)",
      "makeChange('size-grown', 'compatible', details)",
    ],
    'a dataset is identical with itself, also one that cannot be opened': [
      'server/compatibility/compare-states.ts',
      'before.documents === documents',
      'before.documents !== documents',
    ],
    'a range of commits breaks readers only if one of its commits does': [
      'server/compatibility/compare-states.ts',
      'yield current.size < old.size',
      'yield current.size + 1n < old.size',
    ],
    'a range of commits does not hide a break of structure or meaning that a later one leaves as it is': [
      'server/compatibility/compare-states.ts',
      'return left.length === right.length && left',
      'return left.length !== right.length || left',
    ],
  },
}
