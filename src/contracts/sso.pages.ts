import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../domain/app.ts'
import { beginSso, finishSso } from '../domain/oidc/entrar.ts'
import { SsoRefusal } from '../domain/oidc/recusa.ts'
import { TENTATIVA_SECONDS } from '../domain/oidc/tentativas.ts'
import { consolePathOf } from '../http/console.ts'
import { cookieOf, sendCookie, sendSsoCookie, ssoCookieOf } from '../http/console-cookie.ts'
import { navegadorOf } from '../http/origin.ts'
import { refuseOtherMethods } from '../http/server.ts'

const BEGIN = '/entrar/oidc/{id}'
const RETURN = '/entrar/oidc/{id}/retorno'

type SsoRequest = FastifyRequest<{ Params: { id: string } }>

/** Steps of a single sign-on that the browser takes: every answer leads on, a refusal back to the sign-in with its reason. */
export function serveSso(server: FastifyInstance, app: App): void {
  serve(server, BEGIN, async (request, reply) => {
    const volta = consolePathOf(queryOf(request).get('volta'))
    const { url, navegador } = await beginSso(app, request.params.id, { volta, previous: cookieOf(request) })
    sendSsoCookie(reply, navegador, TENTATIVA_SECONDS)
    return url
  })
  serve(server, RETURN, async (request, reply) => {
    const navegador = { ...navegadorOf(request), cookie: ssoCookieOf(request) }
    const outcome = await finishSso(app, request.params.id, queryOf(request), navegador)
    if (outcome.kind === 'code') {
      sendSsoCookie(reply, outcome.navegador, TENTATIVA_SECONDS)
      return `/entrar?${new URLSearchParams({ sso: request.params.id, voltar: outcome.volta })}`
    }
    sendCookie(reply, outcome.caller.cookie)
    sendSsoCookie(reply, null, 0)
    return outcome.volta
  })
}

function serve(
  server: FastifyInstance,
  path: string,
  leadOn: (request: SsoRequest, reply: FastifyReply) => Promise<string>,
): void {
  server.get<{ Params: { id: string } }>(
    path.replace('{id}', ':id'),
    { config: { route: path } },
    async (request, reply) => {
      try {
        return reply.redirect(await leadOn(request, reply), 302)
      } catch (error) {
        if (!(error instanceof SsoRefusal)) throw error
        return reply.redirect(`/entrar?${new URLSearchParams({ erro: error.motivo })}`, 302)
      }
    },
  )
  refuseOtherMethods(server, path, ['GET'])
}

const queryOf = ({ originalUrl }: FastifyRequest) =>
  new URL(originalUrl, 'https://vigia.invalid').searchParams
