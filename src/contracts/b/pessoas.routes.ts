import { buscarPessoa } from '../../domain/casos/duplicidades/pessoas.ts'
import { ACESSOS_LIST, pageOfAcessos } from '../../domain/pessoas/acessos.ts'
import { relatorioDePessoa } from '../../domain/pessoas/relatorio.ts'
import { requires } from '../../http/access.ts'
import { Id } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  BuscarPessoa,
  fromBuscarPessoa,
  fromCasos,
  ListaDeAcessos,
  PessoasAchadas,
  RelatorioDePessoa,
  RelatorioQuery,
  relatorioHtml,
  toAcesso,
  toPessoaAchada,
  toRelatorio,
} from './pessoas.shapes.ts'

const tag = 'Duplicidades'
const access = requires('agravos.identificar')
const CasoPath = Type.Object({ id: Id })

/** The page has its style inside; nothing runs, nothing is fetched. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

export const pessoasRoutesB = [
  route({
    spec: '4.16',
    method: 'POST',
    path: '/api/v1/agravos/pessoas/buscar',
    summary: 'Procurar os casos de uma pessoa',
    tag,
    access,
    input: { body: BuscarPessoa },
    replies: { 200: PessoasAchadas },
    errors: [],
    async handle({ body, caller }, app) {
      const achadas = await buscarPessoa(app, caller, fromBuscarPessoa(body))
      const pessoas = achadas.map((one) => toPessoaAchada(one, app.municipios))
      return { total: pessoas.length, pessoas }
    },
  }),
  route({
    spec: '4.16',
    method: 'GET',
    path: '/api/v1/agravos/pessoas/relatorio',
    summary: 'Tudo o que se guarda nos casos de uma pessoa',
    tag,
    access,
    input: { query: RelatorioQuery },
    produces: 'text/html',
    replies: { 200: Type.Unsafe<Static<typeof RelatorioDePessoa> | Buffer>(RelatorioDePessoa) },
    errors: ['NOT_FOUND'],
    async handle({ query: { casos, motivo, formato }, caller, reply }, app) {
      const found = await relatorioDePessoa(app, caller, fromCasos(casos), motivo.trim())
      const { publicUrl, clock, municipios } = app
      const relatorio = toRelatorio(found, municipios, { publicUrl, now: clock.now() })
      if (formato === 'json') return relatorio
      reply
        .type('text/html; charset=utf-8')
        .header('content-disposition', 'inline; filename="relatorio.html"')
        .header('content-security-policy', POLICY)
      return relatorioHtml(relatorio)
    },
  }),
  route({
    spec: '4.25',
    method: 'GET',
    path: '/api/v1/agravos/casos/{id}/acessos',
    summary: 'Quem viu o paciente de um caso identificado',
    tag: 'Agravos',
    access: requires('auditoria.ver', { or: ['agravos.editar'] }),
    input: { params: CasoPath, list: ACESSOS_LIST },
    replies: { 200: ListaDeAcessos },
    errors: ['NOT_FOUND'],
    async handle({ params, list, caller, request }, app) {
      const page = await pageOfAcessos(app, caller, params.id, list)
      return { ...envelope(page, request.originalUrl, app.clock.now()), items: page.items.map(toAcesso) }
    },
  }),
]
