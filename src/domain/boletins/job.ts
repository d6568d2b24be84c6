import { createHash } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import { canonicalJson } from '../canonical.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobRequest } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import { type Lugar, lugarOf } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import { avisarGrupos } from './avisos.ts'
import { insertBoletim } from './boletins.sql.ts'
import type { Boletim } from './dados.ts'
import { type Edicao, montarBoletim } from './montar.ts'
import type { PedidoComSemana } from './pedido.ts'
import type { BoletimNeeds } from './secao.ts'

/**
 * Job of one or several bulletins. Each is stored whole, with its audit record, its mails and the position to resume from, in one
 * transaction: an interruption leaves none half done and makes none twice.
 */

interface Parametros extends Edicao {
  pedidos: PedidoComSemana[]
  agenda_id: number | null
}

export function trabalhoDeBoletins(
  { version, publico }: Pick<App, 'version' | 'publico'>,
  pedidos: readonly PedidoComSemana[],
  agenda_id: number | null,
): JobRequest {
  const parametros: Parametros = { pedidos: [...pedidos], agenda_id, versao: version, minimo: publico.minimo }
  return {
    tipo: 'boletim',
    trabalho: 'boletim',
    parametros: { ...parametros },
    permissoes: ['relatorios.gerar'],
  }
}

export const hashOf = (conteudo: string): string => createHash('sha256').update(conteudo).digest('hex')

export type BoletimJobApp = JobApp & Pick<BoletimNeeds, 'populacao' | 'estruturaEtaria'>

export async function runBoletim(app: BoletimJobApp, task: JobTask): Promise<void> {
  const { pedidos, agenda_id, ...edicao } = task.job.parametros as unknown as Parametros
  const territorio = territorioOf(app, task.job)
  const leitor = { territorio, permissoes: new Set<string>(), holdsAll: false }
  const ids: number[] = [...((task.job.ponto as { ids: number[] } | null)?.ids ?? [])]
  const begin = (task.job.ponto as { proximo: number } | null)?.proximo ?? 0
  for (const [i, pedido] of [...pedidos.entries()].slice(begin)) {
    task.proceed()
    const lugar = lugarOf(app, pedido)
    // The territory of a schedule's owner may have changed since it was made.
    const boletim = seesWhole(leitor, lugar) ? await montarBoletim(app, leitor, pedido, edicao) : null
    task.proceed()
    await app.db.transaction(async (tx) => {
      await task.authorise(tx)
      if (boletim !== null) ids.push(await store(tx, pedido, lugar, boletim))
      if (i === pedidos.length - 1) await finish(tx)
      else await task.checkpoint(tx, { proximo: i + 1, ids }, (99 * (i + 1)) / pedidos.length)
      if (boletim !== null) await record(tx, ids.at(-1) as number, pedido, boletim)
    })
  }

  async function store(tx: Db, pedido: PedidoComSemana, lugar: Lugar, boletim: Boletim): Promise<number> {
    const conteudo = canonicalJson(boletim)
    const part =
      lugar.nivel === 'municipio' || lugar.nivel === 'regiao_saude' ? lugar.municipios[0] : undefined
    const id = await insertBoletim(
      tx,
      {
        tipo_agravo: pedido.tipo_agravo,
        nivel_lugar: lugar.nivel,
        estado: lugar.estado,
        regiao_saude: part?.regiao?.codigo ?? null,
        municipio: lugar.nivel === 'municipio' ? (part?.codigo ?? null) : null,
        lugar_nome: lugar.nome,
        semana: pedido.semana,
        publico: pedido.publico,
        titulo: pedido.texto.titulo,
        pedido: { ...pedido },
        conteudo,
        hash: hashOf(conteudo),
        versao: edicao.versao,
        agenda_id,
        job_id: task.job.id,
        criado_por: { id: task.job.usuario_id, nome: task.job.usuario_nome },
      },
      app.clock.now(),
    )
    if (agenda_id !== null) await avisarGrupos(app, tx, { id, agenda_id, lugar, boletim })
    return id
  }

  /** `boletim_id` is the last one; all of them are in `boletins`. */
  function finish(tx: Db): Promise<void> {
    return task.finish(tx, {
      message: { code: 'COMPLETED', trabalho: 'boletim', rejeitadas: 0 },
      resultado: { boletim_id: ids.at(-1) ?? null, boletins: ids },
    })
  }

  /** Last in the transaction: it locks the end of the audit. */
  function record(tx: Db, id: number, pedido: PedidoComSemana, boletim: Boletim): Promise<void> {
    const { usuario_id, usuario_nome } = task.job
    const { nivel, codigo } = boletim.cabecalho.lugar
    const { tipo_agravo, semana, publico } = pedido
    return app.auditoria.record(tx, {
      acao: 'boletim.criado',
      ator: usuario_id === null ? null : { id: usuario_id, nome: usuario_nome },
      origin: null,
      recurso: 'boletim',
      recurso_id: id,
      detalhes: {
        ...{ hash: hashOf(canonicalJson(boletim)), tipo_agravo, lugar: { nivel, codigo }, semana, publico },
        ...{ versao: edicao.versao, job_id: task.job.id, ...(agenda_id !== null && { agenda_id }) },
      },
    })
  }
}
