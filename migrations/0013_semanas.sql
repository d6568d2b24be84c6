-- Weeks of onset. The Sunday on which the epidemiological week of a day begins; at the beginning of the calendar cut off there.
-- Weeks are numbered from a Sunday before every date, so that the division rounds down.
create function semana_de(dia date) returns date
  language sql immutable parallel safe
  return greatest(date '0001-12-31 BC' + (dia - date '0001-12-31 BC') / 7 * 7, date '0001-01-01');

-- The Sunday of the onset. Two reserved dates, outside of every period: '-infinity' for a case without an onset, 'infinity'
-- for an onset more than a year before the notification, which is a birth date or a slip.
create function semana_sintomas(sintomas date, notificacao date) returns date
  language sql immutable parallel safe
  return case
    when sintomas is null then date '-infinity'
    when notificacao - sintomas > 365 then date 'infinity'
    else semana_de(sintomas) end;

-- Weeks from the onset to the day a record was typed in; -1: unknown, or before the onset; 27: more than 26.
create function atraso_semanas(sintomas date, notificacao date, digitacao date) returns smallint
  language sql immutable parallel safe
  return case
    when sintomas is null or digitacao is null or notificacao - sintomas > 365 then -1
    when (digitacao - date '0001-12-31 BC') / 7 < (sintomas - date '0001-12-31 BC') / 7 then -1
    else least(27, (digitacao - date '0001-12-31 BC') / 7 - (sintomas - date '0001-12-31 BC') / 7) end::smallint;

-- The first Sunday of the epidemiological year of a week, by its Sunday; the reserved dates are years of their own.
create function ano_da_semana(semana date) returns date
  language sql immutable parallel safe
  return case when isfinite(semana) then semana_de(make_date(extract(year from semana + 3)::integer, 1, 4)) else semana end;

-- Bits of what is known of the course of a case: 1 whether in hospital, 2 a death whose cause is under investigation.
create function desfecho(hospitalizacao boolean, evolucao text) returns smallint
  language sql immutable parallel safe
  return ((hospitalizacao is not null)::integer + 2 * coalesce(evolucao = 'obito_em_investigacao', false)::integer)::smallint;

-- Two series of every place. `semana_sintomas` counts by week of onset; `atraso` counts by week of onset and delay (`valor`), its
-- classes are 'd' (discarded) and 'p' (all others, the probable cases). A third one, `perfil`, counts sex, age band and course together
-- (`valor`, 'F|20-39|1') by epidemiological year of the onset, for the country and for states. All are fed by the second queue.
alter table casos_contagens_pendentes add column semana date, add column atraso smallint, add column desfecho smallint;
-- Changes that are pending now have neither delay nor course; the counters below leave out exactly what these rows will add to them.
update casos_contagens_pendentes set atraso = -1, desfecho = 0,
  semana = semana_sintomas(nullif(data_inicio_sintomas, '')::date, dia);
alter table casos_contagens_pendentes alter column semana set not null, alter column atraso set not null,
  alter column desfecho set not null;

-- Not of the weekly series: they are read by place.
drop index casos_contagens__municipios;
create index casos_contagens__municipios on casos_contagens (inicio, lugar)
  where length(lugar) > 2 and serie in ('mes', 'sempre');

create or replace view casos_contados as
select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
  coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
  coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
  coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
  1 as total, coalesce(c.hospitalizacao, false)::integer as hospitalizados,
  coalesce(c.evolucao = 'obito', false)::integer as obitos,
  semana_sintomas(c.data_inicio_sintomas, c.data_notificacao) as semana,
  atraso_semanas(c.data_inicio_sintomas, c.data_notificacao, c.data_digitacao) as atraso,
  desfecho(c.hospitalizacao, c.evolucao) as desfecho
from casos c where c.excluido_em is null;

insert into casos_contagens
select (case when grouping(municipio) = 0 then estado || lpad(municipio::text, 7, '0')
    when grouping(estado) = 0 then estado else '' end) collate "C",
  case when grouping(atraso) = 0 then 'atraso' when grouping(perfil) = 0 then 'perfil' else 'semana_sintomas' end,
  coalesce(semana, ano), tipo_agravo, case when grouping(classe) = 0 then classe else situacao end, coalesce(atraso::text, perfil, ''),
  sum(total), sum(hospitalizados), sum(obitos)
from (
  select *, case when classe = 'descartado' then 'd' else 'p' end as situacao, ano_da_semana(semana) as ano,
    sexo || '|' || faixa_etaria || '|' || desfecho as perfil
  from (
    select tipo_agravo, classe, estado, municipio, sexo, faixa_etaria, semana, atraso, desfecho, total, hospitalizados, obitos
    from casos_contados
    union all
    select tipo_agravo, classe, estado, municipio, sexo, faixa_etaria, semana, atraso, desfecho, -total, -hospitalizados, -obitos
    from casos_contagens_pendentes
  ) casos
) contadas
group by tipo_agravo, grouping sets ((classe, semana), (classe, estado, semana), (classe, estado, municipio, semana),
  (situacao, semana, atraso), (situacao, estado, semana, atraso), (situacao, estado, municipio, semana, atraso),
  (classe, ano, perfil), (classe, estado, ano, perfil))
having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0
order by 1, 2, 3;

-- The triggers as before, with week, delay and course.
create or replace function contar_casos_insert() returns trigger language plpgsql as $$
begin
  with mudanca as (
    select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
      coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
      coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
      c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos,
      semana_sintomas(c.data_inicio_sintomas, c.data_notificacao) as semana,
      atraso_semanas(c.data_inicio_sintomas, c.data_notificacao, c.data_digitacao) as atraso,
      desfecho(c.hospitalizacao, c.evolucao) as desfecho
    from (select 1 as sinal, * from depois) c
    where c.excluido_em is null),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$;

create or replace function contar_casos_delete() returns trigger language plpgsql as $$
begin
  with mudanca as (
    select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
      coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
      coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
      c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos,
      semana_sintomas(c.data_inicio_sintomas, c.data_notificacao) as semana,
      atraso_semanas(c.data_inicio_sintomas, c.data_notificacao, c.data_digitacao) as atraso,
      desfecho(c.hospitalizacao, c.evolucao) as desfecho
    from (select -1 as sinal, * from antes) c
    where c.excluido_em is null),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$;

create or replace function contar_casos_update() returns trigger language plpgsql as $$
begin
  with mudanca as (
    select tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas,
      sum(total) as total, sum(hospitalizados) as hospitalizados, sum(obitos) as obitos, semana, atraso, desfecho
    from (
      select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
        coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
        coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
        coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
        c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
        c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos,
        semana_sintomas(c.data_inicio_sintomas, c.data_notificacao) as semana,
        atraso_semanas(c.data_inicio_sintomas, c.data_notificacao, c.data_digitacao) as atraso,
        desfecho(c.hospitalizacao, c.evolucao) as desfecho
      from (select 1 as sinal, * from depois union all select -1, * from antes) c
      where c.excluido_em is null
    ) c
    group by 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14
    having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$;
