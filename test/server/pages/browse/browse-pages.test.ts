import type { StoredBytes } from '@floe/contract'
import { t } from 'tap'
import { groupTree } from '../../../../server/pages/browse/group-tree.ts'
import { operationsPage } from '../../../../server/pages/browse/operations-page.ts'
import { refPage } from '../../../../server/pages/browse/ref-page.ts'
import { repositoriesPage } from '../../../../server/pages/browse/repositories-page.ts'
import { repositoryPage } from '../../../../server/pages/browse/repository-page.ts'
import { elementById, ids, visibleText } from '../markup.ts'
import { largeTree, operations, repositories, repository, smallTree, state } from './sample-browse.ts'
import { links } from '../sample-dataset.ts'

const meta = '/v1/services/tiles/acme/_meta'

function treeOf(...paths: string[]): string {
  return groupTree(
    paths.map((path) => ({ path, arrays: path.length })),
    (path) => `/${path}`,
  ).toString()
}

t.test('repositories show what is wrong with them, their datasets, their updates and their last commit', async (t) => {
  const page = repositoriesPage(repositories, links)
  const text = visibleText(page).replaceAll(/\s+/g, ' ')
  t.match(text, 'era5 Retracted Late ERA5, hourly Hourly fields of the reanalysis on a regular grid.')
  t.match(text, /12 datasets · since 1979-01-01 · Latitude 35° N to 72.5° N, longitude 25° W to 45° E/)
  t.match(text, '8 updates in 4 weeks, on 4 days Append August 2026 2026-08-30 06:12:44 UTC by Ada Lovelace · format 2')
  t.match(text, 'Retracted (surface): Wrong units Unmet feature/regrid surface/** updated 3 h ago')
  t.match(text, '1 dataset Repository initialized 2026-08-30 06:12:44 UTC · format 1')
  t.match(
    page,
    'd="M21 20V15h.8V20zM23 20V0h.8V20zM24 20V10h.8V20zM27 20V15h.8V20z"',
    'one bar for each day with updates',
  )
})

t.test('links show the repositories in a state, and keep the filter; without troubles there are none', async (t) => {
  const page = repositoriesPage({ ...repositories, filter: 'e', state: 'late' }, links)
  t.match(visibleText(page).replaceAll(/\s+/g, ' '), 'All 3 Retracted 1 Late 1')
  t.match(page, `<a href="${meta}/?filter=e&amp;state=late" aria-current="true"`)
  t.match(page, `<a href="${meta}/?filter=e" `)
  t.match(page, '<input type="hidden" name="state" value="late" />')
  const none = { ...repositories, repositories: [], state: 'breaking', counts: new Map() } as const
  t.match(visibleText(repositoriesPage(none, links)), 'No such repository is in this state.\nShow all repositories')
  t.notMatch(repositoriesPage({ ...repositories, counts: new Map() }, links), 'class="chips')
})

t.test('a few repositories need neither a filter nor pages; one without a recorded head says so', async (t) => {
  const page = repositoriesPage(repositories, links)
  t.match(visibleText(page), 'glofas\nNot read yet, or cannot be read.\nocean colour')
  t.match(page, `<a href="${meta}/discovery/glofas">glofas</a>`)
  t.match(page, `<a href="/v1/orgs/acme/settings" rel="nofollow">Settings</a>`)
  t.equal(page.split(`href="${meta}/docs"`).length, 2, 'the documentation is linked once')
  t.notMatch(page, '<form class="filter"')
  t.notMatch(page, 'Page 1')
})

t.test('a repository that cannot be read says since when, and what was seen last', async (t) => {
  const unreadable = repositories.repositories.map((one) => ({
    ...one,
    unreadableSince: new Date('2026-08-31T00:00Z'),
  }))
  const text = visibleText(repositoriesPage({ ...repositories, repositories: unreadable }, links))
  t.match(
    text,
    /ERA5, hourly\n(?:.|\n)*Cannot be read since\n2026-08-31 00:00:00 UTC\n\. Last commit seen: Append August 2026\nRetracted/,
  )
  t.match(text, /glofas\nCannot be read since\n2026-08-31 00:00:00 UTC\n\.\nocean/)
})

t.test('many repositories have a filter and pages, whose links keep the filter', async (t) => {
  const counted = { pages: 3, matches: 250, total: 1_000 }
  const many = { ...repositories, filter: 'sea "ice" & fog', ...counted }
  const first = repositoriesPage(many, links)
  t.match(first, `<form class="filter" role="search" action="${meta}/">`)
  t.match(first, 'value="sea &quot;ice&quot; &amp; fog"')
  t.match(visibleText(first), '250 of 1,000')
  t.match(visibleText(first), 'Page 1 of 3\nNext')
  t.match(first, `href="${meta}/?filter=sea+%22ice%22+%26+fog&amp;page=2" rel="next"`)
  const last = repositoriesPage({ ...many, page: 3 }, links)
  t.match(visibleText(last), 'Previous\nPage 3 of 3')
  t.match(repositoriesPage({ ...many, filter: '', page: 2 }, links), `href="${meta}/" rel="prev"`)
})

t.test('a filter that no name matches leads back to all', async (t) => {
  const page = repositoriesPage({ ...repositories, repositories: [], filter: 'fog', matches: 0 }, links)
  t.match(visibleText(page), '0 of 3')
  t.match(visibleText(page), 'No repository name contains all of these words.\nShow all repositories')
})

t.test("a repository's page begins with its datasets", async (t) => {
  const page = repositoryPage(repository, links)
  t.strictSame(
    ids(page).filter((id) => ['datasets', 'branches', 'tags', 'commits'].includes(id)),
    ['datasets', 'branches', 'tags', 'commits'],
  )
  const text = visibleText(elementById(page, 'datasets'))
  t.match(
    text,
    'Datasets\nof main (1,234)\nHourly fields\n/surface/hourly\nFields at the surface.\n' +
      'Dimensions\ntime: 8,760, cell: 9,007,199,254,740,993\nMetadata unchanged since\n2026-08-30 06:12 UTC\nAppend August 2026\nera5\n',
  )
  const metadata = new Map([['description', 'Fields at the surface.']])
  const described = repositoryPage({ ...repository, state: { ...state, metadata } }, links)
  const inherited = visibleText(elementById(described, 'datasets'))
  t.notMatch(inherited, 'Fields at the surface.', 'the heading has it already')
  t.match(page, `href="${meta}/datasets/era5/main/surface/hourly"`)
  t.match(text, 'All 1,234 datasets of main')
  const empty = { branch: 'main', count: 0, datasets: [], changes: new Map(), reason: null, bytes: null }
  t.match(visibleText(repositoryPage({ ...repository, datasets: empty }, links)), 'There are no datasets yet.')
  const rootArray = { ...empty, reason: 'the root is an array, not a group' }
  const explained = visibleText(repositoryPage({ ...repository, datasets: rootArray }, links))
  t.match(explained, 'There are no datasets: the root is an array, not a group.')
  const damaged = repositoryPage({ ...repository, datasets: { problem: 'damaged object' } }, links)
  t.match(visibleText(damaged), 'Datasets\nThe datasets cannot be listed: damaged object')
  t.equal(ids(repositoryPage({ ...repository, datasets: null }, links)).includes('datasets'), false)
})

t.test("a repository's page says how many bytes the chunks of its branch have, if that is known", async (t) => {
  t.match(visibleText(repositoryPage(repository, links)), 'Chunks of main\n5MB stored\n7kB virtual\n')
  const none = { chunks: 0, bytes: 0 }
  const { datasets } = repository
  const show = (bytes: StoredBytes | null) =>
    visibleText(
      repositoryPage(
        { ...repository, datasets: datasets && !('problem' in datasets) ? { ...datasets, bytes } : null },
        links,
      ),
    )
  t.match(show({ native: none, inline: { chunks: 1, bytes: 8 }, virtual: none }), 'Chunks of main\n8B stored\n')
  t.notMatch(show({ native: none, inline: none, virtual: none }), 'Chunks of main')
  t.notMatch(show(null), 'Chunks of main')
})

t.test("a repository's page lists branches and tags with their snapshots", async (t) => {
  const page = repositoryPage(repository, links)
  t.match(
    visibleText(elementById(page, 'branches')),
    'Branches\n(2)\nfeature/regrid\n8TD5Q2ZK4M7J9XW1V0RG\nhistory\nof feature/regrid\nmain',
  )
  t.match(visibleText(elementById(page, 'tags')), 'Tags\n(24)\nv0.0\nH4SX5TD8QK7J2M9V0WBG')
  t.match(page, `href="${meta}/discovery/era5/feature%2Fregrid"`)
  t.match(visibleText(page), 'Location\ns3://climate-archive/icechunk/era5\nFormat version\n2')
})

t.test("a repository's page shows its newest commits and a form that compares two refs", async (t) => {
  const page = repositoryPage(repository, links)
  const text = visibleText(elementById(page, 'commits'))
  t.match(text, /^Recent commits\nof main\nAppend August 2026\nbranch\nmain\n/)
  t.match(page, `href="${meta}/diff/era5/8TD5Q2ZK4M7J9XW1V0RG/H4SX5TD8QK7J2M9V0WBG"`)
  t.match(page, `action="${meta}/diff/era5"`)
  t.match(page, `<a href="${meta}/history/era5/main">Full history of main</a>`)
})

t.test('pages without a location, tags, groups or repositories say what there is', async (t) => {
  t.notMatch(repositoryPage({ ...repository, location: null }, links), 'Location')
  t.equal(visibleText(elementById(repositoryPage({ ...repository, tags: [] }, links), 'tags')), 'Tags\n(0)')
  t.match(visibleText(refPage({ ...smallTree, groups: [] }, links)), 'This snapshot is empty.')
  const empty = repositoriesPage({ ...repositories, repositories: [], matches: 0, total: 0 }, links)
  t.match(visibleText(empty), 'This organisation has no repositories yet.')
  t.match(empty, `href="${meta}/docs"`)
})

t.test("a repository's page shows its state, or why that cannot be read", async (t) => {
  const text = visibleText(repositoryPage(repository, links))
  t.match(
    text,
    'State\nRead-only since\n2026-08-30 06:12:44 UTC\n: Moving to another bucket\nSnapshots\n1,204\nFeature flags\n',
  )
  t.match(text, 'move_node disabled, number 99 enabled\nMetadata\nowner\nforecasts\n')
  t.match(repositoryPage(repository, links), `<a href="${meta}/operations/era5">Operations log</a>`)
  const damaged = repositoryPage({ ...repository, state: { problem: 'it has no status' } }, links)
  t.match(visibleText(damaged), 'State\ncannot be read: it has no status')
  t.notMatch(
    visibleText(repositoryPage({ ...repository, formatVersion: 1, state: null }, links)),
    /State|Operations log/,
  )
})

t.test('the operations log describes operations in words, and links to the snapshots that still exist', async (t) => {
  const page = operationsPage(operations, links)
  const text = visibleText(page)
  t.match(text, 'What was done to the repository era5\nOperations log\n')
  t.match(text, 'Commit on main\nH4SX5TD8QK7J2M9V0WBG\n2026-08-30 06:12:45 UTC\nby ada@example.org')
  for (const words of [
    'Branch main reset; it pointed to ZK4M7J9XW1V0RG8TD5Q2',
    'Tag v2 created',
    'Feature flag 3 set to its default',
    'Set read-only: Moving',
    'Format migrated from version 1 to 2',
    'Garbage collected',
  ]) {
    t.match(text, words)
  }
  t.match(page, `href="${meta}/discovery/era5/H4SX5TD8QK7J2M9V0WBG"`)
  t.notMatch(page, `href="${meta}/discovery/era5/ZK4M7J9XW1V0RG8TD5Q2"`)
  t.match(page, `<a href="${meta}/operations/era5?before=1795245228101336" rel="next">Older operations</a>`)
  t.match(page, `<a href="${meta}/operations/era5">Newest operations</a>`)
})

t.test('an operations log that is cut off, ends or does not exist says so', async (t) => {
  const show = (page: Partial<typeof operations.page>) =>
    visibleText(operationsPage({ ...operations, page: { ...operations.page, next: null, ...page } }, links))
  t.match(show({ is_cut_off: true }), 'Older operations are missing')
  t.match(show({ operations: [] }), 'There are no more operations.')
  t.match(show({ operations: [], next: '1' }), 'No operations on this page.')
  t.match(
    show({ operations: [], operations_unavailable_reason: 'repo_format_v1' }),
    'Version 1 of the Icechunk format has no operations log.',
  )
})

t.test('a repository whose commits cannot be read, or that has no branch, keeps its page', async (t) => {
  t.match(
    visibleText(repositoryPage({ ...repository, history: { problem: 'gone' } }, links)),
    'The commits cannot be read: gone',
  )
  t.notMatch(visibleText(repositoryPage({ ...repository, history: null }, links)), /commits/i)
})

t.test("a ref's page counts datasets and shows every group with what it contains", async (t) => {
  const page = refPage(smallTree, links)
  const text = visibleText(page)
  t.match(text, 'Datasets\n(7)\n/\n3 groups\nmodel\n1 group\n')
  t.match(text, 'levels\n14 arrays, 1 group\n')
  t.match(text, 'observations\n1 array\n')
  t.match(page, `<a href="${meta}/datasets/era5/main/model/levels/daily%20mean">daily mean</a>`)
})

t.test('groups nest below their parents, also where byte order separates them', async (t) => {
  t.equal(
    treeOf('', 'a', 'a-b', 'a/c').replace(/\n/g, ''),
    '<ul class="tree"><li><a href="/">/</a> <small>2 groups</small></li>' +
      '<li><a href="/a">a</a> <small>1 array, 1 group</small>' +
      '<details open><summary><span class="spoken">Groups in a</span></summary>' +
      '<ul><li><a href="/a/c">c</a> <small>3 arrays</small></li></ul></details></li>' +
      '<li><a href="/a-b">a-b</a> <small>3 arrays</small></li></ul>',
  )
})

t.test('a group whose parent is not listed is below the nearest ancestor that is', async (t) => {
  t.match(treeOf('', 'a', 'a/b/c'), '<li><a href="/a/b/c">b/c</a>')
  t.match(treeOf('', 'x/y'), '<li><a href="/x/y">x/y</a>')
})

t.test('groups called like properties of every object are ordinary groups', async (t) => {
  t.match(treeOf('', '__proto__', '__proto__/constructor'), '<a href="/__proto__/constructor">constructor</a>')
})

t.test('small trees start unfolded, large ones folded and with a filter', async (t) => {
  t.match(refPage(smallTree, links), '<details open>')
  t.notMatch(refPage(smallTree, links), 'filter.js')
  t.notMatch(refPage(largeTree, links), '<details open>')
  t.match(refPage(largeTree, links), /data-filter="tree" hidden>/)
  t.match(refPage(largeTree, links), '<script src="/v1/assets/web/filter.js" defer></script>')
})

t.test('what does not fit on the page is counted', async (t) => {
  const groups = Array.from({ length: 60_000 }, (_, index) => ({ path: `group number ${index}`, arrays: 1 }))
  const tree = groupTree(groups, (path) => `/${path}`).toString()
  const shown = tree.split('<li>').length - 1
  t.ok(Buffer.byteLength(tree) < 4_000_000)
  t.match(visibleText(tree), `${(groups.length - shown).toLocaleString('en')} more groups are not shown.`)
})
