import type { Records } from '@portico/walletconnect'
import { useState, useSyncExternalStore } from 'react'
import type { Settings } from '../wallet/storage.ts'
import { relayOf } from '../wallet/view.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { AccountsTab } from './AccountsTab.tsx'
import { ConnectTab } from './ConnectTab.tsx'
import { Notices } from './Notices.tsx'
import { QuestionDialog } from './QuestionDialog.tsx'
import { RelayState } from './RelayState.tsx'
import { SessionsTab } from './SessionsTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'

const TABS = [
  { id: 'wc-connect', label: 'Connect' },
  { id: 'sessions', label: 'Connections' },
  { id: 'accounts', label: 'Accounts' },
  { id: 'settings', label: 'Settings' }
] as const

type Tab = (typeof TABS)[number]['id']

export interface AppProps {
  wallet: Wallet
  records: Records
  settings: Settings
  standard: Settings
}

export function App({ wallet, records, settings, standard }: AppProps) {
  const view = useSyncExternalStore(wallet.subscribe, wallet.view)
  const [tab, setTab] = useState<Tab>('wc-connect')
  const [put, setPut] = useState(false)
  const [question] = view.questions
  return (
    <>
      <header className="bar">
        <span className="brand">
          <img src="./icon.svg" alt="" width="28" height="28" />
          Demo Phone Wallet
        </span>
        <RelayState relay={relayOf(view)} />
      </header>
      <main className="page">
        <p className="caution">
          <strong>Test keys only.</strong> Everyone knows this wallet's keys. Never send real money to its addresses.
        </p>
        <Notices notices={view.notices} dismiss={(notice) => wallet.dismiss(notice)} />
        {question && put && (
          <button type="button" className="waiting" onClick={() => setPut(false)}>
            {view.questions.length === 1 ? '1 request waiting' : `${view.questions.length} requests waiting`}
            <span>Review</span>
          </button>
        )}
        {tab === 'wc-connect' && <ConnectTab wallet={wallet} view={view} />}
        {tab === 'sessions' && <SessionsTab wallet={wallet} view={view} />}
        {tab === 'accounts' && <AccountsTab />}
        {tab === 'settings' && <SettingsTab records={records} settings={settings} standard={standard} />}
      </main>
      <nav className="tabs" aria-label="Wallet">
        {TABS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            data-testid={id}
            aria-current={tab === id ? 'page' : undefined}
            onClick={() => setTab(id)}
          >
            {label}
            {id === 'sessions' && view.sessions.length > 0 && <span className="count">{view.sessions.length}</span>}
          </button>
        ))}
      </nav>
      {question && !put && (
        <QuestionDialog
          key={`${question.kind} ${question.id}`}
          wallet={wallet}
          question={question}
          count={view.questions.length}
          now={view.now}
          put={() => setPut(true)}
        />
      )}
    </>
  )
}
