// Copies the code of the page; without a clipboard the code is selected, to be copied by hand.

const button = document.getElementById('copy')
const code = document.getElementById('code')
const said = document.getElementById('said')

button.hidden = false
button.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(code.textContent)
    said.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(code)
    said.textContent = 'Press Ctrl-C or Cmd-C to copy'
  }
})
