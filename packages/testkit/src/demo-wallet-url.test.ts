import { describe, expect, it } from 'vitest'
import { demoWalletsFromUrl } from './index.ts'

describe('the wallets of a URL', () => {
  it('are one normal wallet when it says nothing', () => {
    expect(demoWalletsFromUrl('https://demo.test/')).toMatchObject([{ name: 'Demo Wallet', mode: 'normal' }])
  })

  it('are as many as it says, all different, or none', () => {
    expect(demoWalletsFromUrl('/?wallets=0')).toEqual([])
    const many = demoWalletsFromUrl('/?wallets=9')
    expect(new Set(many.map(({ rdns }) => rdns)).size).toBe(9)
    expect(new Set(many.map(({ name }) => name)).size).toBe(9)
  })

  it('have the modes and settings it describes', () => {
    const [slow, late, locked] = demoWalletsFromUrl(
      '/?wallet=slow:2000@asking&wallet=normal,late=1500,name=Late+One,legacy&wallet=,late=manual,locked,approval=auto'
    )
    expect(slow).toMatchObject({ mode: 'slow:2000@asking' })
    expect(late).toMatchObject({ mode: 'normal', late: 1_500, name: 'Late One', legacy: true })
    expect(locked).toMatchObject({ mode: 'normal', late: 'manual', locked: true, approval: 'auto' })
    const [honest, lying] = demoWalletsFromUrl('/?wallet=normal,oneClick&wallet=normal,oneClick=domain')
    expect([honest?.oneClick, lying?.oneClick]).toEqual(['honest', 'domain'])
  })

  it('are refused when it cannot be understood', () => {
    for (const search of [
      'wallets=few',
      'wallets=-1',
      'wallet=normal,colour',
      'wallet=normal,late=',
      'wallet=normal,approval=no',
      'wallet=normal,oneClick=perhaps'
    ]) {
      expect(() => demoWalletsFromUrl(`/?${search}`)).toThrow(TypeError)
    }
  })
})
