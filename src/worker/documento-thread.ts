import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentoPedido } from '../domain/boletins/arquivo.ts'

const { formato, boletim, language } = workerData as DocumentoPedido

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
