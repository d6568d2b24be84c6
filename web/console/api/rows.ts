import type { agravosRoutesB } from '../../../src/contracts/b/agravos.routes.ts'
import type { alertasRoutesB } from '../../../src/contracts/b/alertas.routes.ts'
import type { anexosRoutesB } from '../../../src/contracts/b/anexos.routes.ts'
import type { auditoriaRoutesB } from '../../../src/contracts/b/auditoria.routes.ts'
import type { authRoutesB } from '../../../src/contracts/b/auth.routes.ts'
import type { boletinsRoutesB } from '../../../src/contracts/b/boletins.routes.ts'
import type { contasDeServicoRoutesB } from '../../../src/contracts/b/contas-de-servico.routes.ts'
import type { duplicidadesRoutesB } from '../../../src/contracts/b/duplicidades.routes.ts'
import type { entregasRoutesB } from '../../../src/contracts/b/entregas.routes.ts'
import type { epidemiologiaRoutesB } from '../../../src/contracts/b/epidemiologia.routes.ts'
import type { epizootiasRoutesB } from '../../../src/contracts/b/epizootias.routes.ts'
import type { epizootiasImportacoesRoutesB } from '../../../src/contracts/b/epizootias-importacoes.routes.ts'
import type { epizootiasNumerosRoutesB } from '../../../src/contracts/b/epizootias-numeros.routes.ts'
import type { eventosRoutesB } from '../../../src/contracts/b/eventos.routes.ts'
import type { exportacoesRoutesB } from '../../../src/contracts/b/exportacoes.routes.ts'
import type { gruposRoutesB } from '../../../src/contracts/b/grupos.routes.ts'
import type { healthRoutesB } from '../../../src/contracts/b/health.routes.ts'
import type { importacoesRoutesB } from '../../../src/contracts/b/importacoes.routes.ts'
import type { jobsRoutesB } from '../../../src/contracts/b/jobs.routes.ts'
import type { noticiasRoutesB } from '../../../src/contracts/b/noticias.routes.ts'
import type { notificacoesRoutesB } from '../../../src/contracts/b/notificacoes.routes.ts'
import type { nowcastRoutesB } from '../../../src/contracts/b/nowcast.routes.ts'
import type { oidcRoutesB } from '../../../src/contracts/b/oidc.routes.ts'
import type { painelRoutesB } from '../../../src/contracts/b/painel.routes.ts'
import type { panoramaRoutesB } from '../../../src/contracts/b/panorama.routes.ts'
import type { permissoesRoutesB } from '../../../src/contracts/b/permissoes.routes.ts'
import type { pessoasRoutesB } from '../../../src/contracts/b/pessoas.routes.ts'
import type { preferenciasRoutesB } from '../../../src/contracts/b/preferencias.routes.ts'
import type { qualidadeRoutesB } from '../../../src/contracts/b/qualidade.routes.ts'
import type { rascunhosRoutesB } from '../../../src/contracts/b/rascunhos.routes.ts'
import type { seriesRoutesB } from '../../../src/contracts/b/series.routes.ts'
import type { seriesValoresRoutesB } from '../../../src/contracts/b/series-valores.routes.ts'
import type { sistemaRoutesB } from '../../../src/contracts/b/sistema.routes.ts'
import type { territoriosRoutesB } from '../../../src/contracts/b/territorios.routes.ts'
import type { tiposRoutesB } from '../../../src/contracts/b/tipos.routes.ts'
import type { usuarioAcessoRoutesB } from '../../../src/contracts/b/usuario-acesso.routes.ts'
import type { usuarioTerritoriosRoutesB } from '../../../src/contracts/b/usuario-territorios.routes.ts'
import type { usuariosRoutesB } from '../../../src/contracts/b/usuarios.routes.ts'
import type { verificarRoutesB } from '../../../src/contracts/b/verificar.routes.ts'
import type { visoesRoutesB } from '../../../src/contracts/b/visoes.routes.ts'
import type { webhooksRoutesB } from '../../../src/contracts/b/webhooks.routes.ts'
import type { usuarioDetailRoutes } from '../../../src/contracts/usuario-detail.routes.ts'
import type { Inputs, Replies } from '../../../src/http/route.ts'
import type { Static, TSchema } from '../../../src/http/type.ts'

/** The rows of the service themselves, as types: a copy would go out of date. */
type ServiceRow = (
  | typeof agravosRoutesB
  | typeof alertasRoutesB
  | typeof anexosRoutesB
  | typeof auditoriaRoutesB
  | typeof authRoutesB
  | typeof boletinsRoutesB
  | typeof duplicidadesRoutesB
  | typeof entregasRoutesB
  | typeof epidemiologiaRoutesB
  | typeof epizootiasRoutesB
  | typeof epizootiasImportacoesRoutesB
  | typeof epizootiasNumerosRoutesB
  | typeof eventosRoutesB
  | typeof exportacoesRoutesB
  | typeof gruposRoutesB
  | typeof healthRoutesB
  | typeof importacoesRoutesB
  | typeof jobsRoutesB
  | typeof noticiasRoutesB
  | typeof notificacoesRoutesB
  | typeof nowcastRoutesB
  | typeof oidcRoutesB
  | typeof painelRoutesB
  | typeof panoramaRoutesB
  | typeof permissoesRoutesB
  | typeof pessoasRoutesB
  | typeof preferenciasRoutesB
  | typeof qualidadeRoutesB
  | typeof rascunhosRoutesB
  | typeof seriesRoutesB
  | typeof seriesValoresRoutesB
  | typeof sistemaRoutesB
  | typeof territoriosRoutesB
  | typeof tiposRoutesB
  | typeof usuarioAcessoRoutesB
  | typeof usuarioDetailRoutes
  | typeof usuarioTerritoriosRoutesB
  | typeof usuariosRoutesB
  | typeof verificarRoutesB
  | typeof visoesRoutesB
  | typeof webhooksRoutesB
  | typeof contasDeServicoRoutesB
)[number]

export type Method = ServiceRow['method']
export type PathOf<M extends Method> = Extract<ServiceRow, { method: M }>['path']
type RowOf<M extends Method, P> = Extract<ServiceRow, { method: M; path: P }>

type Read<S> = S extends TSchema ? Static<S> : undefined
type InputOf<Row> = Row extends { input: infer I extends Inputs } ? I : never

/** A filter of a list: an empty value is left out. */
export type QueryValue = string | number | boolean | undefined

/** Without what the row does not ask for. */
type Given<Name extends string, Value> = [Value] extends [undefined] ? object : { [N in Name]: Value }

export type RequestOf<M extends Method, P> =
  InputOf<RowOf<M, P>> extends infer I extends Inputs
    ? Given<'params', Read<I['params']>> &
        Given<'body', Read<I['body']>> &
        (I extends { list: object } | { filter: object }
          ? { query?: Record<string, QueryValue> }
          : Read<I['query']> extends undefined
            ? object
            : { query?: Read<I['query']> })
    : never

export type AnswerOf<M extends Method, P> =
  RowOf<M, P> extends { replies: infer R extends Replies } ? Static<R[keyof R & number]> : never
