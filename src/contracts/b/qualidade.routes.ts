import {
  PENDENCIAS_LIST,
  pageOfPendencias,
  RESUMO_LIST,
  resumoOfPendencias,
} from '../../domain/casos/qualidade/pendencias.ts'
import { qualidadeOf } from '../../domain/casos/qualidade/qualidade.ts'
import { filtroProblems } from '../../domain/casos/reading/filters.ts'
import { requires } from '../../http/access.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import {
  COLUNAS_DAS_PENDENCIAS,
  COLUNAS_DO_RESUMO,
  colunasDaQualidade,
  fromQualidade,
  ListaDePendencias,
  ListaDeResumos,
  PendenciasQuery,
  QualidadeQuery,
  QualidadeResposta,
  toCasoPendente,
  toLinhas,
  toLinhasDePendencias,
  toQualidade,
  toResumoDaPendencia,
} from './qualidade.shapes.ts'
import { answerCsv, CSV, OrCsv, wantsCsv } from './tabela-csv.ts'

const tag = 'Agravos'

export const qualidadeRoutesB = [
  route({
    spec: '4.11',
    method: 'GET',
    path: '/api/v1/agravos/casos/qualidade',
    summary: 'Completude, oportunidade e inconsistências das fichas',
    tag,
    access: requires('agravos.estatisticas'),
    input: { query: QualidadeQuery },
    replies: { 200: OrCsv(QualidadeResposta) },
    produces: CSV,
    errors: [],
    async handle({ query, caller, request, reply }, app) {
      const pedido = fromQualidade(query)
      const qualidade = await qualidadeOf(app, caller, pedido)
      if (wantsCsv(request, query.formato)) {
        const linhas = toLinhas(qualidade, pedido.agrupar_por !== null)
        const colunas = colunasDaQualidade(qualidade)
        return answerCsv({ nome: 'qualidade', colunas, linhas }, request, reply)
      }
      const now = app.clock.now()
      const page = { ...qualidade.grupos, page: pedido.page, size: pedido.size }
      return {
        ...toQualidade(pedido, qualidade),
        ...envelope(page, request.originalUrl, now),
        calculado_em: now.toISOString(),
      }
    },
  }),
  route({
    spec: '4.11',
    method: 'GET',
    path: '/api/v1/agravos/casos/qualidade/pendencias',
    summary: 'Casos a completar, encerrar ou corrigir',
    tag,
    access: requires('agravos.listar'),
    input: { list: PENDENCIAS_LIST, query: PendenciasQuery },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: OrCsv(ListaDePendencias) },
    produces: CSV,
    errors: [],
    async handle({ list, query, caller, request, reply }, app) {
      const page = await pageOfPendencias(app, caller, list)
      const items = page.items.map((caso) => toCasoPendente(caso, app.municipios))
      if (wantsCsv(request, query.formato)) {
        const linhas = toLinhasDePendencias(items)
        return answerCsv({ nome: 'pendencias', colunas: COLUNAS_DAS_PENDENCIAS, linhas }, request, reply)
      }
      return { ...envelope(page, request.originalUrl, app.clock.now()), items }
    },
  }),
  route({
    spec: '4.11',
    method: 'GET',
    path: '/api/v1/agravos/casos/qualidade/pendencias/resumo',
    summary: 'Pendências contadas por código e município',
    tag,
    access: requires('agravos.listar'),
    input: { list: RESUMO_LIST, query: PendenciasQuery },
    checkFilter: (filter, app) => filtroProblems(filter, app),
    replies: { 200: OrCsv(ListaDeResumos) },
    produces: CSV,
    errors: [],
    async handle({ list, query, caller, request, reply }, app) {
      const page = await resumoOfPendencias(app, caller, list)
      const items = page.items.map((one) => toResumoDaPendencia(one, app.municipios))
      if (wantsCsv(request, query.formato))
        return answerCsv(
          { nome: 'pendencias-resumo', colunas: COLUNAS_DO_RESUMO, linhas: items },
          request,
          reply,
        )
      return { ...envelope(page, request.originalUrl, app.clock.now()), items, por_codigo: page.porCodigo }
    },
  }),
]
