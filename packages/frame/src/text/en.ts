//! English texts of the frame. They are part of the page; other languages are loaded when they are needed.

import { faults } from './faults.ts'

export const en = {
  direction: 'ltr',
  approval: {
    titles: {
      signMessage: 'Sign a message',
      signIn: 'Sign in',
      signTypedData: 'Sign data',
      permit: 'Allow spending',
      send: 'Send',
      sendToken: 'Send tokens',
      sendItem: 'Send an NFT',
      approveToken: 'Allow spending',
      approveItems: 'Allow all NFTs',
      revoke: 'End an allowance',
      callContract: 'Call a contract',
      swap: 'Swap',
      deployContract: 'Create a contract',
      signTransaction: 'Sign a transaction'
    },
    labels: {
      allows: 'Permission',
      amount: 'Amount',
      amountOrItem: 'Amount in smallest units, or NFT number',
      application: 'Calls itself',
      comes: 'You receive',
      closes: 'Closes token account',
      contract: 'Contract',
      creates: 'Token account for',
      dataSize: 'Data',
      domain: 'Sign in to',
      expires: 'Expires',
      from: 'From',
      item: 'NFT',
      least: 'You receive at least',
      leaves: 'You send',
      memo: 'Memo',
      newAuthority: 'New authority',
      nonce: 'Nonce',
      operator: 'Who may take them',
      paidBefore: 'You paid',
      pays: 'You pay',
      paysMost: 'You pay at most',
      program: 'Unknown program',
      provider: 'Exchange',
      selector: 'Function',
      spender: 'Who may spend',
      statement: 'Statement',
      to: 'To',
      token: 'Token contract',
      tokenAccount: 'Token account',
      transaction: 'Transaction',
      uri: 'Page'
    },
    flags: {
      wrongDomain: "This sign-in is for another site. It can't be approved.",
      wrongAccount: "This sign-in is for another account. It can't be approved.",
      malformedSignIn: "This sign-in isn't valid. It can't be approved.",
      wrongUri: 'This sign-in names another page than this site.',
      wrongChain: 'This is for another network than the one in use.',
      notText: "These bytes aren't text. Sign only if you know them.",
      unlimitedApproval: 'The spender may take all of these tokens, at any time.',
      approvesAll: 'The operator may take all NFTs of this collection, at any time.',
      permit: 'This signature lets somebody take tokens, without another request.',
      unknownCall: 'This call is unknown. Approve only if you trust the site.',
      fakeToken: 'This contract pretends to be a known token.',
      alsoPermits: 'Somebody may take tokens or NFTs after this. See the permission below.',
      otherReceiver: 'Another account receives what you buy.',
      firstSeen: 'First time sending to this address from this browser. Check every character.',
      firstSpender: 'First time this browser lets this address take tokens. Approve only if you know it.',
      lookAlike: "Looks like an address you've paid, but it's different. Possible scam.",
      noContract: 'There is no contract at this address. What you send may be lost.',
      notSimulated: "Couldn't simulate this call, so its effects aren't known.",
      insufficientFunds: 'The account has too little for amount and fee.',
      likelyToFail: 'The network expects this transaction to fail.',
      highFee: 'The site asks for a far higher fee than the network does.',
      unknownProgram:
        'An unknown program is called. It may take all that this account has. Approve only if you trust the site.',
      hiddenAccounts: "Some accounts are named by a table and can't be shown here.",
      neverExpires: 'This transaction never expires: it may be sent at any later time.',
      otherNetwork: 'This network does not know the block of the transaction, which may be one for another network.',
      delegates: 'The spender may take these tokens at any time, without another request.',
      newAuthority: 'Somebody else controls tokens of this account afterwards.'
    },
    stages: { preparing: 'Reading the network…', ready: '', signing: 'Signing…', sending: 'Sending…' },
    // {0} is a gap, {#0} one for a number, {@0} one for a time.
    phrases: {
      plain: '{0}',
      number: '{#0}',
      amount: '{#0} {1}',
      coins: '{#0} coins',
      smallestUnits: '{#0} smallest units of {1}',
      bytes: '{#0} bytes',
      partOf: '{#0} of {#1}',
      item: '#{0}',
      items: '{#0} of #{1}',
      itemOf: 'NFT #{0} of {1}',
      itemsOf: 'NFTs of {0}',
      mayTakeAll: '{0} may take all NFTs of {1}',
      mayTakeAny: '{0} may take any amount of {1}',
      mayTake: '{0} may take {#1} {2}',
      mayTakeUnits: '{0} may take {#1} smallest units of {2}',
      mayTakeSome: '{0} may take some {1}, through Permit2',
      date: '{@0}',
      never: 'Never',
      nobody: 'Nobody'
    },
    callsItself: 'Unverified name: “{0}”',
    expected: 'Expected effect',
    unchanged: 'Your balances stay the same.',
    account: 'Account',
    network: 'Network',
    chainNamed: '{0} (chain {1})',
    chain: 'Chain {0}',
    fee: 'Max network fee',
    approve: 'Approve',
    cancel: 'Cancel'
  },
  alone: 'This page works only inside a site that uses this wallet.',
  faults,
  settings: {
    title: 'Wallet settings',
    loading: 'Loading…',
    lost: "Couldn't load the settings.",
    again: 'Try again',
    done: 'Done',
    back: 'Back',
    goOn: 'Continue',
    cancel: 'Cancel',
    working: 'Working…',
    assisted: 'Email opens this wallet on a new device',
    assistedHint: 'Easy to recover. The operator of this site could open it too.',
    sovereign: 'Only you can open this wallet',
    sovereignHint:
      'The operator of this site cannot open it. Keep your passkey, password or recovery kit safe: nobody can replace them.',
    frozen: 'This wallet is frozen',
    frozenHint: 'A frozen wallet signs nothing until you unfreeze it.',
    held: 'This wallet is frozen',
    heldHint: 'Nothing can be signed. Contact the operator of this site.',
    ways: 'Ways to open it on a new device',
    recovery: 'Email recovery',
    passkey: 'Passkey',
    kit: 'Recovery kit {0}',
    password: 'Password',
    added: 'Added {0}',
    remove: 'Remove',
    addPasskey: 'Add a passkey',
    makeKit: 'Make a recovery kit',
    addPassword: 'Set a password',
    changePassword: 'Change password',
    restoreRecovery: 'Turn email recovery on',
    logins: 'Logins',
    email: 'Email',
    openid: 'Other login',
    siteLogin: 'Login of this site',
    addLogin: 'Add {0}',
    devices: 'Devices',
    here: 'This device',
    used: 'Last used {0}',
    keys: 'Keys',
    export: 'Show recovery phrase and keys',
    safety: 'Lost a device?',
    signOutEverywhere: 'Sign out everywhere',
    freeze: 'Freeze wallet',
    freezeHint: 'A frozen wallet signs nothing until you unfreeze it.',
    thaw: 'Unfreeze wallet',
    byMail: 'Confirm by email',
    byPasskey: 'Confirm with passkey',
    confirmTitle: 'Check your email',
    confirmHint: 'Open the link we sent to {0}. Confirm only if the page shows this number.',
    confirmWaiting: 'Waiting for you to confirm',
    passkeyAlone: 'Continue to use your passkey. This window closes by itself.',
    wordsTitle: 'Recovery phrase and keys',
    wordsHint:
      'Whoever has these can take everything. Never enter them on a site, and never tell them to anyone. They hide after one minute.',
    phrase: 'Recovery phrase',
    hold: 'Hold to show',
    copy: 'Copy',
    copied: 'Copied. Other apps can read it: paste it, then copy something else.',
    uncopied: "Couldn't copy. Write it down instead.",
    keyOf: { eip155: 'Ethereum private key', solana: 'Solana private key', bip122: 'Bitcoin private key' },
    kitTitle: 'Your recovery kit',
    kitHint:
      'Print or save this code now. It opens your wallet on a new device after you log in. It is not shown again.',
    kitMark: 'Kit {0}',
    print: 'Print',
    save: 'Save as file',
    kitKept: 'I have it in a safe place',
    passwordTitle: 'Choose a password',
    passwordHint:
      'At least 12 characters, and none that you use elsewhere. Nobody can reset it. The server never sees it.',
    passwordNew: 'New password',
    passwordSet: 'Save password',
    passwordShow: 'Show password',
    passwordHide: 'Hide password',
    passwordAgain: 'Repeat the password',
    show: 'Show',
    hide: 'Hide',
    byPassword: 'Open with password',
    lockedTitle: 'Open your wallet',
    lockedHint: 'Your login alone does not open this wallet. Use your passkey, password or recovery kit.',
    loginTitle: 'Log in with a passkey',
    loginHint: 'It needs no email. Use a passkey that you added in the settings of your wallet.',
    emailTitle: 'Add your email',
    emailHint: 'We send a code to this address. From then on it opens this wallet, and we ask it to confirm requests.',
    emailNew: 'Email address',
    emailSend: 'Send code',
    emailCodeHint: 'Enter the code we sent to {0}. It works for 10 minutes.',
    emailCode: 'Code from the email',
    emailAdd: 'Add email',
    emailResend: 'Send another code',
    code: 'Code of the recovery kit',
    open: 'Open wallet',
    usePasskey: 'Use passkey',
    acts: {
      export: {
        title: 'Show recovery phrase and keys?',
        hint: 'Anyone who sees them can take everything in this wallet. Support never asks for them.',
        action: 'Show'
      },
      makeKit: {
        title: 'Make a recovery kit?',
        hint: 'A code to print. With your login it opens the wallet on a new device, even without email recovery.',
        action: 'Make kit'
      },
      addPasskey: {
        title: 'Add a passkey?',
        hint: 'Your phone, computer or password manager keeps it. It opens the wallet on a new device and confirms requests.',
        action: 'Create passkey'
      },
      setPassword: {
        title: 'Set a password?',
        hint: 'With your login it opens the wallet on a new device, even without email recovery. It replaces the password before it.',
        action: 'Choose password'
      },
      removeWay: {
        title: 'Remove this way?',
        hint: 'It no longer opens the wallet on a new device. A printed code or a password becomes useless.',
        action: 'Remove'
      },
      removeRecovery: {
        title: 'Remove email recovery?',
        hint: 'From then on the operator of this site cannot open the wallet, and neither can your email. Without your passkey, password or recovery kit, and without this device, everything in it is lost.',
        action: 'Remove'
      },
      restoreRecovery: {
        title: 'Turn email recovery on?',
        hint: 'Your email opens the wallet on a new device again. The operator of this site could open it too.',
        action: 'Turn on'
      },
      removeDevice: {
        title: 'Remove this device?',
        hint: 'It is signed out, and needs your approval to come back.',
        action: 'Remove'
      },
      addLogin: {
        title: 'Add a login?',
        hint: 'From then on it opens this wallet too. Add only an account that nobody else can log in to.',
        action: 'Go to login'
      },
      addEmail: {
        title: 'Add an email login?',
        hint: 'From then on codes to it open this wallet too. Add only an address that nobody else reads.',
        action: 'Continue'
      },
      removeLogin: {
        title: 'Remove this login?',
        hint: 'It no longer opens this wallet. Devices where you used it stay signed in: remove them in the list of devices.',
        action: 'Remove'
      },
      signOutEverywhere: {
        title: 'Sign out everywhere?',
        hint: 'All devices are signed out, this one too. Log in again where you need the wallet.',
        action: 'Sign out'
      },
      thaw: {
        title: 'Unfreeze this wallet?',
        hint: 'Your devices can sign again.',
        action: 'Unfreeze'
      }
    }
  }
} as const

type Words<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Words<T[Key]> }

/** Texts of one language. */
export type Texts = Words<typeof en>
