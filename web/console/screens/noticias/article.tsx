import { noticiasTexts } from '../../state/texts/noticias.ts'
import type { Noticia } from './noticia-data.ts'

type Shown = Pick<Noticia, 'titulo' | 'resumo' | 'conteudo' | 'fonte' | 'url' | 'publicado_em'> &
  Partial<Pick<Noticia, 'criado_em' | 'atualizado_em'>>

/** News as it is read; its text is plain, and stays so. */
export function Article({ noticia }: { noticia: Shown }) {
  const own = noticiasTexts()
  const { titulo, resumo, conteudo, fonte, url, publicado_em, criado_em, atualizado_em } = noticia
  const published = new Date(publicado_em)
  return (
    <article class="article">
      <h2>{titulo}</h2>
      <p class="sub">
        {published > new Date() ? own.scheduled(published) : own.date(published)}
        {fonte !== null && ` · ${own.source}: ${fonte}`}
        {atualizado_em !== undefined &&
          atualizado_em !== criado_em &&
          ` · ${own.changed(new Date(atualizado_em))}`}
      </p>
      {resumo !== null && <p class="lead">{resumo}</p>}
      <div class="text">{conteudo}</div>
      {url !== null && (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {own.original}
          </a>{' '}
          <small>{own.originalNote}</small>
        </p>
      )}
    </article>
  )
}
