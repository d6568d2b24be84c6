// The operations of the document as `test/territorio-access.test.ts` asks them.
import { MODELOS } from '../src/domain/casos/agravos/modelos.ts'
import { picture } from './contracts/a/pictures.ts'
import { evento, PALMAS } from './contracts/b/epizootias-app.ts'
import { csv, linha } from './contracts/b/importacoes-app.ts'
import { SERIE } from './contracts/b/series-app.ts'
import { MASTER_KEY, PASSWORD } from './harness/app.ts'
import type { Part } from './harness/multipart.ts'

export interface Ask {
  query?: string
  body?: unknown
  form?: Part[]
}

export const PHOTO = { field: 'file', filename: 'foto.png', type: 'image/png', content: await picture('png') }
const EXAME = [
  { field: 'tipo', content: 'exame' },
  { field: 'arquivo', filename: 'exame.pdf', content: '%PDF-1.7\n%%EOF\n' },
]
const NOTICIA = { titulo: 'Boletim', conteudo: 'Texto do boletim' }

/** Outside of every territory. */
const CASO = (n: number) => ({
  tipo_agravo: 'dengue',
  numero_notificacao: `novo-${n}`,
  data_notificacao: '2026-03-12',
  paciente_nome: 'Maria de Palmas',
  municipio_residencia: 'Palmas',
  estado_residencia: 'TO',
})
const importOf = (n: number): Part[] => [
  { field: 'formato', content: 'csv' },
  { field: 'modo', content: 'importar' },
  { field: 'ignorar_erros', content: 'true' },
  { field: 'file', content: csv(linha({ numero_notificacao: `bulk-${n}` })), filename: 'novos.csv' },
]

/** Of the disease that `territorio-things.ts` defines. */
const DEFINICAO = MODELOS.find(({ codigo }) => codigo === 'hanseniase')

const serieOf = (n: number | string) => ({ ...SERIE, codigo: `serie_${n}` })
const SERIES_FILE: Part[] = [
  { field: 'modo', content: 'importar' },
  { field: 'ignorar_erros', content: 'true' },
  { field: 'serie', content: 'liraa_iip' },
  { field: 'file', content: 'municipio;semana;valor\n1721000;202601;1.5\n', filename: 'liraa.csv' },
]

const EPIZOOTIAS_FILE: Part[] = [
  { field: 'modo', content: 'importar' },
  { field: 'ignorar_erros', content: 'true' },
  {
    field: 'file',
    content: `numero;data_ocorrencia;municipio;especie_grupo;suspeita\nB1;2026-01-10;${PALMAS};pnh;raiva\n`,
    filename: 'epizootias.csv',
  },
]

/** Things that an answer must show of every place that the caller reaches. */
export type Shown = 'casos' | 'contas' | 'importacoes' | 'eventos'

/** Operations that name one thing: its kind, the status of one inside, and what is sent. */
export const NAMED: Record<string, [kind: Kind, inside: number, ask?: Ask]> = {
  'GET /agravos/casos/{id}': ['caso', 200],
  'PUT /agravos/casos/{id}': ['caso', 200, { body: { evolucao: 'cura' } }],
  'PATCH /agravos/casos/{id}': ['caso', 200, { body: { evolucao: 'cura' } }],
  'DELETE /agravos/casos/{id}': ['caso', 204, { query: '?motivo=engano' }],
  'POST /agravos/casos/{id}/restaurar': ['excluido', 200],
  'GET /agravos/casos/{id}/duplicidades': ['caso', 200],
  'GET /agravos/casos/{id}/historico': ['caso', 200],
  'GET /agravos/casos/{id}/acessos': ['caso', 200],
  'POST /agravos/casos/{id}/anexos': ['caso', 201, { form: EXAME }],
  'GET /agravos/casos/{id}/anexos': ['caso', 200],
  'GET /agravos/casos/{id}/anexos/{anexo_id}': ['anexo', 200],
  'DELETE /agravos/casos/{id}/anexos/{anexo_id}': ['anexo', 204],
  'GET /agravos/importacoes/{id}': ['importacao', 200],
  'POST /agravos/importacoes/{id}/desfazer': ['importacao', 202],
  'GET /usuarios/{id}': ['conta', 200],
  'PUT /usuarios/{id}': ['conta', 200, { body: { cargo: 'Médica' } }],
  'PATCH /usuarios/{id}': ['conta', 200, { body: { cargo: 'Médica' } }],
  'DELETE /usuarios/{id}': ['conta', 200, { query: '?motivo=saiu' }],
  'POST /usuarios/{id}/desativar': ['conta', 200],
  'POST /usuarios/{id}/reativar': ['conta', 200],
  'POST /usuarios/{id}/foto-perfil': ['conta', 200, { form: [PHOTO] }],
  'GET /usuarios/{id}/foto': ['conta com foto', 200],
  'POST /usuarios/{id}/alterar-senha': ['conta', 200, { body: { nova_senha: 'Outra#Senha9' } }],
  'POST /usuarios/{id}/desbloquear': ['conta', 200],
  'POST /usuarios/{id}/convite': ['conta', 200],
  // None of the accounts has a second factor, which only those learn who reach it.
  'DELETE /usuarios/{id}/mfa': ['conta', 409],
  'DELETE /usuarios/{id}/sessoes': ['conta', 200],
  'GET /contas-de-servico/{id}': ['servico', 200],
  'POST /contas-de-servico/{id}/chaves': [
    'servico',
    201,
    { body: { nome: 'X', escopos: ['agravos.listar'] } },
  ],
  'POST /contas-de-servico/{id}/chaves/{chave_id}/renovar': ['servico', 201],
  'DELETE /contas-de-servico/{id}/chaves/{chave_id}': ['servico', 204],
  'GET /usuarios/{id}/identidades': ['conta', 200],
  'DELETE /usuarios/{id}/identidades/{identidade_id}': ['conta com identidade', 204],
  'POST /usuarios/{id}/grupos/{grupo_id}': ['conta', 200],
  'DELETE /usuarios/{id}/grupos/{grupo_id}': ['conta', 204],
  'PUT /usuarios/{id}/grupos': ['conta', 200, { body: { grupos_ids: [] } }],
  'PATCH /usuarios/{id}/grupos': ['conta', 200, { body: { grupos_ids: [] } }],
  'POST /usuarios/{id}/permissoes/{permissao_id}': ['conta', 200],
  'DELETE /usuarios/{id}/permissoes/{permissao_id}': ['conta', 204],
  'GET /usuarios/{id}/permissoes': ['conta', 200],
  'GET /usuarios/{id}/territorios': ['conta', 200],
  'PUT /usuarios/{id}/territorios': ['conta', 200, { body: { territorios: 'own' } }],
  'PATCH /usuarios/{id}/territorios': ['conta', 200, { body: { territorios: 'own' } }],
  'POST /grupos/{grupo_id}/usuarios/{usuario_id}': ['conta', 200],
  'DELETE /grupos/{grupo_id}/usuarios/{usuario_id}': ['conta', 204],
  // Jobs are their owner's alone, wherever they lie.
  'GET /jobs/{job_id}': ['job', 200],
  'DELETE /jobs/{job_id}': ['job em fila', 200],
  'GET /jobs/{job_id}/eventos': ['job', 200],
  'GET /jobs/{job_id}/arquivo': ['job', 200],
  'GET /jobs/{job_id}/rejeitados': ['job', 404],
}
export type Kind =
  | 'caso'
  | 'excluido'
  | 'anexo'
  | 'importacao'
  | 'conta'
  | 'conta com foto'
  | 'servico'
  | 'conta com identidade'
  | 'job'
  | 'job em fila'

/** Thing of an administrator or a place that no bound account reaches. */
const ofAdministrator = (status: number) => (scope: string) => (scope === 'no territory' ? status : 404)

/** All others: the status, what is sent, and what must be shown of the places that the caller reaches. */
export const OTHERS: Record<
  string,
  [status: number | number[] | ((scope: string) => number), ask?: Ask | ((n: number) => Ask), shows?: Shown]
> = {
  'GET /agravos/casos': [200, { query: '?size=100&sort=id&order=asc' }, 'casos'],
  'GET /agravos/casos/excluidos': [200],
  'POST /agravos/casos': [(scope) => (scope === 'no territory' ? 201 : 403), (n) => ({ body: CASO(n) })],
  'POST /agravos/casos/verificar': [200, (n) => ({ body: CASO(n) })],
  'GET /rascunhos': [200],
  // Drafts are their owner's alone, wherever their cases lie.
  'PUT /rascunhos/{uuid}': [200, { body: { conteudo: { municipio_residencia: 'Palmas' } } }],
  'GET /rascunhos/{uuid}': [200],
  'DELETE /rascunhos/{uuid}': [204],
  'POST /agravos/casos/bulk': [202, (n) => ({ form: importOf(n) })],
  'POST /agravos/casos/exportar': [202, { body: { formato: 'csv', identificado: true } }, 'casos'],
  'POST /agravos/casos/extratos': [
    202,
    { body: { formato: 'csv', k: 5, finalidade: 'Pesquisa de sazonalidade', orgao: 'Universidade' } },
  ],
  'GET /agravos/casos/estatisticas/resumo': [200],
  'GET /agravos/casos/mapa-calor': [200, { query: '?nivel=bairro' }],
  'GET /agravos/casos/estatisticas/curva': [200, { query: '?tipo_agravo=dengue' }],
  'GET /agravos/casos/estatisticas/diagrama-controle': [200, { query: '?tipo_agravo=dengue' }],
  'GET /agravos/casos/estatisticas/indicadores': [200, { query: '?tipo_agravo=dengue&serie=true' }],
  'GET /agravos/casos/estatisticas/rt': [200, { query: '?tipo_agravo=dengue' }],
  'GET /agravos/casos/estatisticas/nowcast': [200, { query: '?tipo_agravo=dengue' }],
  'GET /agravos/casos/estatisticas/atrasos': [200, { query: '?tipo_agravo=dengue' }],
  'GET /agravos/alertas': [200],
  'GET /agravos/alertas/situacao': [200, { query: '?tipo_agravo=dengue' }],
  'GET /agravos/alertas/regras': [403],
  'PUT /agravos/alertas/regras': [403, { body: { tipo_agravo: 'dengue', casos_vermelho: 20 } }],
  'PATCH /agravos/alertas/regras': [403, { body: { tipo_agravo: 'dengue', casos_vermelho: 20 } }],
  // Of a municipality that only an account without a territory reaches.
  'GET /agravos/alertas/{id}': [ofAdministrator(200)],
  'POST /agravos/alertas/{id}/reconhecer': [ofAdministrator(200), { body: { nota: 'Vista' } }],
  // Of a place outside of every territory; schedules are their owner's alone.
  'POST /agravos/boletins': [
    (scope) => (scope === 'no territory' ? 202 : 403),
    { body: { tipo_agravo: 'dengue', estado: 'TO' } },
  ],
  'GET /agravos/boletins': [200],
  'GET /agravos/boletins/{id}': [ofAdministrator(200)],
  'GET /agravos/boletins/{id}/arquivo': [ofAdministrator(200), { query: '?formato=html' }],
  'DELETE /agravos/boletins/{id}': [ofAdministrator(204)],
  'GET /agravos/agendas': [200],
  'POST /agravos/agendas': [
    (scope) => (scope === 'no territory' ? 201 : 403),
    {
      body: {
        ...{ nome: 'Semanal', dia_semana: 'terca', hora: '08:00' },
        pedidos: [{ tipo_agravo: 'dengue', estado: 'TO' }],
      },
    },
  ],
  'GET /agravos/agendas/{id}': [200],
  'PUT /agravos/agendas/{id}': [200, { body: { nome: 'Outra' } }],
  'PATCH /agravos/agendas/{id}': [200, { body: { nome: 'Outra' } }],
  'DELETE /agravos/agendas/{id}': [204],
  // Of two cases that only an account without a territory reaches.
  'GET /agravos/duplicidades': [200],
  'POST /agravos/duplicidades/varredura': [202],
  'GET /agravos/duplicidades/qualidade': [200],
  'POST /agravos/duplicidades/{id}/decidir': [ofAdministrator(200), { body: { decisao: 'outra_pessoa' } }],
  'POST /agravos/casos/{id}/fundir': [ofAdministrator(200), { body: { caso_id: 'other' } }],
  'GET /agravos/fusoes': [200],
  'POST /agravos/fusoes/{id}/desfazer': [ofAdministrator(200)],
  'POST /agravos/pessoas/buscar': [
    200,
    { body: { nome: 'Maria de Palmas', nascimento: '1990', motivo: 'Pedido da pessoa' } },
  ],
  'GET /agravos/pessoas/relatorio': [404, { query: '?casos=999999&motivo=Pedido' }],
  'GET /agravos/casos/facetas': [200, { query: '?campos=estado,regiao_saude,municipio,cnes,evolucao' }],
  'GET /agravos/casos/qualidade': [200, { query: '?agrupar_por=municipio' }],
  'GET /agravos/casos/qualidade/pendencias': [200, { query: '?size=100&sort=id&order=asc' }, 'casos'],
  'GET /agravos/casos/qualidade/pendencias/resumo': [200, { query: '?size=100' }],
  'GET /agravos/casos/painel': [200, { query: '?tipo_agravo=dengue&ano=2026' }],
  'GET /agravos/casos/painel/partes': [
    200,
    { query: '?tipo_agravo=dengue&partes=pendencias,bairros,niveis' },
  ],
  'GET /agravos/panorama': [200, { query: '?tipo_agravo=dengue&ano=2026' }],
  'GET /agravos/casos/estatisticas/frequencias': [200, { query: '?tipo_agravo=dengue&campos=febre' }],
  'GET /agravos/tipos': [200],
  'GET /agravos/regioes-saude': [200, { query: '?estado=PE' }],
  'GET /agravos/populacao': [200, { query: '?municipio=2611606' }],
  'GET /agravos/importacoes': [200, {}, 'importacoes'],
  'GET /territorios': [200, { query: '?nivel=estado' }],
  'GET /eventos': [200, { query: '?size=100' }, 'eventos'],
  'GET /eventos/aovivo': [200, { query: '?cursor=0&duracao=1' }, 'eventos'],
  'GET /notificacoes': [200],
  'PUT /notificacoes/lidas': [200, { body: { ate: 1 } }],
  'PATCH /notificacoes/lidas': [200, { body: { ate: 1 } }],
  'GET /jobs': [200],
  'GET /sistema': [403],
  'POST /auditoria/verificar': [403],
  'POST /auditoria/exportar': [202, { body: { formato: 'csv' } }],
  'POST /agravos/tipos': [201, (n) => ({ body: { modelo: 'malaria', codigo: `malaria_${n}` } })],
  'GET /agravos/tipos/modelos': [200],
  'GET /agravos/tipos/modelos/{codigo}': [200],
  'GET /agravos/tipos/{codigo}': [200],
  'PUT /agravos/tipos/{codigo}': [200, { body: DEFINICAO }],
  'PATCH /agravos/tipos/{codigo}': [200, { body: DEFINICAO }],
  'DELETE /agravos/tipos/{codigo}': [204],
  'GET /agravos/tipos/{codigo}/formulario': [200],
  'GET /agravos/tipos/{codigo}/esquema': [200],
  'GET /agravos/tipos/{codigo}/versoes': [200],
  'POST /agravos/tipos/{codigo}/ativar': [200],
  'POST /agravos/tipos/{codigo}/desativar': [200],
  'GET /series': [200],
  'POST /series': [201, (n) => ({ body: serieOf(n) })],
  'GET /series/painel': [200, { query: '?series=temp_min&tipo_agravo=dengue' }],
  'POST /series/bulk': [202, { form: SERIES_FILE }],
  'GET /series/importacoes': [200],
  // Written for a place outside of every territory.
  'GET /series/importacoes/{id}': [ofAdministrator(200)],
  'POST /series/importacoes/{id}/desfazer': [ofAdministrator(202)],
  'GET /series/{codigo}': [200],
  'PUT /series/{codigo}': [200, { body: { nome: 'Outro nome' } }],
  'PATCH /series/{codigo}': [200, { body: { nome: 'Outro nome' } }],
  'DELETE /series/{codigo}': [204],
  'GET /series/{codigo}/valores': [200, { query: '?estado=TO' }],
  'PUT /series/{codigo}/valores': [
    (scope) => (scope === 'no territory' ? 200 : 403),
    { body: { valores: [{ municipio: 'Palmas', estado: 'TO', semana: '202601', valor: 1 }] } },
  ],
  'GET /series/{codigo}/lugares': [200, { query: '?semana=202601' }],
  'GET /series/{codigo}/revisoes': [200, { query: '?municipio=1721000' }],
  'GET /series/{codigo}/correlacao': [200, { query: '?tipo_agravo=dengue&municipio=1721000' }],
  // Of a place outside of every territory.
  'GET /epizootias': [200],
  'POST /epizootias': [
    (scope) => (scope === 'no territory' ? 201 : 403),
    () => ({ body: evento({ municipio: PALMAS }) }),
  ],
  'GET /epizootias/excluidas': [200],
  'POST /epizootias/exportar': [202, { body: { formato: 'csv', identificado: true } }],
  'GET /epizootias/estatisticas': [200, { query: '?agrupar_por=estado' }],
  'GET /epizootias/mapa': [200, { query: '?nivel=ponto' }],
  'GET /epizootias/proximas': [200, { query: `?municipio=${PALMAS}` }],
  'GET /epizootias/valores': [200],
  'POST /epizootias/valores': [
    201,
    (n) => ({ body: { campo: 'especie', codigo: `especie_${n}`, rotulo: 'Espécie' } }),
  ],
  'DELETE /epizootias/valores/{campo}/{codigo}': [204],
  'POST /epizootias/bulk': [202, { form: EPIZOOTIAS_FILE }],
  'GET /epizootias/importacoes': [200],
  'GET /epizootias/importacoes/{id}': [ofAdministrator(200)],
  'POST /epizootias/importacoes/{id}/desfazer': [ofAdministrator(202)],
  'GET /epizootias/{id}': [ofAdministrator(200)],
  'PUT /epizootias/{id}': [ofAdministrator(200), { body: { animais_mortos: 2 } }],
  'PATCH /epizootias/{id}': [ofAdministrator(200), { body: { animais_mortos: 2 } }],
  'DELETE /epizootias/{id}': [ofAdministrator(204), { query: '?motivo=engano' }],
  'POST /epizootias/{id}/restaurar': [ofAdministrator(200)],
  'GET /epizootias/{id}/historico': [ofAdministrator(200)],
  'GET /visoes': [200],
  'POST /visoes': [201, { body: { nome: 'Óbitos', tela: 'casos', consulta: 'evolucao=obito' } }],
  'DELETE /visoes/{id}': [204],
  'GET /usuarios': [200, { query: '?page=1&size=100&sort=id&order=asc' }, 'contas'],
  'GET /usuarios/': [200, {}, 'contas'],
  'POST /usuarios/buscar': [200, { body: { filtros: {} } }, 'contas'],
  'GET /usuarios/estatisticas': [200],
  'POST /usuarios/exportar': [202, { body: { formato: 'csv' } }, 'contas'],
  'POST /usuarios': [
    201,
    (n) => ({ body: { nome: 'Nova Pessoa', email: `nova${n}@teste.local`, cpf: null, senha: PASSWORD } }),
  ],
  'GET /usuarios/me': [200],
  'PUT /usuarios/me/preferencias': [200, { body: { tema: 'claro' } }],
  'PATCH /usuarios/me/preferencias': [200, { body: { tema: 'claro' } }],
  'GET /usuarios/logado': [200],
  'GET /grupos': [200],
  'GET /grupos/{id}': [200],
  'GET /grupos/{grupo_id}/usuarios': [200, { query: '?size=100&sort=id&order=asc' }, 'contas'],
  'POST /grupos': [201, (n) => ({ body: { nome: `criado_${n}`, permissoes_ids: [] } })],
  'PUT /grupos/{id}': [200, { body: { descricao: 'outra' } }],
  'PATCH /grupos/{id}': [200, { body: { descricao: 'outra' } }],
  'DELETE /grupos/{id}': [204, { query: '?force=true' }],
  'PUT /grupos/{id}/permissoes': [200, { body: { permissoes_ids: [] } }],
  'PATCH /grupos/{id}/permissoes': [200, { body: { permissoes_ids: [] } }],
  'POST /grupos/{id}/permissoes/{permissao_id}': [200],
  'DELETE /grupos/{id}/permissoes/{permissao_id}': [204],
  'GET /permissoes': [200],
  'GET /permissoes/': [200],
  'POST /permissoes': [201, (n) => ({ body: { nome: `criada.${n}` } })],
  // Held by nobody but administrators, hence out of reach of everybody else.
  'PUT /permissoes/{id}': [403, (n) => ({ body: { nome: `outra.${n}` } })],
  'DELETE /permissoes/{id}': [403],
  'GET /noticias': [200],
  'POST /noticias': [201, { body: NOTICIA }],
  'GET /noticias/{id}': [200],
  'PUT /noticias/{id}': [200, { body: { titulo: 'Outra notícia' } }],
  'PATCH /noticias/{id}': [200, { body: { titulo: 'Outra notícia' } }],
  'DELETE /noticias/{id}': [204],
  'GET /contas-de-servico': [200, { query: '?size=100' }],
  'POST /contas-de-servico': [201, { body: { nome: 'Integração' } }],
  'GET /webhooks': [200],
  'GET /webhooks/eventos': [200],
  'POST /webhooks': [201, { body: { url: 'https://novo.example/', eventos: ['agravo.criado'] } }],
  'GET /webhooks/{id}': [200],
  'PUT /webhooks/{id}': [200, { body: { ativo: true } }],
  'PATCH /webhooks/{id}': [200, { body: { ativo: true } }],
  'DELETE /webhooks/{id}': [204],
  'POST /webhooks/{id}/pausar': [200],
  'POST /webhooks/{id}/retomar': [200],
  'POST /webhooks/{id}/segredo': [200],
  'GET /webhooks/{id}/entregas': [ofAdministrator(200), { query: '?size=100' }],
  'GET /webhooks/{id}/entregas/{entrega_id}': [ofAdministrator(200)],
  'POST /webhooks/{id}/entregas/{entrega_id}/reenviar': [ofAdministrator(202)],
  'POST /webhooks/{id}/reenviar': [202, { body: { desde: '2026-01-01T00:00:00Z' } }],
  'POST /webhooks/{id}/testar': [200],
  'GET /auditoria': [200, { query: '?size=100' }],
  'POST /auth/login': [401, (n) => ({ body: { email: `ninguem${n}@teste.local`, senha: PASSWORD } })],
  'POST /auth/refresh': [401, { body: { refresh_token: 'x' } }],
  'POST /auth/logout': [200],
  'POST /auth/sessao': [403, { body: {} }],
  'DELETE /auth/sessao': [401],
  'POST /auth/forgot-password': [200, { body: { email: 'ninguem@teste.local' } }],
  'POST /auth/reset-password': [422, { body: {} }],
  'POST /auth/verificar-email': [422, { body: {} }],
  'POST /auth/nao-fui-eu': [422, { body: {} }],
  'GET /auth/oidc': [200],
  'POST /auth/oidc/segundo-fator': [403, { body: {} }],
  'GET /usuarios/me/identidades': [200],
  'DELETE /usuarios/me/identidades/{id}': [204],
  'POST /auth/change-password': [422, { body: {} }],
  'POST /auth/mfa/enable': [200],
  'POST /auth/mfa/verify': [422, { body: {} }],
  'POST /auth/mfa/disable': [422, { body: {} }],
  'POST /auth/mfa/codigos': [422, { body: {} }],
  'GET /auth/sessions': [200],
  'DELETE /auth/sessions/{session_id}': [404],
  'GET /auth/security-metrics': [200],
  'POST /usuarios/login': [401, (n) => ({ body: { email: `ninguem${n}@teste.local`, password: PASSWORD } })],
  'POST /usuarios/login_sw': [415, { body: {} }],
  'POST /usuarios/refresh-token': [401, { query: '?refresh_token=x' }],
  'POST /usuarios/signup': [
    201,
    (n) => ({
      body: {
        usuario: {
          nome: 'Nova Pessoa',
          email: `inscrita${n}@teste.local`,
          senha: PASSWORD,
          master_key: MASTER_KEY,
        },
      },
    }),
  ],
  'POST /usuarios/reset-password': [422],
  'POST /usuarios/logout': [401, { query: '?refresh_token=x' }],
  'GET /publico/agravos/curva': [200, { query: '?tipo_agravo=dengue&ano=2026' }],
  'GET /publico/agravos/indicadores': [200, { query: '?tipo_agravo=dengue&ano=2026' }],
  'GET /publico/agravos/alertas': [200, { query: '?tipo_agravo=dengue' }],
  'GET /publico/series': [200],
  'GET /publico/series/{codigo}/valores': [200, { query: `?municipio=${PALMAS}` }],
  'GET /publico/epizootias/estatisticas': [200, { query: '?ano=2026' }],
  'GET /health': [200],
  // 503 while deliveries of this test wait for their next attempt.
  'GET /health/detailed': [[200, 503]],
  'GET /openapi.json': [200],
  'GET /.well-known/jwks.json': [200],
}
