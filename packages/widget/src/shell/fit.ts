//! Room of the account button. Its file is fetched once there is an account.

/**
 * Takes balance and picture out of a button without room for them, which is then as wide as the rest, and sets a name that still has no room
 * in smaller letters. A shortened address is of no use in pieces: one without room gives way to the picture, and only screen readers have it.
 * A name that is cut is the button's title.
 */
export function fit(face: Element, name: HTMLElement, balance: HTMLElement | ''): void {
  let picture = face
  const isCut = () => name.scrollWidth > name.clientWidth
  const measure = () => {
    const button = name.parentElement
    if (!button?.isConnected) return removeEventListener('resize', measure)
    // One that failed to load was replaced.
    picture = name.previousElementSibling ?? picture
    name.className = name.style.cssText = ''
    button.removeAttribute('title')
    button.prepend(picture)
    if (balance) button.append(balance)
    // Half a line further down is another line.
    if (balance && balance.offsetTop > name.offsetTop + 19) balance.remove()
    if (!isCut()) return
    picture.remove()
    if (!isCut()) return
    name.className = 'less'
    if (!isCut()) return
    button.title = name.textContent ?? ''
    if (!button.title.includes('…')) return
    button.prepend(picture)
    name.className = 'unseen'
    // As small as its place: a page that is written from the right would scroll to a wider one.
    name.style.cssText = 'position:absolute;width:1px;height:1px;clip-path:inset(50%)'
  }
  addEventListener('resize', measure)
  measure()
}
