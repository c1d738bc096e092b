// Searches the documentation. Without this script, readers use the list of pages.

/** Maximum number of sections that are shown. */
const maxResults = 20

const search = document.querySelector('search')
const [input, list] = [search.querySelector('input'), search.querySelector('ol')]
/** The promise of all sections, once they are requested. */
let loading

search.hidden = false
input.addEventListener('focus', load)
input.addEventListener('input', async () => {
  const sections = await load()
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  list.replaceChildren(...(words.length === 0 ? [] : find(sections, words)).map(showSection))
})

/** Loads all sections; none after a failure, and then the next key press tries again. */
function load() {
  loading ??= fetchSections().catch(() => {
    loading = undefined
    return []
  })
  return loading
}

async function fetchSections() {
  const response = await fetch(search.dataset.index)
  if (!response.ok) throw new Error(`the sections were answered with ${response.status}`)
  return response.json()
}

/** Lists the sections that contain all words. Those with more of them in their heading come first. */
function find(sections, words) {
  const ranked = sections.flatMap((section) => {
    const heading = `${section.title} ${section.heading}`.toLowerCase()
    const text = section.text.toLowerCase()
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return []
    return [{ section, score: words.filter((word) => heading.includes(word)).length }]
  })
  return ranked.sort((a, b) => b.score - a.score).slice(0, maxResults)
}

function showSection({ section: { title, heading, address } }) {
  const link = document.createElement('a')
  link.href = search.dataset.root + address
  link.textContent = heading === title ? title : `${title}: ${heading}`
  const item = document.createElement('li')
  item.append(link)
  return item
}
