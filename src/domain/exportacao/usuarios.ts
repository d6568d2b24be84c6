import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import type { CellValue } from '../arquivos/csv.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import { withinReach } from '../territorios/alcance.ts'
import { sliceOfUsuarios } from '../usuarios/list.ts'
import { exportRows } from './export.ts'
import { type ExportRequest, formatOf, toldFormat } from './formats.ts'

const COLUMNS = {
  id: (usuario) => usuario.id,
  nome: (usuario) => usuario.nome,
  email: (usuario) => usuario.email,
  cpf: (usuario) => usuario.cpf,
  telefone: (usuario) => usuario.telefone,
  estado: (usuario) => usuario.estado,
  cidade: (usuario) => usuario.cidade,
  funcao: (usuario) => usuario.funcao,
  instituicao: (usuario) => usuario.instituicao,
  cargo: (usuario) => usuario.cargo,
  departamento: (usuario) => usuario.departamento,
  admin: (usuario) => usuario.admin,
  ativo: (usuario) => usuario.ativo,
  plano: (usuario) => usuario.plano,
  grupos: (usuario) => usuario.grupos.map(({ nome }) => nome).join('|'),
  criado_em: (usuario) => usuario.criado_em.toISOString(),
  ultimo_acesso: (usuario) => usuario.ultimo_acesso?.toISOString() ?? null,
  desativado_em: (usuario) => usuario.desativado_em?.toISOString() ?? null,
} satisfies Record<string, (usuario: UsuarioWithRights) => CellValue>
export type UsuariosColumn = keyof typeof COLUMNS
const MOMENTS = new Set<UsuariosColumn>(['criado_em', 'ultimo_acesso', 'desativado_em'])
export const USUARIOS_COLUMNS = Object.keys(COLUMNS) as UsuariosColumn[]

export interface UsuariosExportRequest extends ExportRequest {
  colunas: UsuariosColumn[] | null
}

export async function requestExportUsuarios(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
  request: UsuariosExportRequest,
): Promise<string> {
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'exportacao_usuarios',
      trabalho: 'exportacao',
      parametros: { ...request },
      permissoes: ['usuarios.exportar'],
    }),
  )
  app.jobs.wake()
  return id
}

const BLOCK = 500

export async function runExportUsuarios(app: JobApp, task: JobTask): Promise<void> {
  const request = task.job.parametros as unknown as UsuariosExportRequest
  const { filter, colunas } = request
  const names = colunas ?? USUARIOS_COLUMNS
  const owner = { id: task.job.usuario_id ?? 0, territorio: territorioOf(app, task.job) }
  const asked = withinReach(filter as Filter, owner)
  const slice = (offset: number, size = BLOCK) => sliceOfUsuarios(app, asked, { size, offset })
  await exportRows(app, task, {
    nome: 'usuarios',
    format: formatOf(request),
    open: async () => ({
      colunas: names.map((nome) => ({ nome, kind: MOMENTS.has(nome) ? 'moment' : 'text' })),
      total: (await slice(0, 1)).total,
      blocks: rows(),
      metadata: {},
    }),
    auditEntry: () => ({
      acao: 'usuarios.exportados',
      recurso: 'usuario',
      detalhes: { filtro: filter, colunas: names, ...toldFormat(request) },
    }),
  })

  async function* rows() {
    for (let offset = 0; ; offset += BLOCK) {
      const { items } = await slice(offset)
      if (items.length > 0) yield items.map((usuario) => names.map((nome) => COLUMNS[nome](usuario)))
      if (items.length < BLOCK) return
    }
  }
}
