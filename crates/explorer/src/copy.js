// Buttons that copy the whole hash or address beside them: the icon turns into a tick for a while, and screen readers announce it. Where the
// browser forbids copying, the text is selected instead.
const buttons = [...document.querySelectorAll('[data-copy]')]
let done
const mark = (button) => {
  clearTimeout(done)
  for (const other of buttons) {
    other.toggleAttribute('data-done', other === button)
    other.nextElementSibling.textContent = other === button ? 'Copied' : ''
  }
  if (button) done = setTimeout(mark, 2000)
}
for (const button of buttons) {
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      mark(button)
    } catch {
      mark()
      getSelection().selectAllChildren(button.previousElementSibling)
    }
  })
}
