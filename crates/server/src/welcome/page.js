// Adds a button to each command and each piece of code that copies it; without a clipboard the text is selected, to be copied by hand.

for (const code of document.querySelectorAll('pre')) {
  const said = Object.assign(document.createElement('span'), { role: 'status' })
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: 'Copy' })
  button.setAttribute('aria-label', `Copy: ${code.textContent.trim().split('\n')[0]}`)
  const line = Object.assign(document.createElement('div'), { className: 'copying' })
  line.append(said, button)
  const around = Object.assign(document.createElement('div'), { className: 'snippet' })
  code.replaceWith(around)
  around.append(line, code)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
      said.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(code)
      said.textContent = 'Press Ctrl-C or Cmd-C to copy'
    }
  })
}
