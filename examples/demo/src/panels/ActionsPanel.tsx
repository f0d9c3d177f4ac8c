import { type createAppKit, useAppKit, useAppKitTheme, useDisconnect } from '@portico/widget/react'
import { useState } from 'react'
import { inWords } from '../words.ts'
import { Panel } from './Panel.tsx'

export function ActionsPanel({ kit }: { kit: ReturnType<typeof createAppKit> }) {
  const { open } = useAppKit()
  const { disconnect } = useDisconnect()
  const { themeMode, setThemeMode } = useAppKitTheme()
  const [said, setSaid] = useState('')
  const tell = async (doing: string, work: () => Promise<unknown>) => {
    setSaid(`${doing}…`)
    try {
      const result = await work()
      setSaid(result === undefined || result === null ? 'Done' : JSON.stringify(result, null, 2))
    } catch (error) {
      setSaid(inWords(error))
    }
  }
  const turnTheme = () => {
    const next = themeMode === 'dark' ? 'light' : 'dark'
    document.documentElement.dataset.theme = next
    setThemeMode(next)
  }
  return (
    <Panel title="Actions">
      <div className="row">
        <button
          type="button"
          className="primary"
          data-testid="open"
          onClick={() => tell('Opening', async () => open())}
        >
          Open
        </button>
        <button type="button" data-testid="connect" onClick={() => tell('Connecting', () => kit.connect())}>
          await connect()
        </button>
        <button
          type="button"
          data-testid="open-networks"
          onClick={() => tell('Opening', async () => open({ view: 'Networks' }))}
        >
          Networks
        </button>
        <button type="button" data-testid="disconnect" onClick={() => tell('Disconnecting', () => disconnect())}>
          Disconnect
        </button>
        <button type="button" data-testid="theme" onClick={turnTheme}>
          {themeMode === 'dark' ? 'Light theme' : 'Dark theme'}
        </button>
      </div>
      <output className="said" data-testid="action-result">
        {said}
      </output>
    </Panel>
  )
}
