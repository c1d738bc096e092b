import t from 'tap'
import { groupTree } from '../../../../server/web/browse/group-tree.ts'
import { refPage } from '../../../../server/web/browse/ref-page.ts'
import { repositoriesPage } from '../../../../server/web/browse/repositories-page.ts'
import { repositoryPage } from '../../../../server/web/browse/repository-page.ts'
import { elementById, visibleText } from '../markup.ts'
import { largeTree, repositories, repository, smallTree } from './sample-browse.ts'
import { links } from '../sample-dataset.ts'

const meta = '/v1/services/tiles/acme/_meta'

function treeOf(...paths: string[]): string {
  return groupTree(
    paths.map((path) => ({ path, arrays: path.length })),
    (path) => `/${path}`,
  ).toString()
}

t.test('repositories show their last commit, its author, time and format version', async (t) => {
  const text = visibleText(repositoriesPage(repositories, links))
  t.match(text, 'era5\nAppend August 2026\n2026-08-30 06:12:44 UTC\nby\nAda Lovelace\nformat 2')
  t.match(text, 'ocean colour, level 3\nRepository initialized\n2026-08-30 06:12:44 UTC\nformat 1')
})

t.test('a repository that cannot be read says why and hides no other', async (t) => {
  const page = repositoriesPage(repositories, links)
  t.match(visibleText(page), 'glofas\nCannot be read:\nsnapshots/1CECHNKREP0F1RSTCMT0 is damaged')
  t.match(page, `<a href="${meta}/discovery/glofas">glofas</a>`)
})

t.test('the list of repositories leads to the documentation', async (t) => {
  const page = repositoriesPage(repositories, links)
  for (const place of ['docs', 'redoc', 'openapi.json']) t.match(page, `href="${meta}/${place}"`)
})

t.test('an organisation without repositories says so', async (t) => {
  const page = repositoriesPage({ ...repositories, repositories: [] }, links)
  t.match(visibleText(page), 'This organisation has no repositories yet.')
})

t.test("a repository's page lists branches and tags with their snapshots", async (t) => {
  const page = repositoryPage(repository, links)
  t.match(visibleText(elementById(page, 'branches')), 'Branches\n(2)\nfeature/regrid\n8TD5Q2ZK4M7J9XW1V0RG\nmain')
  t.match(visibleText(elementById(page, 'tags')), 'Tags\n(24)\nv0.0\nH4SX5TD8QK7J2M9V0WBG')
  t.match(page, `href="${meta}/discovery/era5/feature%2Fregrid"`)
  t.match(visibleText(page), 'Location\ns3://climate-archive/icechunk/era5\nFormat version\n2')
})

t.test('a location that readers should not see leaves no trace', async (t) => {
  t.notMatch(repositoryPage({ ...repository, location: null }, links), 'Location')
})

t.test('a repository without tags keeps the section', async (t) => {
  const page = repositoryPage({ ...repository, tags: [] }, links)
  t.equal(visibleText(elementById(page, 'tags')), 'Tags\n(0)')
})

t.test("a ref's page counts datasets and shows every group with what it holds", async (t) => {
  const page = refPage(smallTree, links)
  const text = visibleText(page)
  t.match(text, 'Datasets\n(7 in 9 groups)\n/\n3 groups\nmodel\n1 group\n')
  t.match(text, 'levels\n14 arrays, 1 group\n')
  t.match(text, 'observations\n1 array\n')
  t.match(page, `<a href="${meta}/datasets/era5/main/model/levels/daily%20mean">daily mean</a>`)
})

t.test('a ref without groups says so', async (t) => {
  t.match(visibleText(refPage({ ...smallTree, groups: [] }, links)), 'This snapshot is empty.')
})

t.test('groups nest below their parents, also where byte order separates them', async (t) => {
  t.equal(
    treeOf('', 'a', 'a-b', 'a/c').replace(/\n/g, ''),
    '<ul class="tree"><li><a href="/">/</a> <small>2 groups</small></li>' +
      '<li><a href="/a">a</a> <small>1 array, 1 group</small><details open><summary><span class="spoken">Groups in a</span></summary>' +
      '<ul><li><a href="/a/c">c</a> <small>3 arrays</small></li></ul></details></li>' +
      '<li><a href="/a-b">a-b</a> <small>3 arrays</small></li></ul>',
  )
})

t.test('a group whose parent is not listed hangs below the nearest ancestor that is', async (t) => {
  t.match(treeOf('', 'a', 'a/b/c'), '<li><a href="/a/b/c">b/c</a>')
  t.match(treeOf('', 'x/y'), '<li><a href="/x/y">x/y</a>')
})

t.test('groups called like properties of every object are ordinary groups', async (t) => {
  t.match(treeOf('', '__proto__', '__proto__/constructor'), '<a href="/__proto__/constructor">constructor</a>')
})

t.test('small trees start unfolded, large ones folded and with a filter', async (t) => {
  t.match(refPage(smallTree, links), '<details open>')
  t.notMatch(refPage(smallTree, links), '<script')
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
