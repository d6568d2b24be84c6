import { buscarPessoa } from '../../domain/casos/duplicidades/pessoas.ts'
import { relatorioDePessoa } from '../../domain/pessoas/relatorio.ts'
import { requires } from '../../http/access.ts'
import { type Static, Type } from '../../http/type.ts'
import { route } from '../route.ts'
import {
  BuscarPessoa,
  fromBuscarPessoa,
  fromCasos,
  PessoasAchadas,
  RelatorioDePessoa,
  RelatorioQuery,
  relatorioHtml,
  toPessoaAchada,
  toRelatorio,
} from './pessoas.shapes.ts'

const tag = 'Duplicidades'
const access = requires('agravos.identificar')

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
]
