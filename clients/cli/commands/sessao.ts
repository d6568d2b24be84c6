import { VigiaError } from '../../ts/src/index.ts'
import { ask } from '../ask.ts'
import { say } from '../context.ts'
import { printObject } from '../output.ts'
import { command } from '../run.ts'

export const login = command<{ email?: string; codigo?: string; lembrar: boolean }>(
  async ({ io, t, url, vigia }, flags) => {
    const username = flags.email ?? (await ask(io, t.email, t))
    const password = await ask(io, t.password(username), t, { hidden: true })
    const enter = (mfa_code?: string) =>
      vigia.login({ username, password, remember_me: flags.lembrar, ...(mfa_code && { mfa_code }) })
    const isAskedFor = (error: unknown) => error instanceof VigiaError && error.code === 'MFA_REQUIRED'
    const { user } = await enter(flags.codigo).catch(async (error) => {
      if (!isAskedFor(error) || flags.codigo !== undefined || !io.stdin.isTTY) throw error
      return enter(await ask(io, t.code, t))
    })
    say(io, t.loggedIn(user.email, url))
  },
)

export const logout = command(async ({ io, t, vigia }) => {
  await vigia.logout()
  say(io, t.loggedOut)
})

export const quemSou = command(async ({ io, url, vigia, given }, { json }) => {
  const { id, nome, email, admin, grupos } = await vigia.get(
    '/usuarios/me',
    { query: { include: 'grupos' } },
    given,
  )
  await printObject(io, { url, id, nome, email, admin, grupos: grupos?.map((grupo) => grupo.nome) }, { json })
})
