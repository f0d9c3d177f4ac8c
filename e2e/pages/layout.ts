//! Faults of the modal's layout that a visitor can see: content outside the card, text that is cut without a sign, things on top of each
//! other. The function runs in the page, so it must not use anything outside of it.

/** Faults of the card within this shadow root, each as a sentence. */
export function layoutFaults(shadow: ShadowRoot): string[] {
  const card = shadow.querySelector('.card')
  const view = shadow.ownerDocument.defaultView
  if (!card || !view) return ['there is no card']
  type Box = { left: number; top: number; right: number; bottom: number }
  type Text = { readonly parent: Element; readonly seen: readonly Box[] }
  const faults = new Set<string>()
  const styles = new Map<Element, CSSStyleDeclaration>()
  const style = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element) ?? view.getComputedStyle(element)
    styles.set(element, known)
    return known
  }
  const name = (element: Element) =>
    `<${[element.localName, ...element.classList].join('.')}> “${(element.textContent ?? '').trim().slice(0, 40)}”`
  const above = (element: Element): Element[] => {
    const all: Element[] = []
    for (let at: Element | null = element; at && card.contains(at); at = at.parentElement) all.push(at)
    return all
  }
  const meet = (one: Box, other: Box): Box => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom)
  })
  const width = ({ left, right }: Box) => Math.max(0, right - left)
  const height = ({ top, bottom }: Box) => Math.max(0, bottom - top)
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !above(element).some((one) => style(one).clipPath !== 'none' || one.matches('.unseen'))
  /** Whether this element cuts what is wider than it, and cannot be scrolled to it. */
  const cutsAcross = (element: Element) => /hidden|clip/.test(style(element).overflowX)
  const cutsDown = (element: Element) => /hidden|clip/.test(style(element).overflowY)
  const isSaid = (element: Element) => element.closest('[title]') !== null
  /** Whether a text is short and of no use in pieces: an amount, with or without its symbol, or an address that is already shortened. */
  const isWhole = (text: string) =>
    text.length <= 15 &&
    (/^[~<+−-]?\s?\$?\p{Nd}[\p{Nd}.,٬٫\s]*(\s\S{1,6})?$/u.test(text) || /^\S{2,6}…\S{4,6}$/.test(text))
  const frame = card.getBoundingClientRect()

  // The card itself.
  if (frame.left < -1 || frame.right > view.innerWidth + 1 || frame.top < -1 || frame.bottom > view.innerHeight + 1)
    faults.add('the card leaves the window')
  const body = card.querySelector('.body')
  if (body) {
    const wider = body.scrollWidth - body.clientWidth
    if (wider > 0) {
      const leaves = ({ left, right }: Box) => left < frame.left - 1 || right > frame.right + 1
      const widest = [...body.querySelectorAll('*')].find((element) => leaves(element.getBoundingClientRect()))
      faults.add(
        `the card can be scrolled to the side by ${wider} px, to ${widest ? above(widest).slice(0, 4).map(name).join(' in ') : 'nothing'}`
      )
    }
    // Of the headings of a list, each takes the place of the one before.
    const sticky = new Map<string, number>()
    for (const element of body.querySelectorAll('*'))
      if (style(element).position === 'sticky')
        sticky.set(`${element.localName}.${element.className}`, element.getBoundingClientRect().height)
    const stuck = [...sticky.values()].reduce((sum, height) => sum + height, 0)
    if (stuck > body.clientHeight / 2) faults.add(`what sticks takes ${stuck} of ${body.clientHeight} px`)
  }

  // Buttons of the foot are whole, wherever the content is scrolled to. In low windows the foot scrolls too.
  if (view.innerHeight > 600) {
    for (const button of card.querySelectorAll('.floor .button')) {
      const { top, bottom } = button.getBoundingClientRect()
      if (top < frame.top - 1 || bottom > frame.bottom + 1) faults.add(`${name(button)} is cut by the edge of the card`)
    }
  }

  // Texts.
  const texts: Text[] = []
  const walker = shadow.ownerDocument.createTreeWalker(card, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const parent = node.parentElement
    const text = (node.textContent ?? '').trim()
    if (!parent || !text || !isShown(parent) || parent.localName === 'style') continue
    const range = shadow.ownerDocument.createRange()
    range.selectNodeContents(node)
    const ancestors = above(parent)
    const seen: Box[] = []
    for (const line of range.getClientRects()) {
      let box: Box = { left: line.left, top: line.top, right: line.right, bottom: line.bottom }
      for (const one of ancestors) {
        const own = style(one)
        if (own.overflowX === 'visible' && own.overflowY === 'visible') continue
        const around = one.getBoundingClientRect()
        const across = cutsAcross(one)
        if (across && (box.right > around.right + 1 || box.left < around.left - 1)) {
          // The modal gives a cut text its title when the pointer reaches it.
          one.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }))
          if (own.textOverflow !== 'ellipsis') faults.add(`${name(parent)} is cut without an ellipsis by ${name(one)}`)
          else if (!isSaid(one)) faults.add(`${name(parent)} is cut and has no title`)
          else if (isWhole(text)) faults.add(`${name(parent)} is cut, and short enough to be whole`)
        }
        // Half a line may be the space above and below the letters.
        const down = Math.max(box.bottom - around.bottom, around.top - box.top)
        if (cutsDown(one) && one !== card && down > line.height / 3) {
          if (own.webkitLineClamp === 'none' || own.webkitLineClamp === '')
            faults.add(`${name(parent)} is cut below by ${name(one)}`)
          else if (!isSaid(one)) faults.add(`${name(parent)} is clamped and has no title`)
        }
        box = meet(box, around)
      }
      // Only the letters count, not the space above and below them.
      const space = height(box) / 5
      if (width(box) > 1 && height(box) > 1) seen.push({ ...box, top: box.top + space, bottom: box.bottom - space })
      if (line.left < frame.left - 1 || line.right > frame.right + 1) {
        if (!ancestors.some((one) => one !== card && !/visible/.test(style(one).overflowX)))
          faults.add(`${name(parent)} leaves the card`)
      }
    }
    // A number goes on in the next line only where it is longer than a line.
    for (const number of view.innerWidth < 320
      ? []
      : (node.textContent ?? '').matchAll(/(?<!\S)[~<+−-]?\$?\p{Nd}[\p{Nd}.,٬٫]+(?!\S)/gu)) {
      range.setStart(node, number.index)
      range.setEnd(node, number.index + number[0].length)
      if (number[0].length <= 15 && new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
        faults.add(`${name(parent)} breaks ${number[0]}`)
    }
    // A short word is whole: those of titles, and in windows of phones at 200 % those of all texts of ours.
    const titled = parent.matches('.title') && view.innerWidth >= 180
    const own = view.innerWidth >= 195 && !parent.closest('bdi,code,pre,.full')
    const words = titled || own ? (node.textContent ?? '') : ''
    for (const word of words.matchAll(/(?<!\S)\p{L}{2,9}(?!\S)/gu)) {
      range.setStart(node, word.index)
      range.setEnd(node, word.index + word[0].length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
        faults.add(`${name(parent)} breaks ${word[0]}`)
    }
    texts.push({ parent, seen })
  }

  // Fields.
  for (const field of card.querySelectorAll<HTMLInputElement>('input,textarea')) {
    if (!isShown(field)) continue
    if (field.localName === 'textarea' && field.scrollHeight > field.clientHeight + 1)
      faults.add(`the field ${field.id} shows only a part of its lines`)
    if (field.scrollWidth <= field.clientWidth + 1) continue
    if (style(field).textOverflow !== 'ellipsis')
      faults.add(`the field ${field.getAttribute('aria-label') ?? field.id} is cut without an ellipsis`)
    else if (isWhole(field.value)) faults.add(`“${field.value}” of the field ${field.id} is short enough to be whole`)
  }

  // Buttons, links and pictures: within the card and what surrounds them. A link in a sentence has a box for each line.
  const things = [
    ...card.querySelectorAll('button,a[href],input,textarea,select,img,.medal,.pill,[role=tab],[role=option]')
  ]
  const boxes: (readonly [Element, Box])[] = []
  for (const thing of things.filter(isShown)) {
    for (const line of thing.getClientRects()) {
      let box: Box = line
      for (const one of above(thing).slice(1)) {
        const own = style(one)
        if (own.overflowX === 'visible' && own.overflowY === 'visible') continue
        const around = one.getBoundingClientRect()
        if (cutsAcross(one) && (box.right > around.right + 1 || box.left < around.left - 1))
          faults.add(`${name(thing)} is cut by ${name(one)}`)
        box = meet(box, around)
      }
      if (width(box) > 1 && height(box) > 1) boxes.push([thing, box])
    }
  }

  // The pill behind the chosen tab, which the list of tabs draws.
  for (const list of card.querySelectorAll('[role=tablist]')) {
    const chosen = list.querySelector('[aria-selected=true]')
    const pill = view.getComputedStyle(list, '::before')
    if (!chosen || pill.position !== 'absolute') continue
    const left = list.getBoundingClientRect().left + parseFloat(pill.left) + new view.DOMMatrix(pill.transform).e
    const { left: start, right: end } = chosen.getBoundingClientRect()
    if (Math.abs(left - start) > 1 || Math.abs(left + parseFloat(pill.width) - end) > 1)
      faults.add(`the pill does not lie behind ${name(chosen)}`)
  }

  // What lies on top of something else. What sticks covers what is scrolled under it, which is meant.
  const sticks = (element: Element, other: Element) =>
    above(element).some((one) => /sticky|fixed/.test(style(one).position) && !one.contains(other))
  const apart = (one: Element, other: Element) => !sticks(one, other) && !sticks(other, one)
  const overlap = (one: Box, other: Box) => {
    const both = meet(one, other)
    return width(both) > 2 && height(both) > 2
  }
  // A number stands on the picture that it counts.
  const counts = (tag: Element, picture: Element) =>
    picture.localName === 'img' && tag.parentElement === picture.parentElement && style(tag).position === 'absolute'
  // A field may draw its text itself, below it.
  const draws = (drawing: Element, field: Element) =>
    field.localName === 'input' && drawing.closest('[aria-hidden=true]')?.parentElement === field.parentElement
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1))
      if (one.seen.some((box) => other.seen.some((near) => overlap(box, near))) && apart(one.parent, other.parent))
        faults.add(`${name(one.parent)} and ${name(other.parent)} lie on each other`)
    for (const [thing, box] of boxes)
      if (
        !thing.contains(one.parent) &&
        !one.parent.contains(thing) &&
        !draws(one.parent, thing) &&
        !counts(one.parent, thing) &&
        one.seen.some((near) => overlap(box, near)) &&
        apart(thing, one.parent)
      )
        faults.add(`${name(one.parent)} and ${name(thing)} lie on each other`)
  })
  boxes.forEach(([one, box], index) => {
    // Pictures of one thing are piled.
    for (const [other, near] of boxes.slice(index + 1))
      if (
        !(one.localName === 'img' && other.localName === 'img') &&
        !one.contains(other) &&
        !other.contains(one) &&
        overlap(box, near) &&
        apart(one, other)
      )
        faults.add(`${name(one)} and ${name(other)} lie on each other`)
  })
  return [...faults]
}
