// Data of the browse pages, as the service passes it to them.
import type { RepositoryFacts } from '@floe/storage/icechunk'
import type { Remark } from '@floe/contract'
import type { GroupSummary } from '../../../../server/pages/browse/group-tree.ts'
import type { ExpectedBranch } from '../../../../server/pages/browse/expected-branch.ts'
import type { OperationsPageData } from '../../../../server/pages/browse/operations-page.ts'
import type { RefPageData } from '../../../../server/pages/browse/ref-page.ts'
import type { RepositoriesPageData } from '../../../../server/pages/browse/repositories-page.ts'
import type { ShownRepository } from '../../../../server/pages/browse/repository-item.ts'
import type { RepositoryPageData } from '../../../../server/pages/browse/repository-page.ts'
import type { ShownHistory } from '../../../../server/pages/commits/history-page.ts'
import { pageSubject } from '../sample-dataset.ts'

const { deployment, commit } = pageSubject

const fresh: ExpectedBranch = {
  kind: 'freshness',
  branch: 'main',
  path: null,
  isUnmet: false,
  since: null,
  words: 'updated 3 h ago, expected every 6 h',
}

const stale: ExpectedBranch = {
  kind: 'freshness',
  branch: 'feature/regrid',
  path: 'surface/**',
  isUnmet: true,
  since: new Date(commit.writtenAt.getTime() + 5_400_000),
  words: 'updated 3 h ago, expected every 90 min: late',
}

const broken: ExpectedBranch = {
  kind: 'contract',
  branch: 'main',
  path: null,
  isUnmet: true,
  since: commit.writtenAt,
  words: 'breaks its contract tile server: forecast: t2m is float64, must be float32; forecast: lead_time is missing',
}

export const retraction: Remark = {
  id: '0d8ad2a4-5c2a-4a7e-9a55-5a0d9b9d8b0e',
  kind: 'retraction',
  snapshot: null,
  from: null,
  to: null,
  ref: 'main',
  path: 'surface',
  text: 'Wrong units',
  since: null,
  until: null,
  superseded_by: null,
  created_at: '2026-08-30T08:00:00.000Z',
  updated_at: '2026-08-30T08:00:00.000Z',
}

/** A repository of which nothing is known yet. */
export const unknown: ShownRepository = {
  name: 'unknown',
  title: null,
  summary: null,
  states: [],
  formatVersion: null,
  lastCommit: null,
  unreadableSince: null,
  expectations: [],
  retractions: [],
  moves: Array.from({ length: 28 }, () => 0),
  coverage: null,
}

export const repositories: RepositoriesPageData = {
  deployment,
  repositories: [
    {
      name: 'era5',
      title: 'ERA5, hourly',
      summary: 'Hourly fields of the reanalysis on a regular grid.',
      states: ['retracted', 'late'],
      formatVersion: 2,
      lastCommit: commit,
      unreadableSince: null,
      expectations: [stale, fresh],
      retractions: [retraction],
      moves: [...Array.from({ length: 21 }, () => 0), 1, 0, 4, 2, 0, 0, 1],
      coverage: {
        datasets: 12,
        onlyTitle: null,
        box: [-25, 35, 45, 72.5],
        period: { start: new Date('1979-01-01T00:00Z'), end: null },
      },
    },
    { ...unknown, name: 'glofas' },
    {
      ...unknown,
      name: 'ocean colour, level 3',
      formatVersion: 1,
      lastCommit: { ...commit, author: null, message: 'Repository initialized' },
      coverage: { datasets: 1, onlyTitle: null, box: null, period: null },
    },
  ],
  filter: '',
  state: undefined,
  counts: new Map([
    ['late', 1],
    ['retracted', 1],
  ]),
  page: 1,
  pages: 1,
  matches: 3,
  total: 3,
}

const parentId = '8TD5Q2ZK4M7J9XW1V0RG'

/** Two commits of `main`, and a commit of a branch that branches off the first. */
export const history: ShownHistory = {
  ref: { kind: 'branch', name: 'main' },
  selection: {},
  commits: [
    { ...commit, parentId, refs: [{ kind: 'branch', name: 'main' }] },
    { ...commit, snapshotId: parentId, parentId: null, author: null, message: '', refs: [{ kind: 'tag', name: 'v1' }] },
  ],
  sides: [
    {
      commits: [
        {
          ...commit,
          snapshotId: 'ZK4M7J9XW1V0RG8TD5Q2',
          parentId,
          message: 'Regrid',
          refs: [{ kind: 'branch', name: 'feature/regrid' }],
        },
      ],
    },
  ],
  notDrawn: ['old'],
  isFromHead: true,
  next: null,
  missing: null,
}

export const state: RepositoryFacts = {
  status: { availability: 'read_only', since: commit.writtenAt, reason: 'Moving to another bucket' },
  metadata: new Map([['owner', 'forecasts']]),
  featureFlags: [
    { id: 3, name: 'move_node', isEnabled: false },
    { id: 99, name: null, isEnabled: true },
  ],
  snapshotCount: 1_204,
}

export const repository: RepositoryPageData = {
  deployment,
  name: 'era5',
  location: 's3://climate-archive/icechunk/era5',
  formatVersion: 2,
  state,
  remarks: [],
  containers: [{ prefix: 's3://noaa-gfs/', store: 's3', region: 'us-east-1', anonymous: true }],
  expectations: [broken, stale, fresh],
  branches: [
    { name: 'feature/regrid', snapshotId: '8TD5Q2ZK4M7J9XW1V0RG' },
    { name: 'main', snapshotId: commit.snapshotId },
  ],
  tags: Array.from({ length: 24 }, (_, index) => ({ name: `v${index}.0`, snapshotId: commit.snapshotId })),
  history,
  datasets: {
    branch: 'main',
    reason: null,
    bytes: {
      native: { chunks: 40, bytes: 5_200_000 },
      inline: { chunks: 6, bytes: 1_536 },
      virtual: { chunks: 2, bytes: 7_000 },
    },
    count: 1_234,
    datasets: [
      {
        path: 'surface/hourly',
        title: 'Hourly fields',
        summary: 'Fields at the surface.',
        dimensions: [
          ['time', '8760'],
          ['cell', '9007199254740993'],
        ],
        dimensionCount: 2,
      },
      { path: '', title: null, summary: null, dimensions: [], dimensionCount: 0 },
    ],
    changes: new Map([['surface/hourly', { at: '2026-08-30T06:12:44.000Z', message: 'Append August 2026' }]]),
  },
}

const operation: OperationsPageData['page']['operations'][number] = {
  kind: 'config_changed',
  done_at: '2026-08-30T06:12:45.000Z',
  branch: null,
  tag: null,
  snapshot_id: null,
  previous_snapshot_id: null,
  author_id: null,
  feature_flag: null,
  status: null,
  migration: null,
}

/** Operations of all kinds whose text depends on the operation, and some others. */
export const operations: OperationsPageData = {
  deployment,
  repository: 'era5',
  page: {
    operations: [
      { ...operation, kind: 'commit', branch: 'main', snapshot_id: commit.snapshotId, author_id: 'ada@example.org' },
      { ...operation, kind: 'commit', branch: 'main', snapshot_id: 'ZK4M7J9XW1V0RG8TD5Q2' },
      { ...operation, kind: 'branch_reset', branch: 'main', previous_snapshot_id: 'ZK4M7J9XW1V0RG8TD5Q2' },
      { ...operation, kind: 'tag_created', tag: 'v2' },
      { ...operation, kind: 'feature_flag_changed', feature_flag: { id: 3, enabled: null } },
      { ...operation, kind: 'status_changed', status: { availability: 'read_only', since: null, reason: 'Moving' } },
      { ...operation, kind: 'repository_migrated', migration: { from: 1, to: 2 } },
      { ...operation, kind: 'garbage_collection' },
    ],
    next: '1795245228101336',
    is_cut_off: false,
    operations_unavailable_reason: null,
  },
  isNewest: false,
}

export const smallTree: RefPageData = {
  at: pageSubject,
  reason: null,
  groups: [
    { path: '', arrays: 0 },
    { path: 'model', arrays: 0 },
    { path: 'model/levels', arrays: 14 },
    { path: 'model/levels/daily mean', arrays: 14 },
    { path: 'observations', arrays: 1 },
    { path: 'surface', arrays: 3 },
    { path: 'surface/hourly', arrays: 10 },
    { path: 'surface/hourly/quality', arrays: 1 },
    { path: 'surface/monthly', arrays: 10 },
  ],
}

/** 100 missions of 10 regions of 9 products: 10,101 groups with the root group. */
export const largeTree: RefPageData = {
  at: pageSubject,
  reason: null,
  groups: [{ path: '', arrays: 0 }, ...manyGroups()],
}

function manyGroups(): GroupSummary[] {
  const two = (index: number) => String(index).padStart(2, '0')
  return Array.from({ length: 100 }, (_, mission) => [
    { path: `mission_${two(mission)}`, arrays: 0 },
    ...Array.from({ length: 10 }, (_, region) => [
      { path: `mission_${two(mission)}/region_${two(region)}`, arrays: 0 },
      ...Array.from({ length: 9 }, (_, product) => ({
        path: `mission_${two(mission)}/region_${two(region)}/product_${two(product)}`,
        arrays: 12,
      })),
    ]).flat(),
  ]).flat()
}
