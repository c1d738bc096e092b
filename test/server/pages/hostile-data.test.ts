import assert from 'node:assert/strict'
import type { ArrayGaps, CommitChanges, OperationsPage } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { datasetPage, type DatasetPageData } from '../../../server/pages/dataset/dataset-page.ts'
import { problemPage } from '../../../server/pages/problem-page.ts'
import { searchPage } from '../../../server/search/page/search-page.ts'
import { operationsPage } from '../../../server/pages/browse/operations-page.ts'
import type { ShownDatasets } from '../../../server/pages/browse/dataset-list.ts'
import { refPage } from '../../../server/pages/browse/ref-page.ts'
import { repositoriesPage } from '../../../server/pages/browse/repositories-page.ts'
import { repositoryPage } from '../../../server/pages/browse/repository-page.ts'
import type { PageSubject } from '../../../server/pages/page-subject.ts'
import { makeChange } from '../../../server/compatibility/change.ts'
import { gapsPage } from '../../../server/pages/gaps/gaps-page.ts'
import { diffPage, type DiffPageData } from '../../../server/pages/commits/diff-page.ts'
import { goodPage } from '../../../server/pages/good/good-page.ts'
import { type BranchCalendar, findFirstDay } from '../../../server/pages/commits/branch-calendar.ts'
import { historyPage, type ShownHistory } from '../../../server/pages/commits/history-page.ts'
import { writeCitation } from '../../../server/self-description/write-citation.ts'
import { checkProperty } from '../../check-property.ts'
import { unknown } from './browse/sample-browse.ts'
import { alongTime } from './gaps/sample-gaps.ts'
import { skeleton } from './markup.ts'
import { dataset, links } from './sample-dataset.ts'
import { searchWith } from '../search/page/sample-search.ts'

// Texts that a repository may contain. They have no slash, which would separate groups, and are too short to be cut.
const hostileText = fc
  .oneof(
    fc.constantFrom(
      '<script>alert(1)<:script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '</title><script>',
      '<!--',
      '-->',
      ']]>',
      '&lt;b&gt;',
      '`${1}`',
      'javascript:alert(1)',
      '\u202etxt.exe',
      '\ufeff',
      '\0',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  )
  .map((text) => text.replaceAll('/', ':').toWellFormed())

function remarksWith(text: string): PageSubject['remarks'] {
  const [created_at, updated_at] = ['', '']
  const target = { snapshot: text, from: null, to: null, ref: text, since: null, until: null }
  const remark = { id: text, kind: 'note', ...target, text, created_at, updated_at } as const
  return [
    { ...remark, path: null, superseded_by: { repo: text, ref: text, link: null } },
    { ...remark, kind: 'retraction', path: `${text}/b/${text}`, superseded_by: { repo: text, ref: null, link: null } },
  ]
}

function subjectWith(text: string): PageSubject {
  return {
    deployment: { org: text, name: text, baseUrl: 'https://floe.example.org/v1', hasSearch: true, isPublic: true },
    repository: text,
    location: `s3://${text}`,
    published: {
      storage: 's3',
      bucket: text,
      prefix: text,
      region: text,
      endpoint: text,
      path_style: true,
      anonymous: true,
    },
    remarks: remarksWith(text),
    containers: [{ prefix: text, store: 's3', region: text, anonymous: false }],
    ref: { kind: 'tag', name: text },
    asOf: { kind: 'branch', name: text, time: new Date(0) },
    marks: { checks: [{ name: text, state: 'failed' as const, text, link: null }], count: 9 },
    navigation: { parentId: text, branches: [`${text}1`], tags: [text] },
    commit: {
      snapshotId: text,
      writtenAt: new Date(0),
      author: text,
      message: text,
      metadata: new Map([[text, text]]),
    },
  }
}

function gapsWith(text: string): ArrayGaps {
  return {
    ...alongTime(40, { last_written: 30, gaps: [{ first: 7, last: 7, written: 0, total: 1 }], outside: 1 }),
    path: `${text}/${text}`,
    along: text,
    patterns: [{ dimension: text, first: 0, last: 0 }],
    dimensions: [text, `${text} `].map((name) => ({ name, positions: 40, size: 1, profile: null })),
  }
}

function datasetDataWith(text: string): DatasetPageData {
  const long = 'x'.repeat(100)
  const nested = { [text]: [text], below: { [text]: text, long } }
  const attributes = JSON.stringify({ [text]: text, nested, title: `${text}.`, summary: `${text}.` })
  const variable = { name: text, dimensions: [text], shape: [1], dataType: 'float32', attributes, decodedAs: text }
  return {
    at: subjectWith(text),
    group: `${text}/b`,
    content: { kind: 'dataset', ...dataset([variable], attributes) },
    written: { chunks: new Map([[text, { written: 1, total: 2 }]]), gaps: new Map([[text, gapsWith(text)]]) },
    citation: {
      ...writeCitation(
        {
          title: text,
          creators: [{ name: text, isPerson: true }],
          institution: text,
          doi: null,
          licence: { text, attribute: 'license', spdx: null, address: null },
        },
        { repository: text, group: text, snapshotId: text, writtenAt: new Date(0), url: text, retraction: text },
      ),
      open_address: text,
      code: text,
    },
    childGroups: [{ path: `${text}/b/${text}`, arrays: 1, groups: 1 }],
  }
}

function historyWith(text: string): ShownHistory {
  const { ref, commit } = subjectWith(text)
  const branch = { kind: 'branch' as const, name: text }
  const remarks = remarksWith(text)
  const head = { ...commit, snapshotId: `${text}2`, parentId: text, refs: [branch], remarks }
  return {
    ref,
    selection: {},
    commits: [head, { ...commit, parentId: `${text}0`, refs: [{ kind: 'tag', name: text }] }],
    sides: [{ commits: [{ ...head, snapshotId: `${text}3` }] }],
    notDrawn: [text],
    isFromHead: false,
    next: text,
    missing: text,
  }
}

function calendarWith(text: string): BranchCalendar {
  const now = Date.parse('2026-11-26T12:00:00Z')
  const line = { name: text, knownFrom: 0, unmet: [{ from: 0, to: now }], told: [{ at: now, text }] }
  return { branch: text, now, firstDay: findFirstDay(now), countedFrom: now, counts: new Map(), lines: [line] }
}

function diffWith(text: string): DiffPageData {
  const { deployment, ref, commit } = subjectWith(text)
  const values = [text, new Map([[text, text]])] as const
  const compare = () => ({
    attributes: [
      { name: text, before: undefined, after: text },
      { name: text, before: text, after: undefined },
      { name: text, before: text, after: values[1] },
    ],
    named: { shape: values } as const,
    others: [{ name: text, before: text, after: values[1] }],
    dimensionNames: [text],
  })
  const updated = [
    { path: `${text}/u`, isReplaced: true, compare },
    { path: `${text}/v`, isReplaced: false, compare: () => ({ unreadable: text }) },
  ]
  return {
    deployment,
    repository: text,
    from: { ref, commit },
    to: { ref, commit },
    remarks: remarksWith(text),
    changes: {
      groups: { created: [text], deleted: [text], updated: [] },
      arrays: { created: [`${text}/a`], deleted: [`${text}/b`], updated },
      moves: [{ from: text, to: `${text}/c` }],
      chunks: [{ path: `${text}/a`, count: 3, countWritten: () => ({ before: null, after: null }), facts: null }],
    },
    comparison: {
      verdict: 'breaking',
      groups: [
        {
          path: text,
          changes: [
            makeChange('units-changed', 'breaking', { variable: text, attribute: 'units', before: text, after: text }),
            makeChange('dataset-added', 'unknown', { reason: text, movedFrom: text }),
          ],
          notes: [{ dimension: text, size: 1n, parent: text, parentSize: 2n }],
        },
      ],
      counts: { changes: { breaking: 1, unknown: 1, compatible: 0 }, notes: 1, notCompared: 0 },
    },
    chunksUnavailable: null,
  }
}

function operationsWith(text: string): OperationsPage {
  const unused = { feature_flag: null, status: null, migration: null, previous_snapshot_id: null }
  const at = { done_at: '2026-08-30T06:12:45.000Z', snapshot_id: text, author_id: text }
  const operations: OperationsPage['operations'] = [
    { kind: 'commit', ...at, ...unused, branch: text, tag: null },
    { kind: 'tag_deleted', ...at, ...unused, branch: null, tag: text, previous_snapshot_id: text },
    {
      kind: 'status_changed',
      ...at,
      ...unused,
      branch: null,
      tag: null,
      status: { availability: 'offline', since: null, reason: text },
    },
  ]
  return { operations, next: text, is_cut_off: false, operations_unavailable_reason: null }
}

function datasetsWith(text: string): ShownDatasets {
  const path = `${text}/b`
  const dataset = { path, title: `${text}.`, summary: text, dimensions: [[text, '2']], dimensionCount: 1 } as const
  const changes = new Map([[path, { at: '2026-01-01T00:00:00.000Z', message: text }]])
  return { branch: text, count: 1, datasets: [dataset], changes, reason: text, bytes: null }
}

function pathHistoryWith(text: string): ShownHistory {
  const history = historyWith(text)
  const node = { path: text, changes: ['moved', 'chunks'], chunks: 2, moved_from: text } as const
  const changes: CommitChanges = {
    nodes: [{ ...node, changes: [...node.changes] }],
    count: 7,
    unknown_reason: 'unreadable',
  }
  return {
    ...history,
    selection: { path: text, since: text, until: text, limit: 1 },
    commits: history.commits.map((commit) => ({ ...commit, changes })),
  }
}

function everyPage(text: string): Record<string, string> {
  const at = subjectWith(text)
  const data = datasetDataWith(text)
  const arrays = data.content.kind === 'dataset' ? data.content.arrays : new Map()
  const refused = {
    kind: 'unreadable',
    refusal: { reason: text, isTooLarge: false },
    arrays,
    attributes: new Map(),
  } as const
  const { deployment } = at
  const named = [{ name: text, snapshotId: text }]
  const state = {
    status: { availability: 'offline', since: new Date(0), reason: text },
    metadata: at.commit.metadata,
    featureFlags: [{ id: 3, name: text, isEnabled: true }],
    snapshotCount: 1,
  } as const
  const expected = { kind: 'good', branch: text, path: text, isUnmet: true, since: new Date(0), words: text } as const
  const repository = {
    deployment,
    name: text,
    location: text,
    formatVersion: 2,
    state,
    remarks: at.remarks,
    containers: at.containers,
    expectations: [expected],
    branches: named,
    tags: named,
  }
  const chosen = { kind: 'branch', name: text, behind: 1 } as const
  const type = '/problems/invalid-request'
  const errors = [{ pointer: text, message: text }]
  return {
    dataset: datasetPage(data, links),
    refused: datasetPage({ ...data, content: refused }, links),
    ref: refPage(
      { at, reason: text, groups: ['', text, `${text}/${text}`].map((path) => ({ path, arrays: 1 })) },
      links,
    ),
    repository: repositoryPage({ ...repository, history: historyWith(text), datasets: datasetsWith(text) }, links),
    operations: operationsPage({ deployment, repository: text, isNewest: false, page: operationsWith(text) }, links),
    unreadable: repositoryPage(
      {
        ...repository,
        state: { problem: text },
        location: null,
        tags: [],
        history: { problem: text },
        datasets: { problem: text },
      },
      links,
    ),
    history: historyPage(
      { deployment, repository: text, asOf: chosen, history: historyWith(text), calendar: calendarWith(text) },
      links,
    ),
    pathHistory: historyPage(
      { deployment, repository: text, asOf: null, history: pathHistoryWith(text), calendar: null },
      links,
    ),
    good: goodPage(
      {
        deployment,
        repository: text,
        branch: text,
        requirements: { checks: [text], expectations: [text] },
        lastGood: { snapshotId: text, behind: 1 },
        since: new Date(0),
        heads: [
          {
            snapshotId: text,
            seenAt: new Date(0),
            state: 'pending',
            lacks: text,
            dueAt: new Date(0),
            marks: { checks: [], count: 1 },
          },
        ],
      },
      links,
    ),
    diff: diffPage(diffWith(text), links),
    gaps: gapsPage(
      {
        deployment,
        repository: text,
        ref: at.ref,
        selection: { group: text, path: text, along: text, limit: 1 },
        arrays: [gapsWith(text)],
        next: text,
      },
      links,
    ),
    search: searchPage({ deployment, ...searchWith(text) }, links),
    badSearch: searchPage({ deployment, query: { bbox: text, time: text }, problem: text }, links),
    repositories: repositoriesPage(
      {
        deployment,
        repositories: [
          {
            ...unknown,
            name: text,
            title: text,
            summary: text,
            expectations: [expected],
            retractions: remarksWith(text),
          },
          { ...unknown, name: text, formatVersion: 1, lastCommit: at.commit, unreadableSince: new Date(0) },
        ],
        filter: text,
        state: 'late',
        counts: new Map(),
        page: 2,
        pages: 3,
        matches: 202,
        total: 300,
      },
      links,
    ),
    problem: problemPage(
      { type, code: 'invalid-request', title: text, status: 400, detail: text, instance: text, errors },
      { root: '', ...links },
    ),
  }
}

const harmless = everyPage('x')

/** Addresses that a page may have in `href` and `src`. */
const addresses = [
  /\/v1\/[\w\-.!~*()%/]*(?:\?filter=[\w\-.*%+]*(?:&amp;state=late)?(?:&amp;page=\d+)?)?/,
  /\/v1\/[\w\-.!~*()%/]*\?(?:(?:path|group|along|after|since|until|limit|before|format)=[\w\-.*%+]*(?:&amp;(?!$))?)+/,
  /\/v1\/[\w\-./]*\/search(?:\?[\w\-.*%+=]*(?:&amp;[\w\-.*%+=]*)*)?/,
  /\/v1\/[\w\-./]*\/sources\?prefix=[\w\-.*%+]*/,
  /\/problems\/[a-z-]+/,
  /\/help\/(?:using\/breaking-changes)?/,
  /#[a-z]+(?:-\d+)?/,
  /(?:\/v1\/[\w\-.!~*()%/]*)?#variable-[\w\-.!~*()%]*/,
  /data:image\/svg\+xml,[^"]*/,
]
const anyAddress = new RegExp(`^(?:${addresses.map(({ source }) => source).join('|')})$`)

/** Code for what cannot take every name, and so is left out beside some. */
const sometimesShown =
  /<details name="snippet"[^>]*>\s*<summary>(?:GDAL 3\.14|Viewers in browsers)<\/summary>[^]*?<\/details>/g

t.test(
  'whatever a repository contains, pages have the same structure as for harmless data, and link only to the service',
  async () => {
    await checkProperty(
      300,
      fc.property(hostileText, (text) => {
        for (const [name, page] of Object.entries(everyPage(text))) {
          const [shape, expected] = [page, harmless[name] ?? ''].map((each) =>
            skeleton(each.replace(sometimesShown, '')),
          )
          assert.deepEqual([name, shape], [name, expected])
          for (const [, link = ''] of page.matchAll(/\s(?:href|src)="([^"]*)"/g)) assert.match(link, anyAddress)
        }
      }),
    )
  },
)

t.test('a script among the attributes is text', async (t) => {
  const page = datasetPage(datasetDataWith('<script>alert(1)<:script>'), links)
  t.notMatch(page, '<script>')
  t.match(page, '&lt;script&gt;alert(1)&lt;:script&gt;')
})
