import { parentPort, workerData } from 'node:worker_threads'
import type { Boletim } from '../domain/boletins/dados.ts'
import type { DocumentoPedido } from '../domain/boletins/documentos.ts'

const { formato, conteudo, language } = workerData as DocumentoPedido
const boletim = conteudo as Boletim

/** Each format loads its own code: a page needs none of that of PDF. */
async function draw(): Promise<Buffer> {
  if (formato === 'html') {
    const { renderHtml } = await import('../domain/boletins/documento/html.ts')
    return Buffer.from(renderHtml(boletim, language))
  }
  const { renderPdf } = await import('../domain/boletins/documento/pdf.ts')
  return renderPdf(boletim, language)
}

parentPort?.postMessage(await draw())
