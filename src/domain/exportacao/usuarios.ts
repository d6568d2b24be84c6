import type { Caller } from '../../caller/caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import type { Celula } from '../arquivos/csv.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import type { JobApp } from '../importacao/import.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { Tarefa } from '../jobs/queue.ts'
import { sliceOfUsuarios } from '../usuarios/list.ts'
import { exportRows, type Pedido } from './export.ts'

const COLUNAS = {
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
} satisfies Record<string, (usuario: UsuarioWithRights) => Celula>
export type ColunaDeUsuario = keyof typeof COLUNAS
const MOMENTS = new Set<ColunaDeUsuario>(['criado_em', 'ultimo_acesso', 'desativado_em'])
export const COLUNAS_DE_USUARIOS = Object.keys(COLUNAS) as ColunaDeUsuario[]

export interface PedidoDeUsuarios extends Pedido {
  colunas: ColunaDeUsuario[] | null
}

export async function requestExportUsuarios(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
  pedido: PedidoDeUsuarios,
): Promise<string> {
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'exportacao_usuarios',
      trabalho: 'exportacao',
      parametros: { ...pedido },
      permissoes: ['usuarios.exportar'],
    }),
  )
  app.jobs.wake()
  return id
}

const BLOCK = 500

export async function runExportUsuarios(app: JobApp, tarefa: Tarefa): Promise<void> {
  const { formato, filter, colunas } = tarefa.job.parametros as unknown as PedidoDeUsuarios
  const names = colunas ?? COLUNAS_DE_USUARIOS
  const slice = (offset: number, size = BLOCK) => sliceOfUsuarios(app, filter as Filter, { size, offset })
  const { total } = await slice(0, 1)
  await exportRows(app, tarefa, {
    formato,
    total,
    colunas: names.map((nome) => ({ nome, kind: MOMENTS.has(nome) ? 'moment' : 'plain' })),
    nome: 'usuarios',
    blocos: rows,
    registro: {
      acao: 'usuarios.exportados',
      recurso: 'usuario',
      detalhes: { filtro: filter, colunas: names },
    },
  })

  async function* rows() {
    for (let offset = 0; ; offset += BLOCK) {
      const { items } = await slice(offset)
      if (items.length > 0) yield items.map((usuario) => names.map((nome) => COLUNAS[nome](usuario)))
      if (items.length < BLOCK) return
    }
  }
}
