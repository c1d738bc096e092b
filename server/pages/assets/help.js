// Searches the documentation. Without this script, the list of pages is the way to find something.

/** The most sections that are shown. */
const limit = 20

const place = document.querySelector('search')
const [input, list] = [place.querySelector('input'), place.querySelector('ol')]
let loading

place.hidden = false
input.addEventListener('focus', load)
input.addEventListener('input', async () => {
  const sections = await load()
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  list.replaceChildren(...(words.length === 0 ? [] : find(sections, words)).map(showSection))
})

function load() {
  loading ??= fetch(place.dataset.index).then((response) => response.json())
  // A failed request is repeated when somebody types on.
  loading.catch(() => (loading = undefined))
  return loading
}

/** Lists the sections that have all words, those with more of them in their heading first. */
function find(sections, words) {
  const ranked = sections.flatMap((section) => {
    const heading = `${section.title} ${section.heading}`.toLowerCase()
    const text = section.text.toLowerCase()
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return []
    return [{ section, score: words.filter((word) => heading.includes(word)).length }]
  })
  return ranked.sort((one, other) => other.score - one.score).slice(0, limit)
}

function showSection({ section: { title, heading, address } }) {
  const link = document.createElement('a')
  link.href = place.dataset.root + address
  link.textContent = heading === title ? title : `${title}: ${heading}`
  const item = document.createElement('li')
  item.append(link)
  return item
}
