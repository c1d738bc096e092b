// Adds when a group, its variables and its groups were changed last, chunks included, as far as its last commits tell.
// Without this script the links to their histories remain.

const sections = document.querySelector('[data-changes]')
const { changes: address, group } = sections.dataset

showLastChanges()

async function showLastChanges() {
  const response = await fetch(address)
  if (!response.ok) return
  const last = findLastChanges((await response.json()).commits)
  showTimes(last)
  showCommit(last)
}

/**
 * Finds the last commit that changed something, by the name of the variable or group directly below this group, or ''
 * for the group itself; the newest commit first.
 */
function findLastChanges(commits) {
  const last = new Map()
  const below = group === '' ? '' : `${group}/`
  for (const commit of commits) {
    const { changes } = commit
    for (const { path } of changes.nodes) {
      // A change of this group can be a move out of it, to another path.
      if (path !== group && !path.startsWith(below)) continue
      const [name] = path === group ? [''] : path.slice(below.length).split('/', 1)
      if (!last.has(name)) last.set(name, commit)
    }
    // What else this commit changed is unknown, so nothing can be said about earlier ones.
    if (changes.unknown_reason !== null || changes.count > changes.nodes.length) break
  }
  return last
}

function showTimes(last) {
  for (const item of document.querySelectorAll('.variables li, .groups li')) {
    const place = item.querySelector('.changed, :scope > small')
    const commit = last.get(readName(item))
    if (place !== null && commit !== undefined) place.append(' · last changed ', writeTime(commit.written_at))
  }
}

/** Adds the commit that changed the dataset last: the group, or one of its variables. */
function showCommit(last) {
  const [variables, groups] = ['.variables li', '.groups li'].map(
    (items) => new Set([...document.querySelectorAll(items)].map(readName)),
  )
  const [name, found] = [...last].find(([name]) => !groups.has(name)) ?? []
  // What is not on the page was deleted, or left out: nobody knows whether it belongs to the dataset.
  if (found === undefined || (name !== '' && !variables.has(name))) return
  const facts = document.querySelector('aside .commit')
  const { snapshot_id: id, written_at: time, commit_message: message } = found
  const isShown = id === facts.querySelector('[data-copy]').textContent.trim()
  const content = isShown ? ['this commit'] : [writeTime(time), ' ', write('q', message.trim().split('\n', 1)[0])]
  const commit = write('dd', ...content)
  commit.className = 'message'
  facts.append(write('dt', 'Last change'), commit)
}

function write(name, ...content) {
  const element = document.createElement(name)
  element.append(...content)
  return element
}

function readName(item) {
  return item.querySelector('summary b, summary span, :scope > a')?.textContent
}

function writeTime(time) {
  const element = write('time', `${time.slice(0, 16).replace('T', ' ')} UTC`)
  element.dateTime = time
  return element
}
