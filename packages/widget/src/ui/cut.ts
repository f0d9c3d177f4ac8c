/** Titles that were set here, because their texts were cut. */
const titled = new WeakSet<Element>()

/** Gives a text that is cut with an ellipsis a title with the whole text, when the pointer or the focus reaches it. */
export function titleCut(around: Element): void {
  for (const element of [around, ...around.querySelectorAll('*')]) {
    if (titled.delete(element)) element.removeAttribute('title')
    const wide = element.scrollWidth > element.clientWidth
    const high = element.scrollHeight > element.clientHeight
    if (!wide && !high) continue
    const style = getComputedStyle(element)
    const cut = (wide && style.textOverflow === 'ellipsis') || (high && Number(style.webkitLineClamp) > 0)
    if (!cut || element.closest('[title]')) continue
    titled.add(element)
    element.setAttribute('title', (element as HTMLInputElement).value ?? element.textContent)
  }
}
