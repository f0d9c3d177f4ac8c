//! Room of the account button. Its file is fetched once there is an account.

/** Takes balance and picture out of a button without room for them, which is then as wide as the rest; the name stays whole. */
export function fit(face: Element, name: HTMLElement, balance: HTMLElement | ''): void {
  let picture = face
  const measure = () => {
    const button = name.parentElement
    if (!button?.isConnected) return removeEventListener('resize', measure)
    // One that failed to load was replaced.
    picture = name.previousElementSibling ?? picture
    button.prepend(picture)
    if (balance) button.append(balance)
    // Half a line further down is another line.
    if (balance && balance.offsetTop > name.offsetTop + 19) balance.remove()
    if (name.scrollWidth > name.clientWidth) picture.remove()
  }
  addEventListener('resize', measure)
  measure()
}
