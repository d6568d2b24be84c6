import type { Caller } from '../../caller/caller.ts'
import type { Language } from '../../errors/texts.ts'
import type { Limiter } from '../../system/limiter.ts'
import type { App } from '../app.ts'
import { getBoletim } from './boletins.ts'
import type { Boletim } from './dados.ts'

/** Documents of an instance. */
export interface Documentos {
  /** Draws outside of the thread that answers requests: a document takes up to seconds of computing. */
  render(pedido: DocumentoPedido): Promise<Uint8Array>
  /** Limits concurrent drawing. */
  limite: Limiter
}

export const FORMATOS_DO_BOLETIM = ['html', 'pdf'] as const

export interface DocumentoPedido {
  formato: (typeof FORMATOS_DO_BOLETIM)[number]
  boletim: Boletim
  language: Language
}

export interface ArquivoDoBoletim {
  nome: string
  content: Buffer
}

/** Drawn from the frozen data at each request: the same data and software give the same bytes. */
export async function arquivoDoBoletim(
  app: Pick<App, 'db' | 'documentos'>,
  caller: Pick<Caller, 'id' | 'territorio'>,
  id: number,
  { formato, language }: Omit<DocumentoPedido, 'boletim'>,
): Promise<ArquivoDoBoletim> {
  const { conteudo, tipo_agravo, semana } = await getBoletim(app, caller, id)
  const { render, limite } = app.documentos
  const drawn = await limite(() => render({ formato, boletim: conteudo, language }), String(caller.id))
  const lugar = conteudo.cabecalho.lugar.codigo ?? 'BR'
  return { nome: `boletim-${tipo_agravo}-${lugar}-${semana}.${formato}`, content: Buffer.from(drawn) }
}
