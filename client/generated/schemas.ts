// Generated from contract/ by `npm run generate`.

import type { Schema } from '../check-value.ts'
import type * as types from './types.ts'

export const RepositoryList: Schema<types.RepositoryList> = { type: 'array', items: { type: 'string' } }

export const RefList: Schema<types.RefList> = {
  type: 'object',
  properties: {
    branches: { type: 'array', items: { type: 'string' } },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['branches', 'tags'],
}

export const DatasetList: Schema<types.DatasetList> = { type: 'array', items: { type: 'string' } }

const VirtualContainer: Schema<types.VirtualContainer> = {
  type: 'object',
  properties: {
    prefix: { type: 'string' },
    store: { type: 'string' },
    region: { type: ['string', 'null'] },
    anonymous: { type: 'boolean' },
  },
  required: ['prefix', 'store', 'region', 'anonymous'],
}

const DependentRepository: Schema<types.DependentRepository> = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    containers: { minItems: 1, type: 'array', items: VirtualContainer },
  },
  required: ['name', 'containers'],
}

export const SourceList: Schema<types.SourceList> = {
  type: 'object',
  properties: {
    repositories: { type: 'array', items: DependentRepository },
    next: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    not_read: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    not_shown: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['repositories', 'next', 'not_read', 'not_shown'],
}

const VariableInfo: Schema<types.VariableInfo> = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    dimensions: { type: 'array', items: { type: ['string', 'null'] } },
    attributes: { type: 'object' },
  },
  required: ['type', 'dimensions', 'attributes'],
}

export const DatasetInfo: Schema<types.DatasetInfo> = {
  type: 'object',
  properties: {
    dimensions: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    variables: { type: 'object', additionalProperties: VariableInfo },
    global_attributes: { type: 'object' },
  },
  required: ['dimensions', 'variables', 'global_attributes'],
}

export const DatasetKeys: Schema<types.DatasetKeys> = { type: 'array', items: { type: 'string' } }

const VariableDict: Schema<types.VariableDict> = {
  type: 'object',
  properties: {
    dims: { type: 'array', items: { type: ['string', 'null'] } },
    attrs: { type: 'object' },
    dtype: { type: 'string' },
    shape: { type: 'array', items: { type: 'integer', minimum: 0 } },
  },
  required: ['dims', 'attrs', 'dtype', 'shape'],
}

export const DatasetDict: Schema<types.DatasetDict> = {
  type: 'object',
  properties: {
    coords: { type: 'object', additionalProperties: VariableDict },
    attrs: { type: 'object' },
    dims: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    data_vars: { type: 'object', additionalProperties: VariableDict },
  },
  required: ['coords', 'attrs', 'dims', 'data_vars'],
}

const SnapshotId: Schema<types.SnapshotId> = { type: 'string', pattern: '^[0-9A-HJKMNP-TV-Z]{19}[0G]$' }

const StatedLicence: Schema<types.StatedLicence> = {
  type: 'object',
  properties: { text: { type: 'string' }, attribute: { type: 'string' }, spdx: { type: ['string', 'null'] } },
  required: ['text', 'attribute', 'spdx'],
}

export const Citation: Schema<types.Citation> = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    creators: { type: 'array', items: { type: 'string' } },
    repository: { type: 'string' },
    group: { type: 'string' },
    open_address: { type: ['string', 'null'] },
    snapshot_id: SnapshotId,
    written_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    url: { type: 'string' },
    doi: { type: ['string', 'null'] },
    retraction: { type: ['string', 'null'] },
    licence: { anyOf: [StatedLicence, { type: 'null' }] },
    text: { type: 'string' },
    bibtex: { type: 'string' },
    csl: { type: 'object' },
    code: { type: 'string' },
  },
  required: [
    'title',
    'creators',
    'repository',
    'group',
    'open_address',
    'snapshot_id',
    'written_at',
    'url',
    'doi',
    'retraction',
    'licence',
    'text',
    'bibtex',
    'csl',
    'code',
  ],
}

const PathChange: Schema<types.PathChange> = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    changes: { minItems: 1, type: 'array', items: { type: 'string' } },
    chunks: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    moved_from: { type: ['string', 'null'] },
  },
  required: ['path', 'changes', 'chunks', 'moved_from'],
}

const CommitChanges: Schema<types.CommitChanges> = {
  type: 'object',
  properties: {
    nodes: { maxItems: 500, type: 'array', items: PathChange },
    count: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unknown_reason: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['nodes', 'count', 'unknown_reason'],
}

const HistoryCommit: Schema<types.HistoryCommit> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    parent_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    commit_message: { type: 'string' },
    written_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    author_id: { type: 'string' },
    metadata: { type: 'object' },
    changes: CommitChanges,
  },
  required: ['snapshot_id', 'parent_snapshot_id', 'commit_message', 'written_at', 'author_id', 'metadata'],
}

export const HistoryPage: Schema<types.HistoryPage> = {
  type: 'object',
  properties: {
    commits: { type: 'array', items: HistoryCommit },
    next: { anyOf: [SnapshotId, { type: 'null' }] },
    until_found: { type: ['boolean', 'null'] },
    missing_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
  },
  required: ['commits', 'next', 'until_found', 'missing_snapshot_id'],
}

const RepositoryStatus: Schema<types.RepositoryStatus> = {
  type: 'object',
  properties: {
    availability: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
  },
  required: ['availability', 'since', 'reason'],
}

const FeatureFlag: Schema<types.FeatureFlag> = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    name: { type: ['string', 'null'] },
    enabled: { type: 'boolean' },
  },
  required: ['id', 'name', 'enabled'],
}

const BranchHead: Schema<types.BranchHead> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    snapshot_id: SnapshotId,
    commit: {
      anyOf: [
        {
          type: 'object',
          properties: {
            commit_message: { type: 'string', maxLength: 1024 },
            written_at: {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            author_id: { type: 'string', maxLength: 1024 },
          },
          required: ['commit_message', 'written_at', 'author_id'],
        },
        { type: 'null' },
      ],
    },
  },
  required: ['name', 'snapshot_id', 'commit'],
}

const FreshnessFacts: Schema<types.FreshnessFacts> = {
  type: 'object',
  properties: {
    last_commit_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    counts_from: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
  },
  required: ['last_commit_at', 'counts_from'],
}

const FreshnessState: Schema<types.FreshnessState> = {
  type: 'object',
  properties: {
    kind: { type: 'string', const: 'freshness' },
    branch: { type: 'string' },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    max_age: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    due: { anyOf: [{ type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }, { type: 'null' }] },
    days: { anyOf: [{ minItems: 1, maxItems: 7, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    path: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [FreshnessFacts, { type: 'null' }] },
  },
  required: [
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'max_age',
    'due',
    'days',
    'path',
    'state',
    'since',
    'snapshot_id',
    'due_at',
    'reason',
    'facts',
  ],
}

const IgnoredSlices: Schema<types.IgnoredSlices> = {
  type: 'object',
  properties: {
    dimension: { type: 'string', minLength: 1, maxLength: 255 },
    first: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['dimension', 'first', 'last'],
}

const AcceptedGap: Schema<types.AcceptedGap> = {
  type: 'object',
  properties: {
    first: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    note: { type: 'string', minLength: 1, maxLength: 200 },
  },
  required: ['first', 'last', 'note'],
}

const WrittenChunks: Schema<types.WrittenChunks> = {
  type: 'object',
  properties: {
    written: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['written', 'total'],
}

const IncompleteArray: Schema<types.IncompleteArray> = {
  type: 'object',
  properties: { path: { type: 'string' }, chunks: WrittenChunks },
  required: ['path', 'chunks'],
}

const IncompleteSteps: Schema<types.IncompleteSteps> = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    along: { type: 'string' },
    first: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    written: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    of: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['path', 'along', 'first', 'last', 'written', 'total', 'of'],
}

const WrittenFacts: Schema<types.WrittenFacts> = {
  type: 'object',
  properties: {
    arrays: { type: 'array', items: IncompleteArray },
    incomplete_arrays: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    gaps: { type: 'array', items: IncompleteSteps },
    incomplete_ranges: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['arrays', 'incomplete_arrays', 'gaps', 'incomplete_ranges'],
}

const WrittenState: Schema<types.WrittenState> = {
  type: 'object',
  properties: {
    kind: { type: 'string', const: 'written' },
    branch: { type: 'string' },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    path: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    along: { anyOf: [{ type: 'string', minLength: 1, maxLength: 255 }, { type: 'null' }] },
    except_last: { anyOf: [{ type: 'integer', minimum: 0, maximum: 10000 }, { type: 'null' }] },
    ignore: { anyOf: [{ maxItems: 20, type: 'array', items: IgnoredSlices }, { type: 'null' }] },
    accepted: { anyOf: [{ maxItems: 100, type: 'array', items: AcceptedGap }, { type: 'null' }] },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [WrittenFacts, { type: 'null' }] },
  },
  required: [
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'share',
    'path',
    'along',
    'except_last',
    'ignore',
    'accepted',
    'state',
    'since',
    'snapshot_id',
    'due_at',
    'reason',
    'facts',
  ],
}

const ChangeKind: Schema<types.ChangeKind> = { type: 'string' }

const ChangeVerdict: Schema<types.ChangeVerdict> = { type: 'string' }

const BrokenPromise: Schema<types.BrokenPromise> = {
  type: 'object',
  properties: {
    group: { type: 'string' },
    kind: ChangeKind,
    category: { type: 'string' },
    verdict: ChangeVerdict,
    variable: { type: ['string', 'null'] },
    dimension: { type: ['string', 'null'] },
    attribute: { type: ['string', 'null'] },
    before: {},
    after: {},
    widened: { type: 'boolean', const: true },
    moved_from: { type: 'string' },
    reason: { type: 'string' },
  },
  required: ['group', 'kind', 'category', 'verdict', 'variable', 'dimension', 'attribute', 'before', 'after'],
}

const ContractFacts: Schema<types.ContractFacts> = {
  type: 'object',
  properties: {
    breaks: { type: 'array', items: { type: 'string' } },
    breaking_changes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    changes: { type: 'array', items: BrokenPromise },
    last_good_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
  },
  required: ['breaks', 'breaking_changes', 'changes', 'last_good_snapshot_id'],
}

const ContractState: Schema<types.ContractState> = {
  type: 'object',
  properties: {
    kind: { type: 'string', const: 'contract' },
    branch: { type: 'string' },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [ContractFacts, { type: 'null' }] },
  },
  required: [
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'state',
    'since',
    'snapshot_id',
    'due_at',
    'reason',
    'facts',
  ],
}

const ProtectedFacts: Schema<types.ProtectedFacts> = {
  type: 'object',
  properties: {
    last_good_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    checked_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    violations: { maxItems: 10, type: 'array', items: { type: 'string' } },
    tags: { anyOf: [{ maxItems: 1000, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
  },
  required: ['last_good_snapshot_id', 'checked_at', 'violations', 'tags'],
}

const ProtectedState: Schema<types.ProtectedState> = {
  type: 'object',
  properties: {
    kind: { type: 'string', const: 'protected' },
    branch: { type: 'string' },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    authors: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    tags: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [ProtectedFacts, { type: 'null' }] },
  },
  required: [
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'authors',
    'tags',
    'state',
    'since',
    'snapshot_id',
    'due_at',
    'reason',
    'facts',
  ],
}

const GoodFacts: Schema<types.GoodFacts> = {
  type: 'object',
  properties: {
    last_good_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    behind: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    lacks: { maxItems: 10, type: 'array', items: { type: 'string' } },
  },
  required: ['last_good_snapshot_id', 'behind', 'lacks'],
}

const GoodState: Schema<types.GoodState> = {
  type: 'object',
  properties: {
    kind: { type: 'string', const: 'good' },
    branch: { type: 'string' },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { maxItems: 20, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    expectations: {
      anyOf: [
        { maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 100 } },
        { type: 'null' },
      ],
    },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [GoodFacts, { type: 'null' }] },
  },
  required: [
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'checks',
    'expectations',
    'state',
    'since',
    'snapshot_id',
    'due_at',
    'reason',
    'facts',
  ],
}

const ExpectationState: Schema<types.ExpectationState> = {
  oneOf: [
    FreshnessState,
    WrittenState,
    ContractState,
    ProtectedState,
    GoodState,
    { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  ],
}

const PublishedStorage: Schema<types.PublishedStorage> = {
  oneOf: [
    {
      type: 'object',
      properties: {
        storage: { type: 'string', const: 's3' },
        bucket: { type: 'string' },
        prefix: { type: 'string' },
        region: { type: ['string', 'null'] },
        endpoint: { type: ['string', 'null'] },
        path_style: { type: 'boolean' },
        anonymous: { type: 'boolean' },
      },
      required: ['storage', 'bucket', 'prefix', 'region', 'endpoint', 'path_style', 'anonymous'],
    },
    {
      type: 'object',
      properties: {
        storage: { type: 'string', const: 'gcs' },
        bucket: { type: 'string' },
        prefix: { type: 'string' },
        anonymous: { type: 'boolean' },
      },
      required: ['storage', 'bucket', 'prefix', 'anonymous'],
    },
    {
      type: 'object',
      properties: {
        storage: { type: 'string', const: 'azure' },
        account: { type: 'string' },
        container: { type: 'string' },
        prefix: { type: 'string' },
        anonymous: { type: 'boolean' },
      },
      required: ['storage', 'account', 'container', 'prefix', 'anonymous'],
    },
    {
      type: 'object',
      properties: { storage: { type: 'string', const: 'http' }, url: { type: 'string' } },
      required: ['storage', 'url'],
    },
  ],
}

export const RepositorySummary: Schema<types.RepositorySummary> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    format_version: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    status: RepositoryStatus,
    metadata: { type: 'object' },
    feature_flags: { type: 'array', items: FeatureFlag },
    commits: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    branches: { type: 'array', items: BranchHead },
    tags: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    main_snapshot_bytes: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    expectations: { anyOf: [{ type: 'array', items: ExpectationState }, { type: 'null' }] },
    open_address: { type: ['string', 'null'] },
    open: { anyOf: [PublishedStorage, { type: 'null' }] },
    containers: { anyOf: [{ type: 'array', items: VirtualContainer }, { type: 'null' }] },
  },
  required: [
    'name',
    'format_version',
    'status',
    'metadata',
    'feature_flags',
    'commits',
    'branches',
    'tags',
    'main_snapshot_bytes',
    'expectations',
    'open_address',
    'open',
    'containers',
  ],
}

const Operation: Schema<types.Operation> = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    done_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    branch: { type: ['string', 'null'] },
    tag: { type: ['string', 'null'] },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    previous_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    author_id: { type: ['string', 'null'] },
    feature_flag: {
      anyOf: [
        {
          type: 'object',
          properties: {
            id: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
            enabled: { type: ['boolean', 'null'] },
          },
          required: ['id', 'enabled'],
        },
        { type: 'null' },
      ],
    },
    status: { anyOf: [RepositoryStatus, { type: 'null' }] },
    migration: {
      anyOf: [
        {
          type: 'object',
          properties: {
            from: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
            to: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
          },
          required: ['from', 'to'],
        },
        { type: 'null' },
      ],
    },
  },
  required: [
    'kind',
    'done_at',
    'branch',
    'tag',
    'snapshot_id',
    'previous_snapshot_id',
    'author_id',
    'feature_flag',
    'status',
    'migration',
  ],
}

export const OperationsPage: Schema<types.OperationsPage> = {
  type: 'object',
  properties: {
    operations: { type: 'array', items: Operation },
    next: {
      anyOf: [
        { type: 'string', pattern: '^\\d{1,18}(?:@repo\\.\\d{14}\\.[0-9A-HJKMNP-TV-Z]{19}[0G])?$' },
        { type: 'null' },
      ],
    },
    is_cut_off: { type: 'boolean' },
    operations_unavailable_reason: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['operations', 'next', 'is_cut_off', 'operations_unavailable_reason'],
}

const CheckFigure: Schema<types.CheckFigure> = {
  type: 'object',
  properties: {
    value: { type: 'number' },
    unit: { type: 'string', minLength: 1, maxLength: 32, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  },
  required: ['value'],
}

export const Check: Schema<types.Check> = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    state: { type: 'string' },
    text: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    link: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 2048, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    figures: { type: 'object', additionalProperties: CheckFigure },
    posted_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
  },
  required: ['name', 'state', 'text', 'link', 'figures', 'posted_at'],
}

export const CheckList: Schema<types.CheckList> = {
  type: 'object',
  properties: { items: { type: 'array', items: Check } },
  required: ['items'],
}

const GoodLack: Schema<types.GoodLack> = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    name: { type: 'string' },
    state: { type: 'string' },
    text: { type: ['string', 'null'] },
  },
  required: ['kind', 'name', 'state', 'text'],
}

const JudgedHead: Schema<types.JudgedHead> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    seen_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    state: { type: 'string' },
    lacks: { type: 'array', items: GoodLack },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
  },
  required: ['snapshot_id', 'seen_at', 'state', 'lacks', 'due_at'],
}

export const GoodBranch: Schema<types.GoodBranch> = {
  type: 'object',
  properties: {
    branch: { type: 'string' },
    head_snapshot_id: SnapshotId,
    requires: {
      anyOf: [
        {
          type: 'object',
          properties: {
            checks: { type: 'array', items: { type: 'string' } },
            expectations: { type: 'array', items: { type: 'string' } },
          },
          required: ['checks', 'expectations'],
        },
        { type: 'null' },
      ],
    },
    last_good_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    behind: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    heads: { type: 'array', items: JudgedHead },
  },
  required: ['branch', 'head_snapshot_id', 'requires', 'last_good_snapshot_id', 'behind', 'since', 'heads'],
}

const Successor: Schema<types.Successor> = {
  type: 'object',
  properties: {
    repo: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    ref: { type: ['string', 'null'] },
    link: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 2048, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
  },
  required: ['repo', 'ref', 'link'],
}

export const Remark: Schema<types.Remark> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string' },
    snapshot: { anyOf: [SnapshotId, { type: 'null' }] },
    from: { anyOf: [SnapshotId, { type: 'null' }] },
    to: { anyOf: [SnapshotId, { type: 'null' }] },
    ref: { type: ['string', 'null'] },
    path: { type: ['string', 'null'] },
    text: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    until: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    superseded_by: { anyOf: [Successor, { type: 'null' }] },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
  },
  required: [
    'id',
    'kind',
    'snapshot',
    'from',
    'to',
    'ref',
    'path',
    'text',
    'since',
    'until',
    'superseded_by',
    'created_at',
    'updated_at',
  ],
}

export const FoundRemarks: Schema<types.FoundRemarks> = {
  type: 'object',
  properties: { items: { type: 'array', items: Remark } },
  required: ['items'],
}

const ChangedAttributes: Schema<types.ChangedAttributes> = {
  type: 'object',
  properties: {
    created: { type: 'object' },
    deleted: { type: 'object' },
    updated: { type: 'object', additionalProperties: { minItems: 2, maxItems: 2, type: 'array' } },
  },
  required: ['created', 'deleted', 'updated'],
}

const UpdatedNode: Schema<types.UpdatedNode> = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    replaced: { type: 'boolean', const: true },
    attributes: ChangedAttributes,
    shape: { minItems: 2, maxItems: 2, type: 'array' },
    data_type: { minItems: 2, maxItems: 2, type: 'array' },
    dimension_names: { minItems: 2, maxItems: 2, type: 'array' },
    chunk_shape: { minItems: 2, maxItems: 2, type: 'array' },
    shard_shape: { minItems: 2, maxItems: 2, type: 'array' },
    codecs: { minItems: 2, maxItems: 2, type: 'array' },
    fill_value: { minItems: 2, maxItems: 2, type: 'array' },
    other: { type: 'object', additionalProperties: { minItems: 2, maxItems: 2, type: 'array' } },
    unreadable: { type: 'string' },
  },
  required: ['path'],
}

const ChangedNodes: Schema<types.ChangedNodes> = {
  type: 'object',
  properties: {
    created: { type: 'array', items: { type: 'string' } },
    deleted: { type: 'array', items: { type: 'string' } },
    updated: { type: 'array', items: UpdatedNode },
  },
  required: ['created', 'deleted', 'updated'],
}

const StoredBytes: Schema<types.StoredBytes> = {
  type: 'object',
  properties: {
    native: {
      type: 'object',
      properties: {
        chunks: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        bytes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['chunks', 'bytes'],
    },
    inline: {
      type: 'object',
      properties: {
        chunks: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        bytes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['chunks', 'bytes'],
    },
    virtual: {
      type: 'object',
      properties: {
        chunks: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        bytes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['chunks', 'bytes'],
    },
  },
  required: ['native', 'inline', 'virtual'],
}

const ChangedBytes: Schema<types.ChangedBytes> = {
  type: 'object',
  properties: { before: { anyOf: [StoredBytes, { type: 'null' }] }, after: { anyOf: [StoredBytes, { type: 'null' }] } },
  required: ['before', 'after'],
}

const PositionRange: Schema<types.PositionRange> = {
  type: 'object',
  properties: {
    first: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['first', 'last'],
}

const ChangedNodeCounts: Schema<types.ChangedNodeCounts> = {
  type: 'object',
  properties: {
    created: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    deleted: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    updated: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['created', 'deleted', 'updated'],
}

export const Diff: Schema<types.Diff> = {
  type: 'object',
  properties: {
    from_snapshot_id: SnapshotId,
    to_snapshot_id: SnapshotId,
    groups: ChangedNodes,
    arrays: ChangedNodes,
    moved: {
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'string' }, to: { type: 'string' } },
        required: ['from', 'to'],
      },
    },
    chunks: {
      anyOf: [
        {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              count: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
              before: { anyOf: [WrittenChunks, { type: 'null' }] },
              after: { anyOf: [WrittenChunks, { type: 'null' }] },
              bytes: ChangedBytes,
              along: { type: ['string', 'null'] },
              filled: { anyOf: [{ maxItems: 1000, type: 'array', items: PositionRange }, { type: 'null' }] },
            },
            required: ['path', 'count', 'before', 'after'],
          },
        },
        { type: 'null' },
      ],
    },
    bytes: ChangedBytes,
    chunks_unavailable_reason: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    counts: {
      type: 'object',
      properties: {
        groups: ChangedNodeCounts,
        arrays: ChangedNodeCounts,
        moved: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        chunks: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
      },
      required: ['groups', 'arrays', 'moved', 'chunks'],
    },
    truncated: { type: 'boolean' },
  },
  required: [
    'from_snapshot_id',
    'to_snapshot_id',
    'groups',
    'arrays',
    'moved',
    'chunks',
    'chunks_unavailable_reason',
    'counts',
    'truncated',
  ],
}

const StateVerdict: Schema<types.StateVerdict> = { type: 'string' }

const DatasetChange: Schema<types.DatasetChange> = {
  type: 'object',
  properties: {
    kind: ChangeKind,
    category: { type: 'string' },
    verdict: ChangeVerdict,
    variable: { type: ['string', 'null'] },
    dimension: { type: ['string', 'null'] },
    attribute: { type: ['string', 'null'] },
    before: {},
    after: {},
    widened: { type: 'boolean', const: true },
    moved_from: { type: 'string' },
    reason: { type: 'string' },
  },
  required: ['kind', 'category', 'verdict', 'variable', 'dimension', 'attribute', 'before', 'after'],
}

const DatasetNote: Schema<types.DatasetNote> = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    dimension: { type: 'string' },
    size: { type: 'integer', minimum: 0 },
    parent: { type: 'string' },
    parent_size: { type: 'integer', minimum: 0 },
  },
  required: ['kind', 'dimension', 'size', 'parent', 'parent_size'],
}

const ComparedDataset: Schema<types.ComparedDataset> = {
  type: 'object',
  properties: {
    group: { type: 'string' },
    verdict: StateVerdict,
    changes: { type: 'array', items: DatasetChange },
    notes: { type: 'array', items: DatasetNote },
  },
  required: ['group', 'verdict', 'changes', 'notes'],
}

const VerdictCounts: Schema<types.VerdictCounts> = {
  type: 'object',
  properties: {
    breaking: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unknown: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    compatible: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['breaking', 'unknown', 'compatible'],
}

export const Compatibility: Schema<types.Compatibility> = {
  type: 'object',
  properties: {
    from_snapshot_id: SnapshotId,
    to_snapshot_id: SnapshotId,
    verdict: StateVerdict,
    datasets: { type: 'array', items: ComparedDataset },
    counts: {
      type: 'object',
      properties: {
        datasets: VerdictCounts,
        changes: VerdictCounts,
        notes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        not_compared: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['datasets', 'changes', 'notes', 'not_compared'],
    },
    truncated: { type: 'boolean' },
  },
  required: ['from_snapshot_id', 'to_snapshot_id', 'verdict', 'datasets', 'counts', 'truncated'],
}

const ContractedDimension: Schema<types.ContractedDimension> = {
  type: 'object',
  properties: { size: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
}

const ContractedVariable: Schema<types.ContractedVariable> = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    dimensions: { type: 'array', items: { type: ['string', 'null'] } },
    role: { type: 'string', enum: ['coordinate', 'data'] },
    units: { type: 'string' },
    standard_name: { type: 'string' },
  },
}

const ContractedDataset: Schema<types.ContractedDataset> = {
  type: 'object',
  properties: {
    dimensions: { type: 'object', additionalProperties: ContractedDimension },
    variables: { type: 'object', additionalProperties: ContractedVariable },
  },
}

export const DatasetContract: Schema<types.DatasetContract> = {
  type: 'object',
  properties: {
    version: { type: 'number', const: 1 },
    datasets: { type: 'object', additionalProperties: ContractedDataset },
  },
  required: ['version', 'datasets'],
}

export const ContractVerdict: Schema<types.ContractVerdict> = {
  type: 'object',
  properties: {
    to_snapshot_id: SnapshotId,
    verdict: StateVerdict,
    datasets: { type: 'array', items: ComparedDataset },
    counts: {
      type: 'object',
      properties: {
        datasets: VerdictCounts,
        changes: VerdictCounts,
        notes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        not_compared: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['datasets', 'changes', 'notes', 'not_compared'],
    },
    truncated: { type: 'boolean' },
  },
  required: ['to_snapshot_id', 'verdict', 'datasets', 'counts', 'truncated'],
}

const UncountedReason: Schema<types.UncountedReason> = { type: 'string' }

const ArrayCompleteness: Schema<types.ArrayCompleteness> = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    chunks: { anyOf: [WrittenChunks, { type: 'null' }] },
    reason: { anyOf: [UncountedReason, { type: 'null' }] },
    bytes: { anyOf: [StoredBytes, { type: 'null' }] },
  },
  required: ['path', 'chunks', 'reason'],
}

export const Completeness: Schema<types.Completeness> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    arrays: { type: 'array', items: ArrayCompleteness },
    counts: {
      type: 'object',
      properties: {
        incomplete: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        unknown: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        complete: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['incomplete', 'unknown', 'complete'],
    },
    bytes: { anyOf: [StoredBytes, { type: 'null' }] },
    truncated: { type: 'boolean' },
  },
  required: ['snapshot_id', 'arrays', 'counts', 'truncated'],
}

const UnknownGapsReason: Schema<types.UnknownGapsReason> = { type: 'string' }

const ChunkGap: Schema<types.ChunkGap> = {
  type: 'object',
  properties: {
    first: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    written: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    total: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['first', 'last', 'written', 'total'],
}

const EmptySlices: Schema<types.EmptySlices> = {
  type: 'object',
  properties: {
    dimension: { type: 'string' },
    first: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['dimension', 'first', 'last'],
}

const WrittenProfile: Schema<types.WrittenProfile> = {
  type: 'object',
  properties: {
    bin: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    written: { maxItems: 2000, type: 'array', items: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
  },
  required: ['bin', 'written'],
}

const GapDimension: Schema<types.GapDimension> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    positions: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    size: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    profile: { anyOf: [WrittenProfile, { type: 'null' }] },
  },
  required: ['name', 'positions', 'size', 'profile'],
}

const ArrayGaps: Schema<types.ArrayGaps> = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    along: { type: ['string', 'null'] },
    chunks: { anyOf: [WrittenChunks, { type: 'null' }] },
    reason: { anyOf: [UnknownGapsReason, { type: 'null' }] },
    outside: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    last_written: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
    gaps: { maxItems: 1000, type: 'array', items: ChunkGap },
    patterns: { maxItems: 1000, type: 'array', items: EmptySlices },
    dimensions: { type: 'array', items: GapDimension },
  },
  required: ['path', 'along', 'chunks', 'reason', 'outside', 'last_written', 'gaps', 'patterns', 'dimensions'],
}

export const Gaps: Schema<types.Gaps> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    arrays: { type: 'array', items: ArrayGaps },
    next: { type: ['string', 'null'] },
    truncated: { type: 'boolean' },
  },
  required: ['snapshot_id', 'arrays', 'next', 'truncated'],
}

const SourceFile: Schema<types.SourceFile> = {
  type: 'object',
  properties: {
    file: { type: 'string' },
    chunks: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    bytes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    arrays: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['file', 'chunks', 'bytes', 'arrays'],
}

const ServedArray: Schema<types.ServedArray> = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    chunks: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    bytes: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    ranges: {
      maxItems: 1000,
      type: 'array',
      items: {
        type: 'object',
        properties: {
          first: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
          last: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
        },
        required: ['first', 'last'],
      },
    },
  },
  required: ['path', 'chunks', 'bytes', 'ranges'],
}

const UnreadArray: Schema<types.UnreadArray> = {
  type: 'object',
  properties: { path: { type: 'string' }, reason: UnknownGapsReason },
  required: ['path', 'reason'],
}

export const ChunkSources: Schema<types.ChunkSources> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    files: { type: 'array', items: SourceFile },
    arrays: { anyOf: [{ type: 'array', items: ServedArray }, { type: 'null' }] },
    unknown: { type: 'array', items: UnreadArray },
    next: { type: ['string', 'null'] },
    truncated: { type: 'boolean' },
  },
  required: ['snapshot_id', 'files', 'arrays', 'unknown', 'next', 'truncated'],
}

export const ZarrDocument: Schema<types.ZarrDocument> = { type: 'object' }

const StatedExtent: Schema<types.StatedExtent> = {
  type: 'object',
  properties: {
    bbox: { anyOf: [{ minItems: 4, maxItems: 4, type: 'array', items: { type: 'number' } }, { type: 'null' }] },
    start: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    end: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
  },
  required: ['bbox', 'start', 'end'],
}

const FoundVariable: Schema<types.FoundVariable> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    standard_name: { anyOf: [{ type: 'string', maxLength: 256 }, { type: 'null' }] },
    long_name: { anyOf: [{ type: 'string', maxLength: 256 }, { type: 'null' }] },
    units: { anyOf: [{ type: 'string', maxLength: 256 }, { type: 'null' }] },
    type: { type: 'string' },
    dimensions: { type: 'array', items: { type: 'string' } },
    matched: { type: 'boolean' },
  },
  required: ['name', 'standard_name', 'long_name', 'units', 'type', 'dimensions', 'matched'],
}

const FoundDataset: Schema<types.FoundDataset> = {
  type: 'object',
  properties: {
    repo: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    branch: { type: 'string' },
    snapshot_id: SnapshotId,
    group: { type: 'string', maxLength: 4096 },
    title: { anyOf: [{ type: 'string', maxLength: 1024 }, { type: 'null' }] },
    summary: { anyOf: [{ type: 'string', maxLength: 1024 }, { type: 'null' }] },
    dimensions: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    extent: StatedExtent,
    kind: { type: ['string', 'null'] },
    variables: { maxItems: 20, type: 'array', items: FoundVariable },
    variable_count: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    changed: {
      type: 'object',
      properties: {
        at: {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        message: { type: 'string' },
      },
      required: ['at', 'message'],
    },
    refusal: { type: ['string', 'null'] },
    remarks: { maxItems: 3, type: 'array', items: Remark },
    href: { type: 'string' },
  },
  required: [
    'repo',
    'branch',
    'snapshot_id',
    'group',
    'title',
    'summary',
    'dimensions',
    'extent',
    'kind',
    'variables',
    'variable_count',
    'changed',
    'refusal',
    'remarks',
    'href',
  ],
}

const FacetValues: Schema<types.FacetValues> = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      value: { type: 'string' },
      count: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['value', 'count'],
  },
}

const UnknownWord: Schema<types.UnknownWord> = {
  type: 'object',
  properties: {
    word: { type: 'string' },
    near: { type: 'array', items: { type: 'string' } },
    repository: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
  },
  required: ['word', 'near', 'repository'],
}

export const SearchAnswer: Schema<types.SearchAnswer> = {
  type: 'object',
  properties: {
    results: { type: 'array', items: FoundDataset },
    facets: {
      type: 'object',
      properties: {
        variable: FacetValues,
        standard_name: FacetValues,
        units: FacetValues,
        dimension: FacetValues,
        dtype: FacetValues,
        institution: FacetValues,
        keyword: FacetValues,
        licence: FacetValues,
        kind: FacetValues,
      },
    },
    total: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    total_is_exact: { type: 'boolean' },
    without_extent: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    unknown_words: { type: 'array', items: UnknownWord },
    next: { type: ['string', 'null'] },
    index: {
      type: 'object',
      properties: {
        repositories: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
        pending: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
        failed: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
        oldest: {
          anyOf: [
            {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            { type: 'null' },
          ],
        },
        omitted: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
      },
      required: ['repositories', 'pending', 'failed', 'oldest', 'omitted'],
    },
  },
  required: ['results', 'facets', 'total', 'total_is_exact', 'without_extent', 'unknown_words', 'next', 'index'],
}

const StacLink: Schema<types.StacLink> = {
  type: 'object',
  properties: {
    rel: { type: 'string' },
    href: { type: 'string' },
    type: { type: 'string' },
    title: { type: 'string' },
  },
  required: ['rel', 'href'],
}

export const StacCatalog: Schema<types.StacCatalog> = {
  type: 'object',
  properties: {
    type: { type: 'string', const: 'Catalog' },
    stac_version: { type: 'string' },
    id: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    links: { type: 'array', items: StacLink },
  },
  required: ['type', 'stac_version', 'id', 'title', 'description', 'links'],
}

const StacCubeDimension: Schema<types.StacCubeDimension> = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    axis: { type: 'string' },
    extent: { type: 'array', items: { type: ['number', 'string', 'null'] } },
    unit: { type: 'string' },
    description: { type: 'string' },
  },
  required: ['type', 'extent'],
}

const StacCubeVariable: Schema<types.StacCubeVariable> = {
  type: 'object',
  properties: {
    dimensions: { type: 'array', items: { type: 'string' } },
    type: { type: 'string' },
    shape: { type: 'array', items: { type: 'number' } },
    data_type: { type: 'string' },
    unit: { type: 'string' },
    description: { type: 'string' },
  },
  required: ['dimensions', 'type', 'shape', 'data_type'],
}

const StacAsset: Schema<types.StacAsset> = {
  type: 'object',
  properties: {
    href: { type: 'string' },
    type: { type: 'string' },
    title: { type: 'string' },
    roles: { type: 'array', items: { type: 'string' } },
    version: { type: 'string' },
    'storage:refs': { type: 'array', items: { type: 'string' } },
    'proj:code': { type: 'string' },
    'proj:bbox': { type: 'array', items: { type: 'number' } },
    'proj:transform': { type: 'array', items: { type: 'number' } },
    'proj:shape': { type: 'array', items: { type: 'number' } },
  },
  required: ['href', 'type', 'title', 'roles', 'version'],
}

export const StacCollection: Schema<types.StacCollection> = {
  type: 'object',
  properties: {
    type: { type: 'string', const: 'Collection' },
    stac_version: { type: 'string' },
    stac_extensions: { type: 'array', items: { type: 'string' } },
    id: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    keywords: { type: 'array', items: { type: 'string' } },
    license: { type: 'string' },
    providers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, roles: { type: 'array', items: { type: 'string' } } },
        required: ['name', 'roles'],
      },
    },
    extent: {
      type: 'object',
      properties: {
        spatial: {
          type: 'object',
          properties: { bbox: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
          required: ['bbox'],
        },
        temporal: {
          type: 'object',
          properties: { interval: { type: 'array', items: { type: 'array', items: { type: ['string', 'null'] } } } },
          required: ['interval'],
        },
      },
      required: ['spatial', 'temporal'],
    },
    version: SnapshotId,
    updated: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    deprecated: { type: 'boolean', const: true },
    'sci:doi': { type: 'string' },
    'proj:code': { type: 'string' },
    'proj:bbox': { type: 'array', items: { type: 'number' } },
    'proj:transform': { type: 'array', items: { type: 'number' } },
    'proj:shape': { type: 'array', items: { type: 'number' } },
    'cube:dimensions': { type: 'object', additionalProperties: StacCubeDimension },
    'cube:variables': { type: 'object', additionalProperties: StacCubeVariable },
    'storage:schemes': { type: 'object', additionalProperties: { type: 'object' } },
    assets: { type: 'object', additionalProperties: StacAsset },
    links: { type: 'array', items: StacLink },
  },
  required: [
    'type',
    'stac_version',
    'stac_extensions',
    'id',
    'title',
    'description',
    'license',
    'extent',
    'version',
    'updated',
    'links',
  ],
}

const DataHubProposal: Schema<types.DataHubProposal> = {
  type: 'object',
  properties: {
    entityType: { type: 'string', const: 'dataset' },
    entityUrn: { type: 'string' },
    changeType: { type: 'string', const: 'UPSERT' },
    aspectName: { type: 'string' },
    aspect: { type: 'object', properties: { json: { type: 'object' } }, required: ['json'] },
  },
  required: ['entityType', 'entityUrn', 'changeType', 'aspectName', 'aspect'],
}

export const DataHubProposals: Schema<types.DataHubProposals> = { type: 'array', items: DataHubProposal }

const OpenMetadataColumn: Schema<types.OpenMetadataColumn> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    dataType: { type: 'string' },
    arrayDataType: { type: 'string' },
    dataTypeDisplay: { type: 'string' },
    description: { type: 'string' },
  },
  required: ['name', 'dataType', 'dataTypeDisplay'],
}

export const OpenMetadataContainer: Schema<types.OpenMetadataContainer> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    displayName: { type: 'string' },
    description: { type: 'string' },
    service: { type: 'string' },
    sourceUrl: { type: 'string' },
    dataModel: {
      type: 'object',
      properties: {
        isPartitioned: { type: 'boolean', const: false },
        columns: { type: 'array', items: OpenMetadataColumn },
      },
      required: ['isPartitioned', 'columns'],
    },
  },
  required: ['name', 'displayName', 'description', 'service', 'dataModel'],
}

const NotificationCommit: Schema<types.NotificationCommit> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    commit_message: { type: 'string', maxLength: 16384 },
    written_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    author_id: { type: 'string', maxLength: 1024 },
  },
  required: ['snapshot_id', 'commit_message', 'written_at', 'author_id'],
}

const CommitsUnavailableReason: Schema<types.CommitsUnavailableReason> = {
  type: 'string',
  enum: ['first_observation', 'history_rewritten', 'too_many_commits', 'repo_format_v1'],
}

const ChangedPaths: Schema<types.ChangedPaths> = {
  type: 'object',
  properties: {
    created: { maxItems: 50, type: 'array', items: { type: 'string' } },
    deleted: { maxItems: 50, type: 'array', items: { type: 'string' } },
    updated: { maxItems: 50, type: 'array', items: { type: 'string' } },
    moved: {
      maxItems: 50,
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'string' }, to: { type: 'string' } },
        required: ['from', 'to'],
      },
    },
    counts: {
      type: 'object',
      properties: {
        created: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        deleted: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        updated: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        moved: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
      },
      required: ['created', 'deleted', 'updated', 'moved'],
    },
  },
  required: ['created', 'deleted', 'updated', 'moved', 'counts'],
}

const NewCommitDetails: Schema<types.NewCommitDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    branch: { type: 'string', minLength: 1 },
    snapshot_id: SnapshotId,
    parent_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    previous_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    commit_message: { type: 'string', maxLength: 16384 },
    written_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    author_id: { type: 'string', maxLength: 1024 },
    commits: { anyOf: [{ minItems: 1, type: 'array', items: NotificationCommit }, { type: 'null' }] },
    commits_unavailable_reason: { anyOf: [CommitsUnavailableReason, { type: 'null' }] },
    changes: { anyOf: [ChangedPaths, { type: 'null' }] },
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'branch',
    'snapshot_id',
    'parent_snapshot_id',
    'previous_snapshot_id',
    'commit_message',
    'written_at',
    'author_id',
    'commits',
    'commits_unavailable_reason',
  ],
  oneOf: [
    {
      properties: {
        previous_snapshot_id: { type: 'string' },
        commits: { type: 'array' },
        commits_unavailable_reason: { type: 'null' },
      },
    },
    {
      properties: {
        previous_snapshot_id: { type: 'null' },
        commits: { type: 'null' },
        commits_unavailable_reason: { const: 'first_observation' },
      },
    },
    {
      properties: {
        previous_snapshot_id: { type: 'string' },
        commits: { type: 'null' },
        commits_unavailable_reason: { enum: ['history_rewritten', 'too_many_commits', 'repo_format_v1'] },
      },
    },
  ],
}

const NewCommit: Schema<types.NewCommit> = {
  type: 'object',
  properties: { event: { type: 'string', const: 'NewCommit' }, details: NewCommitDetails },
  required: ['event', 'details'],
}

const NotifiedChange: Schema<types.NotifiedChange> = {
  type: 'object',
  properties: {
    group: { type: 'string' },
    kind: ChangeKind,
    category: { type: 'string' },
    verdict: ChangeVerdict,
    variable: { type: ['string', 'null'] },
    dimension: { type: ['string', 'null'] },
    attribute: { type: ['string', 'null'] },
    before: {},
    after: {},
    widened: { type: 'boolean', const: true },
    moved_from: { type: 'string' },
    reason: { type: 'string' },
  },
  required: ['group', 'kind', 'category', 'verdict', 'variable', 'dimension', 'attribute', 'before', 'after'],
}

const NotifiedCounts: Schema<types.NotifiedCounts> = {
  type: 'object',
  properties: {
    breaking: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    unknown: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    compatible: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    not_compared: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
  },
  required: ['breaking', 'unknown', 'compatible', 'not_compared'],
}

const NotComparedReason: Schema<types.NotComparedReason> = { type: 'string' }

const SchemaChangedDetails: Schema<types.SchemaChangedDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    branch: { type: 'string', minLength: 1 },
    snapshot_id: SnapshotId,
    parent_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    previous_snapshot_id: SnapshotId,
    verdict: ChangeVerdict,
    changes: { maxItems: 50, type: 'array', items: NotifiedChange },
    counts: { anyOf: [NotifiedCounts, { type: 'null' }] },
    not_compared_reason: { anyOf: [NotComparedReason, { type: 'null' }] },
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'branch',
    'snapshot_id',
    'parent_snapshot_id',
    'previous_snapshot_id',
    'verdict',
    'changes',
    'counts',
    'not_compared_reason',
  ],
}

const SchemaChanged: Schema<types.SchemaChanged> = {
  type: 'object',
  properties: { event: { type: 'string', const: 'SchemaChanged' }, details: SchemaChangedDetails },
  required: ['event', 'details'],
}

const BranchCreated: Schema<types.BranchCreated> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'BranchCreated' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        branch: { type: 'string', minLength: 1 },
        snapshot_id: SnapshotId,
        previous_snapshot_id: { type: ['string', 'null'], const: null },
      },
      required: ['org_name', 'repo_name', 'repo_id', 'branch', 'snapshot_id', 'previous_snapshot_id'],
    },
  },
  required: ['event', 'details'],
}

const BranchDeleted: Schema<types.BranchDeleted> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'BranchDeleted' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        branch: { type: 'string', minLength: 1 },
        snapshot_id: { type: ['string', 'null'], const: null },
        previous_snapshot_id: SnapshotId,
      },
      required: ['org_name', 'repo_name', 'repo_id', 'branch', 'snapshot_id', 'previous_snapshot_id'],
    },
  },
  required: ['event', 'details'],
}

const TagCreated: Schema<types.TagCreated> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'TagCreated' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        tag: { type: 'string', minLength: 1 },
        snapshot_id: SnapshotId,
        previous_snapshot_id: { type: ['string', 'null'], const: null },
      },
      required: ['org_name', 'repo_name', 'repo_id', 'tag', 'snapshot_id', 'previous_snapshot_id'],
    },
  },
  required: ['event', 'details'],
}

const TagDeleted: Schema<types.TagDeleted> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'TagDeleted' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        tag: { type: 'string', minLength: 1 },
        snapshot_id: { type: ['string', 'null'], const: null },
        previous_snapshot_id: SnapshotId,
      },
      required: ['org_name', 'repo_name', 'repo_id', 'tag', 'snapshot_id', 'previous_snapshot_id'],
    },
  },
  required: ['event', 'details'],
}

const FreshnessEventDetails: Schema<types.FreshnessEventDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    branch: { type: 'string' },
    since: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    reminder: { type: 'boolean' },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    reason: { type: ['string', 'null'] },
    kind: { type: 'string', const: 'freshness' },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    max_age: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    due: { anyOf: [{ type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }, { type: 'null' }] },
    days: { anyOf: [{ minItems: 1, maxItems: 7, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    path: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    facts: FreshnessFacts,
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'expectation_id',
    'expectation_alias',
    'branch',
    'since',
    'reminder',
    'snapshot_id',
    'reason',
    'kind',
    'severity',
    'within',
    'remind',
    'max_age',
    'due',
    'days',
    'path',
    'facts',
  ],
}

const WrittenEventDetails: Schema<types.WrittenEventDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    branch: { type: 'string' },
    since: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    reminder: { type: 'boolean' },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    reason: { type: ['string', 'null'] },
    kind: { type: 'string', const: 'written' },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    path: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    along: { anyOf: [{ type: 'string', minLength: 1, maxLength: 255 }, { type: 'null' }] },
    except_last: { anyOf: [{ type: 'integer', minimum: 0, maximum: 10000 }, { type: 'null' }] },
    ignore: { anyOf: [{ maxItems: 20, type: 'array', items: IgnoredSlices }, { type: 'null' }] },
    accepted: { anyOf: [{ maxItems: 100, type: 'array', items: AcceptedGap }, { type: 'null' }] },
    facts: WrittenFacts,
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'expectation_id',
    'expectation_alias',
    'branch',
    'since',
    'reminder',
    'snapshot_id',
    'reason',
    'kind',
    'severity',
    'within',
    'remind',
    'share',
    'path',
    'along',
    'except_last',
    'ignore',
    'accepted',
    'facts',
  ],
}

const ContractEventDetails: Schema<types.ContractEventDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    branch: { type: 'string' },
    since: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    reminder: { type: 'boolean' },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    reason: { type: ['string', 'null'] },
    kind: { type: 'string', const: 'contract' },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    facts: ContractFacts,
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'expectation_id',
    'expectation_alias',
    'branch',
    'since',
    'reminder',
    'snapshot_id',
    'reason',
    'kind',
    'severity',
    'within',
    'remind',
    'facts',
  ],
}

const ProtectedEventDetails: Schema<types.ProtectedEventDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    branch: { type: 'string' },
    since: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    reminder: { type: 'boolean' },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    reason: { type: ['string', 'null'] },
    kind: { type: 'string', const: 'protected' },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    authors: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    tags: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    facts: ProtectedFacts,
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'expectation_id',
    'expectation_alias',
    'branch',
    'since',
    'reminder',
    'snapshot_id',
    'reason',
    'kind',
    'severity',
    'within',
    'remind',
    'authors',
    'tags',
    'facts',
  ],
}

const GoodEventDetails: Schema<types.GoodEventDetails> = {
  type: 'object',
  properties: {
    org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
    repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    expectation_alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    branch: { type: 'string' },
    since: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    reminder: { type: 'boolean' },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    reason: { type: ['string', 'null'] },
    kind: { type: 'string', const: 'good' },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { maxItems: 20, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    expectations: {
      anyOf: [
        { maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 100 } },
        { type: 'null' },
      ],
    },
    facts: GoodFacts,
  },
  required: [
    'org_name',
    'repo_name',
    'repo_id',
    'expectation_id',
    'expectation_alias',
    'branch',
    'since',
    'reminder',
    'snapshot_id',
    'reason',
    'kind',
    'severity',
    'within',
    'remind',
    'checks',
    'expectations',
    'facts',
  ],
}

const ExpectationUnmet: Schema<types.ExpectationUnmet> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'ExpectationUnmet' },
    details: {
      oneOf: [
        FreshnessEventDetails,
        WrittenEventDetails,
        ContractEventDetails,
        ProtectedEventDetails,
        GoodEventDetails,
        { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
      ],
    },
  },
  required: ['event', 'details'],
}

const ExpectationMet: Schema<types.ExpectationMet> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'ExpectationMet' },
    details: {
      oneOf: [
        FreshnessEventDetails,
        WrittenEventDetails,
        ContractEventDetails,
        ProtectedEventDetails,
        GoodEventDetails,
        { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
      ],
    },
  },
  required: ['event', 'details'],
}

const CheckPosted: Schema<types.CheckPosted> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'CheckPosted' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        branch: { type: ['string', 'null'] },
        snapshot_id: SnapshotId,
        check: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        state: { type: 'string' },
        previous_state: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        text: {
          anyOf: [
            { type: 'string', minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
            { type: 'null' },
          ],
        },
        link: {
          anyOf: [
            { type: 'string', minLength: 1, maxLength: 2048, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
            { type: 'null' },
          ],
        },
        figures: { type: 'object', additionalProperties: CheckFigure },
      },
      required: [
        'org_name',
        'repo_name',
        'repo_id',
        'branch',
        'snapshot_id',
        'check',
        'state',
        'previous_state',
        'text',
        'link',
        'figures',
      ],
    },
  },
  required: ['event', 'details'],
}

const GoodMoved: Schema<types.GoodMoved> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'GoodMoved' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        expectation_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        expectation_alias: {
          anyOf: [
            { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
            { type: 'null' },
          ],
        },
        branch: { type: 'string' },
        snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
        previous_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
        behind: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
        reason: { type: ['string', 'null'] },
      },
      required: [
        'org_name',
        'repo_name',
        'repo_id',
        'expectation_id',
        'expectation_alias',
        'branch',
        'snapshot_id',
        'previous_snapshot_id',
        'behind',
        'reason',
      ],
    },
  },
  required: ['event', 'details'],
}

const NotePosted: Schema<types.NotePosted> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'NotePosted' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        remark_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        snapshot: { anyOf: [SnapshotId, { type: 'null' }] },
        from: { anyOf: [SnapshotId, { type: 'null' }] },
        to: { anyOf: [SnapshotId, { type: 'null' }] },
        ref: { type: ['string', 'null'] },
        path: { type: ['string', 'null'] },
        text: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        since: {
          anyOf: [
            {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            { type: 'null' },
          ],
        },
        until: {
          anyOf: [
            {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            { type: 'null' },
          ],
        },
        superseded_by: { anyOf: [Successor, { type: 'null' }] },
      },
      required: [
        'org_name',
        'repo_name',
        'repo_id',
        'remark_id',
        'snapshot',
        'from',
        'to',
        'ref',
        'path',
        'text',
        'since',
        'until',
        'superseded_by',
      ],
    },
  },
  required: ['event', 'details'],
}

const SnapshotRetracted: Schema<types.SnapshotRetracted> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'SnapshotRetracted' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        remark_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        snapshot: { anyOf: [SnapshotId, { type: 'null' }] },
        from: { anyOf: [SnapshotId, { type: 'null' }] },
        to: { anyOf: [SnapshotId, { type: 'null' }] },
        ref: { type: ['string', 'null'] },
        path: { type: ['string', 'null'] },
        text: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        since: {
          anyOf: [
            {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            { type: 'null' },
          ],
        },
        until: {
          anyOf: [
            {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            { type: 'null' },
          ],
        },
        superseded_by: { anyOf: [Successor, { type: 'null' }] },
      },
      required: [
        'org_name',
        'repo_name',
        'repo_id',
        'remark_id',
        'snapshot',
        'from',
        'to',
        'ref',
        'path',
        'text',
        'since',
        'until',
        'superseded_by',
      ],
    },
  },
  required: ['event', 'details'],
}

const ReceiverDisabled: Schema<types.ReceiverDisabled> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'ReceiverDisabled' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        receiver_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        receiver_alias: { type: 'string' },
        receiver_kind: { type: 'string' },
        receiver_scope: { type: 'string' },
        failing_since: {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        last_status: {
          anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
        },
        reason: { type: 'string' },
      },
      required: [
        'org_name',
        'repo_name',
        'repo_id',
        'receiver_id',
        'receiver_alias',
        'receiver_kind',
        'receiver_scope',
        'failing_since',
        'last_status',
        'reason',
      ],
    },
  },
  required: ['event', 'details'],
}

const ReceiverFailing: Schema<types.ReceiverFailing> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'ReceiverFailing' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        receiver_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        receiver_alias: { type: 'string' },
        receiver_kind: { type: 'string' },
        receiver_scope: { type: 'string' },
        failing_since: {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        last_status: {
          anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
        },
      },
      required: [
        'org_name',
        'repo_name',
        'repo_id',
        'receiver_id',
        'receiver_alias',
        'receiver_kind',
        'receiver_scope',
        'failing_since',
        'last_status',
      ],
    },
  },
  required: ['event', 'details'],
}

const RepositoryUnreadable: Schema<types.RepositoryUnreadable> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'RepositoryUnreadable' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        unreadable_since: {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        reason: { type: 'string' },
      },
      required: ['org_name', 'repo_name', 'repo_id', 'unreadable_since', 'reason'],
    },
  },
  required: ['event', 'details'],
}

const RepositoryBack: Schema<types.RepositoryBack> = {
  type: 'object',
  properties: {
    event: { type: 'string', const: 'RepositoryBack' },
    details: {
      type: 'object',
      properties: {
        org_name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
        repo_name: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        repo_id: {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        unreadable_since: {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
      },
      required: ['org_name', 'repo_name', 'repo_id', 'unreadable_since'],
    },
  },
  required: ['event', 'details'],
}

export const Notification: Schema<types.Notification> = {
  oneOf: [
    NewCommit,
    SchemaChanged,
    BranchCreated,
    BranchDeleted,
    TagCreated,
    TagDeleted,
    ExpectationUnmet,
    ExpectationMet,
    CheckPosted,
    GoodMoved,
    NotePosted,
    SnapshotRetracted,
    ReceiverDisabled,
    ReceiverFailing,
    RepositoryUnreadable,
    RepositoryBack,
  ],
}

export const WatchedRepository: Schema<types.WatchedRepository> = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    repo_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    location: { type: 'string' },
    format_version: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    head: { anyOf: [SnapshotId, { type: 'null' }] },
    last_checked_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    error: { type: ['string', 'null'] },
    search_index: {
      anyOf: [
        {
          type: 'object',
          properties: { is_pending: { type: 'boolean' }, error: { type: ['string', 'null'] } },
          required: ['is_pending', 'error'],
        },
        { type: 'null' },
      ],
    },
  },
  required: ['name', 'repo_id', 'location', 'format_version', 'head', 'last_checked_at', 'error', 'search_index'],
}

export const WatchedRepositoryList: Schema<types.WatchedRepositoryList> = {
  type: 'object',
  properties: { items: { type: 'array', items: WatchedRepository } },
  required: ['items'],
}

export const HeadCheck: Schema<types.HeadCheck> = {
  type: 'object',
  properties: {
    snapshot_id: SnapshotId,
    previous_snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    event_id: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
  },
  required: ['snapshot_id', 'previous_snapshot_id', 'event_id'],
}

const AuditEntry: Schema<types.AuditEntry> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    repo_name: { type: ['string', 'null'] },
    key_id: { type: 'string' },
    key_name: { type: ['string', 'null'] },
    client: { type: ['string', 'null'] },
    person: {
      anyOf: [
        {
          type: 'object',
          properties: { issuer: { type: 'string' }, subject: { type: 'string' }, email: { type: ['string', 'null'] } },
          required: ['issuer', 'subject', 'email'],
        },
        { type: 'null' },
      ],
    },
    action: { type: 'string' },
    subject_id: { type: ['string', 'null'] },
    before: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    after: { anyOf: [{ type: 'object' }, { type: 'null' }] },
  },
  required: [
    'id',
    'at',
    'repo_name',
    'key_id',
    'key_name',
    'client',
    'person',
    'action',
    'subject_id',
    'before',
    'after',
  ],
}

export const AuditPage: Schema<types.AuditPage> = {
  type: 'object',
  properties: {
    items: { type: 'array', items: AuditEntry },
    next: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
  },
  required: ['items', 'next'],
}

export const StorageEventAnswer: Schema<types.StorageEventAnswer> = {
  type: 'object',
  properties: {
    repositories: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    validationResponse: { type: 'string' },
    next: { type: 'string' },
  },
  required: ['repositories'],
}

const StoredSearch: Schema<types.StoredSearch> = {
  type: 'object',
  properties: {
    q: { type: 'string', minLength: 1, maxLength: 1024 },
    variable: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    standard_name: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1024 },
    },
    units: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    dimension: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    dtype: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    institution: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    keyword: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    licence: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    kind: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    attribute: { minItems: 1, maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    bbox: { type: 'string', minLength: 1, maxLength: 1024 },
    time: { type: 'string', minLength: 1, maxLength: 1024 },
  },
}

const Webhook: Schema<types.Webhook> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string', const: 'webhook' },
    alias: { type: 'string' },
    events: { minItems: 1, type: 'array', items: { type: 'string' } },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    branches: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    kinds: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    severity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { minItems: 1, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    states: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    paths: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    search: { anyOf: [StoredSearch, { type: 'null' }] },
    compatibility: { minItems: 1, type: 'array', items: ChangeVerdict },
    include_changes: { type: 'boolean' },
    format: { type: 'string' },
    enabled: { type: 'boolean' },
    disabled_reason: { type: ['string', 'null'] },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    last_success_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    failing_since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_status: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    last_error: { type: ['string', 'null'] },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    url: { type: 'string' },
    has_secret_token: { type: 'boolean' },
    header_names: { type: 'array', items: { type: 'string' } },
  },
  required: [
    'id',
    'kind',
    'alias',
    'events',
    'repos',
    'branches',
    'kinds',
    'severity',
    'checks',
    'states',
    'paths',
    'search',
    'compatibility',
    'include_changes',
    'format',
    'enabled',
    'disabled_reason',
    'declared',
    'created_at',
    'updated_at',
    'last_success_at',
    'failing_since',
    'last_status',
    'last_error',
    'held',
    'url',
    'has_secret_token',
    'header_names',
  ],
}

const Chat: Schema<types.Chat> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string', const: 'chat' },
    alias: { type: 'string' },
    events: { minItems: 1, type: 'array', items: { type: 'string' } },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    branches: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    kinds: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    severity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { minItems: 1, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    states: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    paths: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    search: { anyOf: [StoredSearch, { type: 'null' }] },
    compatibility: { minItems: 1, type: 'array', items: ChangeVerdict },
    quiet: {
      anyOf: [
        {
          type: 'object',
          properties: {
            from: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' },
            to: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' },
          },
          required: ['from', 'to'],
        },
        { type: 'null' },
      ],
    },
    digest: {
      anyOf: [
        {
          type: 'object',
          properties: { at: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }, every: { type: 'string' } },
          required: ['at', 'every'],
        },
        { type: 'null' },
      ],
    },
    enabled: { type: 'boolean' },
    disabled_reason: { type: ['string', 'null'] },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    last_success_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    failing_since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_status: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    last_error: { type: ['string', 'null'] },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    url: { type: 'string' },
    service: { type: 'string' },
  },
  required: [
    'id',
    'kind',
    'alias',
    'events',
    'repos',
    'branches',
    'kinds',
    'severity',
    'checks',
    'states',
    'paths',
    'search',
    'compatibility',
    'quiet',
    'digest',
    'enabled',
    'disabled_reason',
    'declared',
    'created_at',
    'updated_at',
    'last_success_at',
    'failing_since',
    'last_status',
    'last_error',
    'held',
    'url',
    'service',
  ],
}

export const Receiver: Schema<types.Receiver> = {
  oneOf: [Webhook, Chat, { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] }],
}

export const ReceiverList: Schema<types.ReceiverList> = {
  type: 'object',
  properties: { items: { type: 'array', items: Receiver } },
  required: ['items'],
}

const Warning: Schema<types.Warning> = {
  type: 'object',
  properties: { code: { type: 'string' }, detail: { type: 'string' } },
  required: ['code', 'detail'],
}

const CreatedWebhook: Schema<types.CreatedWebhook> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string', const: 'webhook' },
    alias: { type: 'string' },
    events: { minItems: 1, type: 'array', items: { type: 'string' } },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    branches: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    kinds: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    severity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { minItems: 1, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    states: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    paths: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    search: { anyOf: [StoredSearch, { type: 'null' }] },
    compatibility: { minItems: 1, type: 'array', items: ChangeVerdict },
    include_changes: { type: 'boolean' },
    format: { type: 'string' },
    enabled: { type: 'boolean' },
    disabled_reason: { type: ['string', 'null'] },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    last_success_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    failing_since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_status: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    last_error: { type: ['string', 'null'] },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    url: { type: 'string' },
    has_secret_token: { type: 'boolean' },
    header_names: { type: 'array', items: { type: 'string' } },
    warnings: { type: 'array', items: Warning },
    signing_secret: { type: 'string' },
  },
  required: [
    'id',
    'kind',
    'alias',
    'events',
    'repos',
    'branches',
    'kinds',
    'severity',
    'checks',
    'states',
    'paths',
    'search',
    'compatibility',
    'include_changes',
    'format',
    'enabled',
    'disabled_reason',
    'declared',
    'created_at',
    'updated_at',
    'last_success_at',
    'failing_since',
    'last_status',
    'last_error',
    'held',
    'url',
    'has_secret_token',
    'header_names',
    'warnings',
    'signing_secret',
  ],
}

const ChangedChat: Schema<types.ChangedChat> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string', const: 'chat' },
    alias: { type: 'string' },
    events: { minItems: 1, type: 'array', items: { type: 'string' } },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    branches: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    kinds: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    severity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { minItems: 1, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    states: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    paths: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    search: { anyOf: [StoredSearch, { type: 'null' }] },
    compatibility: { minItems: 1, type: 'array', items: ChangeVerdict },
    quiet: {
      anyOf: [
        {
          type: 'object',
          properties: {
            from: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' },
            to: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' },
          },
          required: ['from', 'to'],
        },
        { type: 'null' },
      ],
    },
    digest: {
      anyOf: [
        {
          type: 'object',
          properties: { at: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }, every: { type: 'string' } },
          required: ['at', 'every'],
        },
        { type: 'null' },
      ],
    },
    enabled: { type: 'boolean' },
    disabled_reason: { type: ['string', 'null'] },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    last_success_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    failing_since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_status: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    last_error: { type: ['string', 'null'] },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    url: { type: 'string' },
    service: { type: 'string' },
    warnings: { type: 'array', items: Warning },
  },
  required: [
    'id',
    'kind',
    'alias',
    'events',
    'repos',
    'branches',
    'kinds',
    'severity',
    'checks',
    'states',
    'paths',
    'search',
    'compatibility',
    'quiet',
    'digest',
    'enabled',
    'disabled_reason',
    'declared',
    'created_at',
    'updated_at',
    'last_success_at',
    'failing_since',
    'last_status',
    'last_error',
    'held',
    'url',
    'service',
    'warnings',
  ],
}

export const CreatedReceiver: Schema<types.CreatedReceiver> = {
  oneOf: [
    CreatedWebhook,
    ChangedChat,
    { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  ],
}

export const TestResult: Schema<types.TestResult> = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    status: { anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }] },
    duration_ms: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    error: { type: ['string', 'null'] },
    response_excerpt: { type: ['string', 'null'] },
    request: {
      type: 'object',
      properties: { headers: { type: 'object', additionalProperties: { type: 'string' } }, body: { type: 'string' } },
      required: ['headers', 'body'],
    },
    warnings: { type: 'array', items: Warning },
  },
  required: ['ok', 'status', 'duration_ms', 'error', 'response_excerpt', 'request', 'warnings'],
}

const ChangedWebhook: Schema<types.ChangedWebhook> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string', const: 'webhook' },
    alias: { type: 'string' },
    events: { minItems: 1, type: 'array', items: { type: 'string' } },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    branches: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    kinds: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    severity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { minItems: 1, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    states: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    paths: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    search: { anyOf: [StoredSearch, { type: 'null' }] },
    compatibility: { minItems: 1, type: 'array', items: ChangeVerdict },
    include_changes: { type: 'boolean' },
    format: { type: 'string' },
    enabled: { type: 'boolean' },
    disabled_reason: { type: ['string', 'null'] },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    last_success_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    failing_since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_status: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    last_error: { type: ['string', 'null'] },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    url: { type: 'string' },
    has_secret_token: { type: 'boolean' },
    header_names: { type: 'array', items: { type: 'string' } },
    warnings: { type: 'array', items: Warning },
  },
  required: [
    'id',
    'kind',
    'alias',
    'events',
    'repos',
    'branches',
    'kinds',
    'severity',
    'checks',
    'states',
    'paths',
    'search',
    'compatibility',
    'include_changes',
    'format',
    'enabled',
    'disabled_reason',
    'declared',
    'created_at',
    'updated_at',
    'last_success_at',
    'failing_since',
    'last_status',
    'last_error',
    'held',
    'url',
    'has_secret_token',
    'header_names',
    'warnings',
  ],
}

export const ChangedReceiver: Schema<types.ChangedReceiver> = {
  oneOf: [
    ChangedWebhook,
    ChangedChat,
    { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  ],
}

export const RotatedWebhook: Schema<types.RotatedWebhook> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    kind: { type: 'string', const: 'webhook' },
    alias: { type: 'string' },
    events: { minItems: 1, type: 'array', items: { type: 'string' } },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    branches: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    kinds: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    severity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { minItems: 1, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    states: { anyOf: [{ minItems: 1, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    paths: {
      minItems: 1,
      maxItems: 20,
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
      },
    },
    search: { anyOf: [StoredSearch, { type: 'null' }] },
    compatibility: { minItems: 1, type: 'array', items: ChangeVerdict },
    include_changes: { type: 'boolean' },
    format: { type: 'string' },
    enabled: { type: 'boolean' },
    disabled_reason: { type: ['string', 'null'] },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    last_success_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    failing_since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_status: {
      anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
    },
    last_error: { type: ['string', 'null'] },
    held: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    url: { type: 'string' },
    has_secret_token: { type: 'boolean' },
    header_names: { type: 'array', items: { type: 'string' } },
    signing_secret: { type: 'string' },
  },
  required: [
    'id',
    'kind',
    'alias',
    'events',
    'repos',
    'branches',
    'kinds',
    'severity',
    'checks',
    'states',
    'paths',
    'search',
    'compatibility',
    'include_changes',
    'format',
    'enabled',
    'disabled_reason',
    'declared',
    'created_at',
    'updated_at',
    'last_success_at',
    'failing_since',
    'last_status',
    'last_error',
    'held',
    'url',
    'has_secret_token',
    'header_names',
    'signing_secret',
  ],
}

export const StartedReplay: Schema<types.StartedReplay> = {
  type: 'object',
  properties: {
    waiting: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    next_event_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    queued: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    hint: { type: ['string', 'null'] },
  },
  required: ['waiting', 'next_event_at', 'queued', 'hint'],
}

export const Replay: Schema<types.Replay> = {
  type: 'object',
  properties: {
    waiting: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    next_event_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
  },
  required: ['waiting', 'next_event_at'],
}

const FreshnessBranchState: Schema<types.FreshnessBranchState> = {
  type: 'object',
  properties: {
    repo: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    branch: { type: 'string' },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [FreshnessFacts, { type: 'null' }] },
    summary: { type: 'string' },
  },
  required: ['repo', 'branch', 'state', 'since', 'snapshot_id', 'due_at', 'reason', 'facts', 'summary'],
}

const FreshnessExpectation: Schema<types.FreshnessExpectation> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    declared: { type: 'boolean' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    unmet: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    told: { type: 'boolean' },
    kind: { type: 'string', const: 'freshness' },
    branch: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
    },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    max_age: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    due: { anyOf: [{ type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }, { type: 'null' }] },
    days: { anyOf: [{ minItems: 1, maxItems: 7, type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    path: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    states: { type: 'array', items: FreshnessBranchState },
  },
  required: [
    'id',
    'declared',
    'repos',
    'created_at',
    'updated_at',
    'unmet',
    'told',
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'max_age',
    'due',
    'days',
    'path',
    'states',
  ],
}

const WrittenBranchState: Schema<types.WrittenBranchState> = {
  type: 'object',
  properties: {
    repo: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    branch: { type: 'string' },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [WrittenFacts, { type: 'null' }] },
    summary: { type: 'string' },
  },
  required: ['repo', 'branch', 'state', 'since', 'snapshot_id', 'due_at', 'reason', 'facts', 'summary'],
}

const WrittenExpectation: Schema<types.WrittenExpectation> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    declared: { type: 'boolean' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    unmet: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    told: { type: 'boolean' },
    kind: { type: 'string', const: 'written' },
    branch: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
    },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    path: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    along: { anyOf: [{ type: 'string', minLength: 1, maxLength: 255 }, { type: 'null' }] },
    except_last: { anyOf: [{ type: 'integer', minimum: 0, maximum: 10000 }, { type: 'null' }] },
    ignore: { anyOf: [{ maxItems: 20, type: 'array', items: IgnoredSlices }, { type: 'null' }] },
    accepted: { anyOf: [{ maxItems: 100, type: 'array', items: AcceptedGap }, { type: 'null' }] },
    states: { type: 'array', items: WrittenBranchState },
  },
  required: [
    'id',
    'declared',
    'repos',
    'created_at',
    'updated_at',
    'unmet',
    'told',
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'share',
    'path',
    'along',
    'except_last',
    'ignore',
    'accepted',
    'states',
  ],
}

const ContractBranchState: Schema<types.ContractBranchState> = {
  type: 'object',
  properties: {
    repo: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    branch: { type: 'string' },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [ContractFacts, { type: 'null' }] },
    summary: { type: 'string' },
  },
  required: ['repo', 'branch', 'state', 'since', 'snapshot_id', 'due_at', 'reason', 'facts', 'summary'],
}

const ContractExpectation: Schema<types.ContractExpectation> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    declared: { type: 'boolean' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    unmet: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    told: { type: 'boolean' },
    kind: { type: 'string', const: 'contract' },
    branch: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
    },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    states: { type: 'array', items: ContractBranchState },
  },
  required: [
    'id',
    'declared',
    'repos',
    'created_at',
    'updated_at',
    'unmet',
    'told',
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'states',
  ],
}

const ProtectedBranchState: Schema<types.ProtectedBranchState> = {
  type: 'object',
  properties: {
    repo: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    branch: { type: 'string' },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [ProtectedFacts, { type: 'null' }] },
    summary: { type: 'string' },
  },
  required: ['repo', 'branch', 'state', 'since', 'snapshot_id', 'due_at', 'reason', 'facts', 'summary'],
}

const ProtectedExpectation: Schema<types.ProtectedExpectation> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    declared: { type: 'boolean' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    unmet: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    told: { type: 'boolean' },
    kind: { type: 'string', const: 'protected' },
    branch: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
    },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    authors: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    tags: {
      anyOf: [
        {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
        },
        { type: 'null' },
      ],
    },
    states: { type: 'array', items: ProtectedBranchState },
  },
  required: [
    'id',
    'declared',
    'repos',
    'created_at',
    'updated_at',
    'unmet',
    'told',
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'authors',
    'tags',
    'states',
  ],
}

const GoodBranchState: Schema<types.GoodBranchState> = {
  type: 'object',
  properties: {
    repo: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    branch: { type: 'string' },
    state: { type: 'string' },
    since: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    snapshot_id: { anyOf: [SnapshotId, { type: 'null' }] },
    due_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    reason: { type: ['string', 'null'] },
    facts: { anyOf: [GoodFacts, { type: 'null' }] },
    summary: { type: 'string' },
  },
  required: ['repo', 'branch', 'state', 'since', 'snapshot_id', 'due_at', 'reason', 'facts', 'summary'],
}

const GoodExpectation: Schema<types.GoodExpectation> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    declared: { type: 'boolean' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 20,
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
          },
        },
        { type: 'null' },
      ],
    },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    updated_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    unmet: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    told: { type: 'boolean' },
    kind: { type: 'string', const: 'good' },
    branch: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^*\\u0000-\\u001f\\u007f-\\u009f]*(?:\\*+[^*\\u0000-\\u001f\\u007f-\\u009f]+){0,8}\\**$',
    },
    alias: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        { type: 'null' },
      ],
    },
    severity: { type: 'string' },
    within: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    remind: { anyOf: [{ type: 'string', pattern: '^[1-9]\\d{0,8}[smhd]$' }, { type: 'null' }] },
    checks: {
      anyOf: [
        { maxItems: 20, type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' } },
        { type: 'null' },
      ],
    },
    expectations: {
      anyOf: [
        { maxItems: 20, type: 'array', items: { type: 'string', minLength: 1, maxLength: 100 } },
        { type: 'null' },
      ],
    },
    states: { type: 'array', items: GoodBranchState },
  },
  required: [
    'id',
    'declared',
    'repos',
    'created_at',
    'updated_at',
    'unmet',
    'told',
    'kind',
    'branch',
    'alias',
    'severity',
    'within',
    'remind',
    'checks',
    'expectations',
    'states',
  ],
}

export const Expectation: Schema<types.Expectation> = {
  oneOf: [
    FreshnessExpectation,
    WrittenExpectation,
    ContractExpectation,
    ProtectedExpectation,
    GoodExpectation,
    { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  ],
}

export const ExpectationList: Schema<types.ExpectationList> = {
  type: 'object',
  properties: { items: { type: 'array', items: Expectation } },
  required: ['items'],
}

export const RemarkList: Schema<types.RemarkList> = {
  type: 'object',
  properties: { items: { type: 'array', items: Remark } },
  required: ['items'],
}

export const Delivery: Schema<types.Delivery> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    receiver_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    receiver_alias: { type: 'string' },
    receiver_repo_name: { type: ['string', 'null'] },
    event: { type: 'string' },
    event_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    sequence: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    line: { type: 'string' },
    state: { type: 'string' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    attempt_count: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    next_attempt_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    replay_of: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
    digest_id: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
    last_attempt: {
      anyOf: [
        {
          type: 'object',
          properties: {
            started_at: {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            duration_ms: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
            status: {
              anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
            },
            error: { type: ['string', 'null'] },
          },
          required: ['started_at', 'duration_ms', 'status', 'error'],
        },
        { type: 'null' },
      ],
    },
  },
  required: [
    'id',
    'receiver_id',
    'receiver_alias',
    'receiver_repo_name',
    'event',
    'event_id',
    'sequence',
    'line',
    'state',
    'created_at',
    'attempt_count',
    'next_attempt_at',
    'replay_of',
    'digest_id',
    'last_attempt',
  ],
}

export const DeliveryPage: Schema<types.DeliveryPage> = {
  type: 'object',
  properties: {
    items: { type: 'array', items: Delivery },
    next: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
  },
  required: ['items', 'next'],
}

export const DeliveryRates: Schema<types.DeliveryRates> = {
  type: 'object',
  properties: {
    since: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    accepted: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    failed: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    median_ms: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, { type: 'null' }] },
  },
  required: ['since', 'accepted', 'failed', 'median_ms'],
}

const RecordedPayload: Schema<types.RecordedPayload> = {
  type: 'object',
  properties: { event: { type: 'string' }, details: { type: 'object' } },
  required: ['event', 'details'],
}

const DeliveryAttempt: Schema<types.DeliveryAttempt> = {
  type: 'object',
  properties: {
    number: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    started_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    duration_ms: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    status: { anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }] },
    error: { type: ['string', 'null'] },
    response_excerpt: { type: ['string', 'null'] },
  },
  required: ['number', 'started_at', 'duration_ms', 'status', 'error', 'response_excerpt'],
}

export const DeliveryDetails: Schema<types.DeliveryDetails> = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    receiver_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    receiver_alias: { type: 'string' },
    receiver_repo_name: { type: ['string', 'null'] },
    event: { type: 'string' },
    event_id: {
      type: 'string',
      pattern:
        '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
    },
    sequence: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
    line: { type: 'string' },
    state: { type: 'string' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    attempt_count: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
    next_attempt_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    replay_of: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
    digest_id: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
        },
        { type: 'null' },
      ],
    },
    last_attempt: {
      anyOf: [
        {
          type: 'object',
          properties: {
            started_at: {
              type: 'string',
              pattern:
                '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
            },
            duration_ms: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
            status: {
              anyOf: [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, { type: 'null' }],
            },
            error: { type: ['string', 'null'] },
          },
          required: ['started_at', 'duration_ms', 'status', 'error'],
        },
        { type: 'null' },
      ],
    },
    payload: RecordedPayload,
    attempts: { type: 'array', items: DeliveryAttempt },
  },
  required: [
    'id',
    'receiver_id',
    'receiver_alias',
    'receiver_repo_name',
    'event',
    'event_id',
    'sequence',
    'line',
    'state',
    'created_at',
    'attempt_count',
    'next_attempt_at',
    'replay_of',
    'digest_id',
    'last_attempt',
    'payload',
    'attempts',
  ],
}

const ApiKey: Schema<types.ApiKey> = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[0-9a-f]{16}$' },
    name: { type: ['string', 'null'] },
    role: { type: 'string' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 100,
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        },
        { type: 'null' },
      ],
    },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    created_by: { type: ['string', 'null'] },
    expires_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_used_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    revoked_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
  },
  required: [
    'id',
    'name',
    'role',
    'repos',
    'declared',
    'created_at',
    'created_by',
    'expires_at',
    'last_used_at',
    'revoked_at',
  ],
}

export const ApiKeyPage: Schema<types.ApiKeyPage> = {
  type: 'object',
  properties: {
    items: { type: 'array', items: ApiKey },
    next: { anyOf: [{ type: 'string', pattern: '^[0-9a-f]{16}$' }, { type: 'null' }] },
  },
  required: ['items', 'next'],
}

export const CreatedApiKey: Schema<types.CreatedApiKey> = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[0-9a-f]{16}$' },
    name: { type: ['string', 'null'] },
    role: { type: 'string' },
    repos: {
      anyOf: [
        {
          minItems: 1,
          maxItems: 100,
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
        },
        { type: 'null' },
      ],
    },
    declared: { type: 'boolean' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    created_by: { type: ['string', 'null'] },
    expires_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    last_used_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    revoked_at: {
      anyOf: [
        {
          type: 'string',
          pattern:
            '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
        },
        { type: 'null' },
      ],
    },
    key: { type: 'string' },
  },
  required: [
    'id',
    'name',
    'role',
    'repos',
    'declared',
    'created_at',
    'created_by',
    'expires_at',
    'last_used_at',
    'revoked_at',
    'key',
  ],
}

const Session: Schema<types.Session> = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    person: {
      type: 'object',
      properties: { issuer: { type: 'string' }, subject: { type: 'string' }, email: { type: ['string', 'null'] } },
      required: ['issuer', 'subject', 'email'],
    },
    role: { type: 'string' },
    created_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    checked_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
    expires_at: {
      type: 'string',
      pattern:
        '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}(?:Z))$',
    },
  },
  required: ['id', 'person', 'role', 'created_at', 'checked_at', 'expires_at'],
}

export const SessionPage: Schema<types.SessionPage> = {
  type: 'object',
  properties: {
    items: { type: 'array', items: Session },
    next: { anyOf: [{ type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' }, { type: 'null' }] },
  },
  required: ['items', 'next'],
}

const ProblemError: Schema<types.ProblemError> = {
  type: 'object',
  properties: { pointer: { type: 'string' }, message: { type: 'string' } },
  required: ['pointer', 'message'],
}

export const Problem: Schema<types.Problem> = {
  type: 'object',
  properties: {
    type: { type: 'string', pattern: '^/problems/' },
    code: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string' },
    errors: { type: 'array', items: ProblemError },
    see: { type: 'string' },
  },
  required: ['type', 'code', 'title', 'status', 'detail', 'instance'],
}

export const DeploymentName: Schema<types.DeploymentName> = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
}

export const OrgName: Schema<types.OrgName> = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' }
