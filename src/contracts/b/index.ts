import type { App } from '../../domain/app.ts'
import type { AnyRow } from '../../http/route.ts'
import type { Contract } from '../../http/server.ts'
import { envelopeError, envelopeErrorSchema } from '../error-envelope.ts'
import { agravosRoutesB } from './agravos.routes.ts'
import { alertasRoutesB } from './alertas.routes.ts'
import { anexosRoutesB } from './anexos.routes.ts'
import { auditoriaRoutesB } from './auditoria.routes.ts'
import { authRoutesB } from './auth.routes.ts'
import { boletinsRoutesB } from './boletins.routes.ts'
import { contasDeServicoRoutesB } from './contas-de-servico.routes.ts'
import { duplicidadesRoutesB } from './duplicidades.routes.ts'
import { entregasRoutesB } from './entregas.routes.ts'
import { epidemiologiaRoutesB } from './epidemiologia.routes.ts'
import { epizootiasRoutesB } from './epizootias.routes.ts'
import { epizootiasImportacoesRoutesB } from './epizootias-importacoes.routes.ts'
import { epizootiasNumerosRoutesB } from './epizootias-numeros.routes.ts'
import { eventosRoutesB } from './eventos.routes.ts'
import { exportacoesRoutesB } from './exportacoes.routes.ts'
import { gruposRoutesB } from './grupos.routes.ts'
import { healthRoutesB } from './health.routes.ts'
import { importacoesRoutesB } from './importacoes.routes.ts'
import { jobsRoutesB } from './jobs.routes.ts'
import { noticiasRoutesB } from './noticias.routes.ts'
import { notificacoesRoutesB } from './notificacoes.routes.ts'
import { nowcastRoutesB } from './nowcast.routes.ts'
import { oidcRoutesB } from './oidc.routes.ts'
import { painelRoutesB } from './painel.routes.ts'
import { panoramaRoutesB } from './panorama.routes.ts'
import { permissoesRoutesB } from './permissoes.routes.ts'
import { pessoasRoutesB } from './pessoas.routes.ts'
import { preferenciasRoutesB } from './preferencias.routes.ts'
import { publicoRoutesB } from './publico.routes.ts'
import { publicoSeriesRoutesB } from './publico-series.routes.ts'
import { qualidadeRoutesB } from './qualidade.routes.ts'
import { rascunhosRoutesB } from './rascunhos.routes.ts'
import { seriesRoutesB } from './series.routes.ts'
import { seriesValoresRoutesB } from './series-valores.routes.ts'
import { sistemaRoutesB } from './sistema.routes.ts'
import { territoriosRoutesB } from './territorios.routes.ts'
import { tiposRoutesB } from './tipos.routes.ts'
import { usuarioAcessoRoutesB } from './usuario-acesso.routes.ts'
import { usuarioTerritoriosRoutesB } from './usuario-territorios.routes.ts'
import { usuariosRoutesB } from './usuarios.routes.ts'
import { verificarRoutesB } from './verificar.routes.ts'
import { visoesRoutesB } from './visoes.routes.ts'
import { webhooksRoutesB } from './webhooks.routes.ts'

/** A `PUT` of these takes only the fields to change, so `PATCH` is the same. */
function withPatch(rows: AnyRow<App>[]): AnyRow<App>[] {
  return rows.flatMap((row) => (row.method === 'PUT' ? [row, { ...row, method: 'PATCH' as const }] : [row]))
}

/** Description B: the module description. */
export const contractB: Contract<App> = {
  name: 'b',
  rows: [
    ...withPatch([
      ...authRoutesB,
      ...healthRoutesB,
      ...usuariosRoutesB,
      ...usuarioAcessoRoutesB,
      ...preferenciasRoutesB,
      ...usuarioTerritoriosRoutesB,
      ...contasDeServicoRoutesB,
      ...gruposRoutesB,
      ...permissoesRoutesB,
      ...noticiasRoutesB,
      ...tiposRoutesB,
      ...agravosRoutesB,
      ...verificarRoutesB,
      ...panoramaRoutesB,
      ...oidcRoutesB,
      ...painelRoutesB,
      ...epidemiologiaRoutesB,
      ...nowcastRoutesB,
      ...publicoRoutesB,
      ...publicoSeriesRoutesB,
      ...qualidadeRoutesB,
      ...alertasRoutesB,
      ...boletinsRoutesB,
      ...duplicidadesRoutesB,
      ...pessoasRoutesB,
      ...territoriosRoutesB,
      ...anexosRoutesB,
      ...importacoesRoutesB,
      ...exportacoesRoutesB,
      ...jobsRoutesB,
      ...webhooksRoutesB,
      ...entregasRoutesB,
      ...eventosRoutesB,
      ...notificacoesRoutesB,
      ...auditoriaRoutesB,
      ...sistemaRoutesB,
      ...visoesRoutesB,
      ...seriesRoutesB,
      ...epizootiasNumerosRoutesB,
      ...epizootiasImportacoesRoutesB,
      ...epizootiasRoutesB,
    ]),
    // A draft is replaced as a whole.
    ...rascunhosRoutesB,
    // Values are written as they are listed.
    ...seriesValoresRoutesB,
  ],
  renderError: envelopeError,
  errorSchema: envelopeErrorSchema,
}
