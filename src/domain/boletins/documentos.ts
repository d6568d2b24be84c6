import type { Language } from '../../errors/texts.ts'
import type { Limiter } from '../../system/limiter.ts'

export const FORMATOS_DO_BOLETIM = ['html', 'pdf'] as const

export interface DocumentoPedido {
  formato: (typeof FORMATOS_DO_BOLETIM)[number]
  /** Frozen content of a bulletin. */
  conteudo: object
  language: Language
}

/** Documents of an instance. */
export interface Documentos {
  /** Draws outside of the thread that answers requests: a document takes up to seconds of computing. */
  render(pedido: DocumentoPedido): Promise<Uint8Array>
  /** Limits concurrent drawing. */
  limite: Limiter
}
