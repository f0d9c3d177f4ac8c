//! Views of the frame in each state, for the gallery and its tests. Values are long ones, because those are hard to fit.

import type { ApprovalView, Device, FrameSnapshot, SettingsAct, SettingsView } from '../generated/frame.ts'
import type { Secret } from '../secrets.ts'
import { faults } from '../text/faults.ts'
import { FARCASTER, farcasterCode } from './code.ts'

/** Snapshot, and what the page holds besides. */
export interface Case {
  readonly snapshot: FrameSnapshot
  readonly secret?: Secret
}

const AT = Date.UTC(2026, 10, 27, 3, 20)
const EMAIL = 'a.visitor.with.a.very.long.name@mail.example.org'
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const SOLANA = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'

const recovery = { id: 'r', kind: 'recovery', created: AT, mark: null } as const
const own = [
  { id: 'p', kind: 'passkey', created: AT, mark: null },
  { id: 'w', kind: 'password', created: AT, mark: null },
  { id: 'k', kind: 'kit', created: AT, mark: '0a1b2c3d' }
] as const
const device = (id: string, label: string, place: string, current = false): Device => ({
  id,
  label,
  host: 'https://shop.example.org',
  place,
  approved: AT,
  used: AT,
  current
})

const host = { origin: 'https://a-shop-with-a-long-name.example.org', name: 'A Shop With a Name That Is Long' }
const nothing: FrameSnapshot = { theme: 'dark', variables: null, host, approval: null, settings: null }

const asleep: SettingsView = {
  page: 'overview',
  act: null,
  number: null,
  email: EMAIL,
  ways: [recovery],
  logins: [{ id: 'email', provider: 'email', name: EMAIL }],
  services: [
    { id: 'google', name: null },
    { id: 'x', name: null },
    { id: 'farcaster', name: null },
    { id: 'openid', name: 'Example Company' }
  ],
  chosen: null,
  newEmail: null,
  url: null,
  code: null,
  rest: 0,
  devices: [
    device('A', 'Firefox on Linux', '203.0.113.x', true),
    device('B', 'Samsung Internet on Android', '2001:db8:1:x'),
    device('C', 'Unknown browser', '')
  ],
  frozen: false,
  held: false,
  strict: false,
  blocked: false,
  fault: null,
  confirmed: false,
  busy: false,
  armed: true
}
const settings = (shown: Partial<SettingsView>, secret?: Secret): Case => {
  const snapshot = { ...nothing, settings: { ...asleep, ...shown } }
  return secret ? { snapshot, secret } : { snapshot }
}
const explain = (act: SettingsAct, shown: Partial<SettingsView> = {}) => settings({ page: 'explain', act, ...shown })
const adding = { act: 'addEmail', newEmail: EMAIL, logins: [{ id: 'g', provider: 'google', name: 'Ada' }] } as const

const sending: ApprovalView = {
  number: 1,
  revision: 1,
  stage: 'ready',
  armed: true,
  blocked: false,
  block: null,
  confirm: null,
  window: false,
  fault: null,
  action: 'send',
  account: ACCOUNT,
  network: { name: 'Ethereum', id: null },
  rows: [
    { label: 'amount', text: { phrase: 'amount', values: ['1234.500000000000000001', 'ETH'] } },
    { label: 'to', text: { phrase: 'plain', values: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] } }
  ],
  text: null,
  fee: { phrase: 'amount', values: ['0.000273000012345', 'ETH'] },
  expected: null,
  flags: []
}
const approval = (shown: Partial<ApprovalView>): Case => ({
  snapshot: { ...nothing, approval: { ...sending, ...shown } }
})

export const cases: Readonly<Record<string, Case>> = {
  'Approve.send': approval({ flags: ['firstSeen'] }),
  'Approve.block': approval({ block: true, action: 'signMessage', rows: [], text: 'Hello', fee: null }),
  'Approve.blockLong': approval({ block: true, flags: ['lookAlike', 'firstSeen'] }),
  'Approve.blockHasty': approval({ block: false, armed: false }),
  'Approve.blockAgain': approval({ block: true, flags: ['large'], confirm: 'click' }),
  'Approve.frozen': approval({ armed: false, blocked: true, flags: ['frozen'] }),
  'Approve.held': approval({ armed: false, blocked: true, flags: ['held'] }),
  'Approve.large': approval({ flags: ['large', 'onlyTried'] }),
  'Approve.again': approval({ flags: ['large'], confirm: 'click' }),
  'Approve.inWindow': approval({ flags: ['large'], window: true }),
  'Approve.window': approval({ flags: ['large'], confirm: 'click', window: true }),
  'Approve.password': approval({ confirm: 'password', fault: faults.passwordWrong }),
  'Approve.preparing': approval({ armed: false, stage: 'preparing', fee: null }),
  'Approve.message': approval({ action: 'signMessage', rows: [], text: 'Hello\n\nWelcome to the shop.', fee: null }),
  'Approve.permit': approval({
    action: 'permit',
    rows: [
      { label: 'allows', text: { phrase: 'mayTakeAny', values: [ACCOUNT, 'USDC'] } },
      { label: 'spender', text: { phrase: 'plain', values: [ACCOUNT] } },
      { label: 'expires', text: { phrase: 'date', values: ['2026-11-27T03:20:00Z'] } }
    ],
    fee: null,
    flags: ['permit', 'unlimitedApproval', 'firstSpender']
  }),
  'Approve.permitAmount': approval({
    action: 'permit',
    rows: [
      { label: 'spender', text: { phrase: 'plain', values: [ACCOUNT] } },
      { label: 'token', text: { phrase: 'plain', values: ['USDC 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'] } },
      { label: 'amount', text: { phrase: 'amount', values: ['1.5', 'USDC'] } },
      { label: 'expires', text: { phrase: 'date', values: ['2026-11-27T03:20:00Z'] } },
      { label: 'token', text: { phrase: 'plain', values: [ACCOUNT] } },
      { label: 'amountOrItem', text: { phrase: 'number', values: ['1500000'] } }
    ],
    fee: null,
    flags: ['permit', 'firstSpender']
  }),
  'Approve.call': approval({
    action: 'callContract',
    rows: [
      { label: 'contract', text: { phrase: 'plain', values: [ACCOUNT] } },
      { label: 'selector', text: { phrase: 'plain', values: ['0x12345678'] } },
      { label: 'dataSize', text: { phrase: 'bytes', values: ['1234'] } }
    ],
    expected: [
      { label: 'leaves', text: { phrase: 'amount', values: ['1.5', 'ETH'] } },
      { label: 'comes', text: { phrase: 'amount', values: ['3000', 'USDC'] } }
    ],
    flags: ['onlySimulated', 'highFee']
  }),
  'Approve.solana': approval({
    action: 'signTransaction',
    account: SOLANA,
    network: { name: 'Solana', id: null },
    rows: [
      { label: 'transaction', text: { phrase: 'partOf', values: ['1', '2'] } },
      { label: 'amount', text: { phrase: 'amount', values: ['1.5', 'USDC'] } },
      { label: 'token', text: { phrase: 'plain', values: ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'] } },
      { label: 'to', text: { phrase: 'plain', values: [SOLANA] } },
      { label: 'tokenAccount', text: { phrase: 'plain', values: ['GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq'] } },
      { label: 'paidBefore', text: { phrase: 'plain', values: ['4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'] } },
      { label: 'memo', text: { phrase: 'plain', values: ['Invoice 42'] } },
      { label: 'transaction', text: { phrase: 'partOf', values: ['2', '2'] } },
      { label: 'program', text: { phrase: 'plain', values: ['US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx'] } },
      { label: 'newAuthority', text: { phrase: 'nobody', values: [] } }
    ],
    fee: { phrase: 'amount', values: ['0.000005', 'SOL'] },
    expected: [
      { label: 'transaction', text: { phrase: 'partOf', values: ['1', '2'] } },
      { label: 'leaves', text: { phrase: 'amount', values: ['1.5', 'USDC (EPjF…yTDt1v)'] } }
    ],
    flags: [
      'unknownProgram',
      'hiddenAccounts',
      'neverExpires',
      'otherNetwork',
      'delegates',
      'newAuthority',
      'notSimulated',
      'firstSpender',
      'lookAlike'
    ]
  }),
  'Settings.loading': settings({ page: 'loading', busy: true }),
  'Settings.lost': settings({ page: 'lost', fault: faults.unreachable }),
  'Settings.assisted': settings({}),
  'Settings.sovereign': settings({ ways: own }),
  'Settings.all': settings({ ways: [recovery, ...own], logins: [...asleep.logins, ...adding.logins] }),
  'Settings.strict': settings({ ways: own, strict: true }),
  'Settings.blocked': settings({ ways: own, strict: true, blocked: true }),
  'Settings.frozen': settings({ ways: [recovery, ...own], frozen: true }),
  'Settings.held': settings({ frozen: true, held: true }),
  'Settings.fault': settings({ fault: faults.last }),
  'Locked.all': settings({ page: 'locked', ways: own }),
  'Locked.fault': settings({ page: 'locked', ways: own, fault: faults.passwordWrong }),
  'Locked.kit': settings({ page: 'locked', ways: own.filter(({ kind }) => kind === 'kit') }),
  'Login.passkey': settings({ page: 'login' }),
  'Explain.export': explain('export', { ways: [recovery, ...own] }),
  'Explain.makeKit': explain('makeKit'),
  'Explain.addPasskey': explain('addPasskey', { confirmed: true }),
  'Explain.setPassword': explain('setPassword'),
  'Explain.changePassword': explain('setPassword', { ways: [recovery, ...own] }),
  'Explain.removePasskey': explain('removeWay', { ways: [recovery, ...own], chosen: 'p' }),
  'Explain.removeKit': explain('removeWay', { ways: [recovery, ...own], chosen: 'k' }),
  'Explain.removePassword': explain('removeWay', { ways: [recovery, ...own], chosen: 'w' }),
  'Explain.removeRecovery': explain('removeRecovery'),
  'Explain.restoreRecovery': explain('restoreRecovery'),
  'Explain.removeDevice': explain('removeDevice'),
  'Explain.addLogin': explain('addLogin'),
  'Explain.addSite': explain('addLogin', { chosen: 'jwt' }),
  'Explain.addEmail': explain('addEmail'),
  'Explain.removeLogin': explain('removeLogin'),
  'Explain.signOutEverywhere': explain('signOutEverywhere'),
  'Explain.askEach': explain('askEach', { ways: own }),
  'Explain.askLess': explain('askLess', { ways: own, strict: true, fault: faults.passkeyUnused }),
  'Explain.thaw': explain('thaw', { frozen: true }),
  'Explain.declined': explain('export', { fault: faults.declined }),
  'Explain.limited': explain('thaw', { frozen: true, fault: 'Please try again after 344 seconds' }),
  'Confirm.mail': settings({ page: 'confirm', act: 'export', number: '07' }),
  'Email.empty': settings({ page: 'email', ...adding, newEmail: null }),
  'Email.fault': settings({ page: 'email', ...adding, newEmail: null, fault: faults.addressForm }),
  'Code.empty': settings({ page: 'code', ...adding, rest: 30 }),
  'Code.wrong': settings({ page: 'code', ...adding, fault: faults.codeWrong }),
  'Code.checking': settings({ page: 'code', ...adding, busy: true }),
  'Farcaster.code': settings({
    page: 'farcaster',
    act: 'addLogin',
    chosen: 'farcaster',
    url: FARCASTER,
    code: farcasterCode,
    busy: true
  }),
  'Password.empty': settings({ page: 'password', act: 'setPassword' }),
  'Password.fault': settings({ page: 'password', act: 'setPassword', fault: faults.passwordShort }),
  'Password.strict': settings({ page: 'password', act: 'askEach', fault: faults.passwordWrong }),
  'Password.export': settings({ page: 'password', act: 'export' }),
  'Words.hidden': settings(
    { page: 'words', act: 'export' },
    {
      type: 'words',
      words: 'abandon art',
      keys: [
        { namespace: 'eip155', address: ACCOUNT, path: '', key: '0xkey' },
        { namespace: 'solana', address: SOLANA, path: '', key: 'key' }
      ]
    }
  ),
  'Kit.new': settings(
    { page: 'kit', act: 'makeKit' },
    { type: 'kit', code: '8BCW-9G26-EBEB-AY5K-P1X6-5KDH-6MQ8', mark: '0a1b2c3d' }
  )
}
