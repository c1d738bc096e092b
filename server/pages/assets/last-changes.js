// Adds when the variables and groups of a group were changed last, as far as its last commits tell. Without this script
// the links to their histories remain.

const sections = document.querySelector('[data-changes]')
const { changes: address, group } = sections.dataset

showLastChanges()

async function showLastChanges() {
  const response = await fetch(address)
  if (response.ok) show(findLastChanges((await response.json()).commits))
}

/** Finds the last commit that changed something, by the name of the variable or group directly below this group. */
function findLastChanges(commits) {
  const times = new Map()
  const below = group === '' ? '' : `${group}/`
  for (const { changes, written_at: time } of commits) {
    for (const { path } of changes.nodes) {
      // A change of this group can be a move out of it, to another path.
      if (!path.startsWith(below)) continue
      const [name] = path.slice(below.length).split('/', 1)
      if (!times.has(name)) times.set(name, time)
    }
    // What else this commit changed is unknown, so nothing can be said about earlier ones.
    if (changes.unknown_reason !== null || changes.count > changes.nodes.length) break
  }
  return times
}

function show(times) {
  for (const item of document.querySelectorAll('.variables li, .groups li')) {
    const place = item.querySelector('.changed, :scope > small')
    const name = item.querySelector('summary b, summary span, :scope > a')?.textContent
    if (place !== null && times.has(name)) place.append(' · last changed ', writeTime(times.get(name)))
  }
}

function writeTime(time) {
  const element = document.createElement('time')
  element.dateTime = time
  element.textContent = `${time.slice(0, 16).replace('T', ' ')} UTC`
  return element
}
