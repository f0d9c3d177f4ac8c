// Adds a button to each command and each piece of code that copies it; without a clipboard the text is selected, to be copied by hand.

/** Milliseconds after which a message beside a button goes away. */
const SHOWN = 4000
let hide = 0

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
    let told = 'Copied'
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      getSelection().selectAllChildren(code)
      told = 'Press Ctrl-C or Cmd-C to copy'
    }
    // One message at a time: that of another button would say something about a clipboard that has changed.
    clearTimeout(hide)
    for (const other of document.querySelectorAll('.copying [role=status]')) other.textContent = ''
    said.textContent = told
    hide = setTimeout(() => {
      said.textContent = ''
    }, SHOWN)
  })
}
