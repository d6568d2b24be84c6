import { useMutation, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { GrupoDeCausa } from '../../../../src/domain/importacao/layouts/causas.ts'
import { ApiError } from '../../api/errors.ts'
import { offline } from '../../state/connection.ts'
import { api } from '../../state/session.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { importValidated } from '../../state/upload.ts'
import { Button } from '../../ui/button.tsx'
import { Contagens } from '../../ui/contagem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import { Fatos } from './colunas.tsx'
import { Efeito } from './efeito.tsx'
import { importacaoHref, type Job, novaHref, type ResultadoDaConferencia, rejeitadosHref } from './job.ts'

/** Third step: what would happen, and the decision. */
export function Conferencia({ job, resultado }: { job: Job; resultado: ResultadoDaConferencia }) {
  const t = importacoesTexts()
  const { efeito_por_semana } = resultado
  return (
    <div class="check-columns">
      <section class="card step what">
        <StepHeading>{t.check.title(resultado.total_linhas)}</StepHeading>
        <Contagens counts={resultado} names={t.partsBefore} />
        <Fatos resultado={resultado} />
      </section>
      <div class="aside">
        <Decisao job={job} resultado={resultado} />
        {efeito_por_semana !== null && (
          <section class="card">
            <h2>{t.effect.title}</h2>
            <p class="note">{t.effect.note}</p>
            <Efeito efeito={efeito_por_semana} />
          </section>
        )}
      </div>
      <Problemas job={job} resultado={resultado} />
    </div>
  )
}

/** Good lines only, or all or nothing. What would write nothing is said, not offered. */
function Decisao({ job, resultado }: { job: Job; resultado: ResultadoDaConferencia }) {
  const t = importacoesTexts()
  const { route } = useLocation()
  const [ignores, setIgnores] = useState(true)
  const [key] = useState(() => crypto.randomUUID())
  const { erros, importados, atualizados } = resultado
  const casos = importados + atualizados
  const start = useMutation({
    mutationFn: () => importValidated(job.job_id, ignores, `${key}-${ignores}`),
    onSuccess: ({ job_id }) => route(novaHref(job_id)),
  })
  const isWithout = casos === 0 || (!ignores && erros > 0)
  const isCut = offline.value !== null
  return (
    <section class="card decide" aria-label={t.decide.title}>
      <h2>{t.decide.title}</h2>
      {casos === 0 ? (
        <Nothing resultado={resultado} />
      ) : (
        erros > 0 && (
          <fieldset class="options">
            <legend class="unseen">{t.decide.title}</legend>
            <Option
              isChosen={ignores}
              onChoose={() => setIgnores(true)}
              title={t.decide.good}
              note={t.decide.goodNote(erros)}
            />
            <Option
              isChosen={!ignores}
              onChoose={() => setIgnores(false)}
              title={t.decide.all}
              note={t.decide.allNote(erros)}
            />
          </fieldset>
        )
      )}
      <OtherRunning job={job} />
      {start.isError && <Refused error={start.error} />}
      {!isWithout && (
        <Button
          kind="primary"
          aria-disabled={start.isPending || isCut}
          onClick={() => {
            if (!start.isPending && offline.value === null) start.mutate()
          }}
        >
          {start.isPending ? t.decide.starting : isCut ? texts().states.awaiting : t.decide.import(casos)}
        </Button>
      )}
      {!ignores && erros > 0 && <p class="note">{t.decide.mend}</p>}
      <div class="row">
        <a class="button plain" href={novaHref(job.job_id)}>
          {t.decide.back}
        </a>
        <a class="button plain" href={novaHref()}>
          {t.changeFile}
        </a>
      </div>
      {!isWithout && (
        <>
          <p class="note safe">
            <Icon name="undo" />
            <span>{t.decide.safe}</span>
          </p>
          <p class="note">{t.decide.keptUntil(new Date(resultado.arquivo_guardado_ate))}</p>
        </>
      )}
    </section>
  )
}

interface OptionProps {
  isChosen: boolean
  onChoose(): void
  title: string
  note: string
}

function Option({ isChosen, onChoose, title, note }: OptionProps) {
  return (
    <label class={isChosen ? 'option on' : 'option'}>
      <input type="radio" name="modo" checked={isChosen} onChange={onChoose} />
      <span>
        <b>{title}</b>
        <small>{note}</small>
      </span>
    </label>
  )
}

/** The same file again, or one that tells nothing new. */
function Nothing({ resultado }: { resultado: ResultadoDaConferencia }) {
  const t = importacoesTexts()
  const { identico_a, erros, total_linhas } = resultado
  const earlier = useQuery({
    queryKey: ['importacoes', identico_a],
    queryFn: ({ signal }) =>
      api.get('/api/v1/agravos/importacoes/{id}', { params: { id: identico_a ?? 0 } }, { signal }),
    enabled: identico_a !== undefined,
    placeholderData: () => undefined,
  })
  if (identico_a === undefined)
    return <p class="nothing">{erros === total_linhas && erros > 0 ? t.decide.allWrong : t.decide.nothing}</p>
  return (
    <p class="nothing">
      {earlier.data === undefined ? t.decide.nothing : t.decide.same(new Date(earlier.data.criado_em))}{' '}
      <a href={importacaoHref(identico_a)}>{t.decide.seeEarlier}</a>
    </p>
  )
}

/** Jobs of an account take turns. */
function OtherRunning({ job }: { job: Job }) {
  const t = importacoesTexts()
  const running = useQuery({
    queryKey: ['jobs', 'running'],
    queryFn: ({ signal }) =>
      api.get('/api/v1/jobs', { query: { tipo: 'importacao', status: 'processing', size: 5 } }, { signal }),
  })
  const other = running.data?.items.find(
    ({ job_id, trabalho }) => job_id !== job.job_id && trabalho === 'importacao',
  )
  if (other === undefined) return null
  return (
    <p class="notice info">
      {t.decide.other(other.arquivo_nome ?? '')} <a href={novaHref(other.job_id)}>{t.list.follow}</a>
    </p>
  )
}

function Refused({ error }: { error: unknown }) {
  const t = importacoesTexts()
  const isGone = error instanceof ApiError && error.status === 404
  return <Notice kind="error" text={isGone ? t.decide.gone : errorText(error)} />
}

function Problemas({ job, resultado }: { job: Job; resultado: ResultadoDaConferencia }) {
  const t = importacoesTexts()
  const { erros, avisos, problemas, avisos_agrupados } = resultado
  if (problemas.length === 0 && avisos_agrupados.length === 0)
    return (
      <section class="card problems">
        <h2>{t.problems.title}</h2>
        <p class="note">{t.problems.none}</p>
      </section>
    )
  return (
    <section class="card problems">
      <header class="with-action">
        <div>
          <h2>{t.problems.title}</h2>
          <p class="note">{t.problems.note}</p>
        </div>
        {job.rejeitados_url !== undefined && (
          <a class="button plain" href={rejeitadosHref(job.job_id)} download>
            <Icon name="download" />
            {t.problems.download(erros)}
          </a>
        )}
      </header>
      {problemas.length > 0 && (
        <>
          <h3>
            <span class="tag red">{t.problems.rejected}</span> {t.problems.causes(erros, problemas.length)}
          </h3>
          {problemas.map((grupo, at) => (
            <Grupo key={at} grupo={grupo} details={resultado.erros_detalhados} isOpen={at === 0} />
          ))}
        </>
      )}
      {avisos_agrupados.length > 0 && (
        <>
          <h3>
            <span class="tag amber">{t.problems.warnings}</span> {t.problems.warningsNote(avisos)}
          </h3>
          {avisos_agrupados.map((grupo, at) => (
            <Grupo
              key={at}
              grupo={grupo}
              details={resultado.avisos_detalhados.map(({ aviso, ...one }) => ({ ...one, erro: aviso }))}
              isOpen={false}
            />
          ))}
        </>
      )}
    </section>
  )
}

interface Detail {
  linha: number | null
  numero_notificacao: string | null
  erro: string
}

/** A cause with its first lines; the words of each line are those of the service. */
function Grupo({ grupo, details, isOpen }: { grupo: GrupoDeCausa; details: Detail[]; isOpen: boolean }) {
  const { campo, coluna, regra, quantidade, linhas } = grupo
  const known = new Map(details.map((detail) => [detail.linha, detail]))
  const head = (
    <>
      <span class="count">{importacoesTexts().number(quantidade)}</span>
      <span>
        <b>{regra}</b>
        <small>
          {coluna !== null && <code>{coluna}</code>} {campo !== null && (texts().campos[campo] ?? campo)}
        </small>
      </span>
    </>
  )
  if (linhas.length === 0) return <div class="group plain">{head}</div>
  return (
    <details class="group" open={isOpen}>
      <summary>{head}</summary>
      <div class="lines">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {importacoesTexts().line}
              </th>
              <th scope="col">{texts().campos.numero_notificacao}</th>
              <th scope="col">{importacoesTexts().problems.said}</th>
            </tr>
          </thead>
          <tbody>
            {linhas.map((linha) => (
              <tr key={linha}>
                <td class="number">{importacoesTexts().number(linha)}</td>
                <td>{known.get(linha)?.numero_notificacao ?? ''}</td>
                <td>{known.get(linha)?.erro ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {quantidade > linhas.length && (
          <p class="note">{importacoesTexts().problems.firstLines(linhas.length, quantidade)}</p>
        )}
      </div>
    </details>
  )
}
