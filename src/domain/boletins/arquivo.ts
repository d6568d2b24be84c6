import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { getBoletim } from './boletins.ts'
import type { DocumentoPedido } from './documentos.ts'

export interface ArquivoDoBoletim {
  nome: string
  content: Buffer
}

/** Drawn from the frozen data at each request: the same data and software give the same bytes. */
export async function arquivoDoBoletim(
  app: Pick<App, 'db' | 'documentos'>,
  caller: Pick<Caller, 'id' | 'territorio'>,
  id: number,
  { formato, language }: Omit<DocumentoPedido, 'conteudo'>,
): Promise<ArquivoDoBoletim> {
  const { conteudo, tipo_agravo, semana } = await getBoletim(app, caller, id)
  const { render, limite } = app.documentos
  const drawn = await limite(() => render({ formato, conteudo, language }), String(caller.id))
  const lugar = conteudo.cabecalho.lugar.codigo ?? 'BR'
  return { nome: `boletim-${tipo_agravo}-${lugar}-${semana}.${formato}`, content: Buffer.from(drawn) }
}
