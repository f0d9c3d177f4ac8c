// Buttons that copy the whole hash or address beside them. Where the browser forbids it, the text is selected instead.
const buttons = [...document.querySelectorAll('[data-copy]')]
for (const button of buttons) {
  button.hidden = false
  button.addEventListener('click', async () => {
    for (const other of buttons) other.textContent = 'Copy'
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling)
    }
  })
}
