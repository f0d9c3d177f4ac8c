import type { Records } from '@portico/walletconnect'
import { useState } from 'react'
import {
  forgetAll,
  isRelayUrl,
  readTestNetworks,
  type Settings,
  writeSettings,
  writeTestNetworks
} from '../wallet/storage.ts'

export interface SettingsTabProps {
  records: Records
  settings: Settings
  standard: Settings
}

export function SettingsTab({ records, settings, standard }: SettingsTabProps) {
  const [relayUrl, setRelayUrl] = useState(settings.relayUrl)
  const [projectId, setProjectId] = useState(settings.projectId)
  const [tests, setTests] = useState(readTestNetworks(records))
  const wrong = !isRelayUrl(relayUrl.trim())
  const save = (chosen: Settings) => {
    writeSettings(records, chosen)
    // A client cannot change its relay, so the page reloads with the new one.
    location.reload()
  }
  return (
    <section aria-labelledby="settings-heading">
      <h1 id="settings-heading">Settings</h1>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault()
          if (!wrong) save({ relayUrl: relayUrl.trim(), projectId: projectId.trim() })
        }}
      >
        <h2>Relay</h2>
        <p className="soft">Apps and this wallet connect through it. Both must use the same one.</p>
        <label>
          Address
          <input
            dir="ltr"
            inputMode="url"
            spellCheck={false}
            data-testid="relay-input"
            value={relayUrl}
            aria-invalid={wrong}
            aria-describedby="relay-fault"
            onChange={({ target }) => setRelayUrl(target.value)}
          />
        </label>
        <p id="relay-fault" className="fault">
          {wrong && 'Enter an address that starts with wss:// or ws://'}
        </p>
        <label>
          Project
          <input
            dir="ltr"
            spellCheck={false}
            data-testid="project-input"
            value={projectId}
            onChange={({ target }) => setProjectId(target.value)}
          />
        </label>
        <div className="row">
          <button type="button" onClick={() => save(standard)}>
            Reset
          </button>
          <button type="submit" className="primary" data-testid="settings-save" disabled={wrong}>
            Save
          </button>
        </div>
      </form>
      <div className="card">
        <h2>Networks</h2>
        <label className="choice">
          <input
            type="checkbox"
            data-testid="settings-toggle-testnets"
            checked={tests}
            onChange={({ target }) => {
              writeTestNetworks(records, target.checked)
              setTests(target.checked)
            }}
          />
          <span>Test networks</span>
        </label>
        <p className="soft">Offered to apps that connect from now on. Their coins have no value.</p>
      </div>
      <div className="card">
        <h2>Start over</h2>
        <p className="soft">Deletes all connections and settings. Apps aren't notified.</p>
        <button
          type="button"
          data-testid="forget-button"
          onClick={() => {
            forgetAll(records)
            location.reload()
          }}
        >
          Delete everything
        </button>
      </div>
    </section>
  )
}
